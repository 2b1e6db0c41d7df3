// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPixbuf.h"

#include <errno.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// GdkPixbuf's messages quote the path, and some files have none of their own.
static const char *reason(const char *path, const GError *error) {
  struct stat file;
  if (stat(path, &file) != 0) return strerror(errno);
  if (S_ISDIR(file.st_mode)) return "expected an image, got a folder";
  if (!S_ISREG(file.st_mode)) return "not a file";
  if (file.st_size == 0) return "the file is empty";
  if (error && error->domain == GDK_PIXBUF_ERROR) {
    if (error->code == GDK_PIXBUF_ERROR_CORRUPT_IMAGE) return "not an image, or a damaged one";
    if (error->code == GDK_PIXBUF_ERROR_INSUFFICIENT_MEMORY) return "not enough memory for the image";
    if (error->code == GDK_PIXBUF_ERROR_UNKNOWN_TYPE)
      return "not an image, or of a format without a loader (loaders: gdk-pixbuf-query-loaders)";
  }
  return error ? error->message : "not an image";
}

static void fail(char *message, int32_t size, const char *path, GError *error) {
  snprintf(message, (size_t)size, "%s", reason(path, error));
  if (error) g_error_free(error);
}

// Whether the pixels are stored turned by a quarter.
static int is_stored_sideways(GdkPixbuf *pixbuf) {
  const char *turn = gdk_pixbuf_get_option(pixbuf, "orientation");
  return turn && turn[0] >= '5' && turn[0] <= '8';
}

// Only a regular file: a pipe or a device could block or never end.
static int is_regular(const char *path) {
  struct stat file;
  return stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

// Whether the last chunk of a PNG is there; GdkPixbuf shows as much of a PNG as it has.
static int has_end(const char *path) {
  FILE *file = fopen(path, "rbe");
  if (!file) return 0;
  char end[512];
  size_t count = 0;
  if (fseek(file, -(long)sizeof end, SEEK_END) == 0 || fseek(file, 0, SEEK_SET) == 0)
    count = fread(end, 1, sizeof end, file);
  fclose(file);
  return memmem(end, count, "IEND", 4) != NULL;
}

CPixbufSize cpixbuf_size(const char *path) {
  CPixbufSize size = {0};
  int width = 0, height = 0;
  GdkPixbufFormat *format = is_regular(path) ? gdk_pixbuf_get_file_info(path, &width, &height) : NULL;
  if (!format || width <= 0 || height <= 0) {
    GError *error = NULL;
    if (is_regular(path)) {
      // Only for its message.
      GdkPixbuf *pixbuf = gdk_pixbuf_new_from_file_at_scale(path, 8, 8, FALSE, &error);
      if (pixbuf) g_object_unref(pixbuf);
    }
    fail(size.message, sizeof size.message, path, error);
    return size;
  }
  gchar *name = gdk_pixbuf_format_get_name(format);
  const int is_png = g_str_equal(name, "png");
  size.is_drawn = g_str_has_prefix(name, "svg");
  const int may_turn = g_str_equal(name, "jpeg") || g_str_equal(name, "tiff");
  g_free(name);
  if (is_png && !has_end(path)) {
    snprintf(size.message, sizeof size.message, "the image is damaged: its end is missing");
    return size;
  }
  size.width = width;
  size.height = height;
  if (!may_turn) return size;
  // A JPEG is decoded at a small scale, which takes little time.
  GdkPixbuf *small = gdk_pixbuf_new_from_file_at_scale(path, 8, 8, FALSE, NULL);
  if (small && is_stored_sideways(small)) {
    size.width = height;
    size.height = width;
  }
  if (small) g_object_unref(small);
  return size;
}

CPixbufPicture *cpixbuf_open(const char *path, int32_t width, int32_t height, char *message, int32_t size) {
  GError *error = NULL;
  GdkPixbuf *pixbuf = is_regular(path) ? gdk_pixbuf_new_from_file_at_scale(path, width, height, FALSE, &error) : NULL;
  if (pixbuf && is_stored_sideways(pixbuf)) {
    g_object_unref(pixbuf);
    pixbuf = gdk_pixbuf_new_from_file_at_scale(path, height, width, FALSE, &error);
  }
  if (!pixbuf) {
    fail(message, size, path, error);
    return NULL;
  }
  GdkPixbuf *upright = gdk_pixbuf_apply_embedded_orientation(pixbuf);
  g_object_unref(pixbuf);
  return (CPixbufPicture *)upright;
}

void cpixbuf_close(CPixbufPicture *picture) {
  g_object_unref((GdkPixbuf *)picture);
  // A picture is by far the largest that this program allocates, and it needs none while it runs.
  malloc_trim(0);
}

static GdkPixbuf *pixbuf(const CPixbufPicture *picture) { return (GdkPixbuf *)picture; }

int32_t cpixbuf_width(const CPixbufPicture *picture) { return gdk_pixbuf_get_width(pixbuf(picture)); }
int32_t cpixbuf_height(const CPixbufPicture *picture) { return gdk_pixbuf_get_height(pixbuf(picture)); }

// Cuts a part to the picture.
static CPixbufRect cut(const CPixbufPicture *picture, CPixbufRect part) {
  const int32_t left = MAX(part.x, 0), top = MAX(part.y, 0);
  const int32_t right = MIN(part.x + part.width, cpixbuf_width(picture));
  const int32_t bottom = MIN(part.y + part.height, cpixbuf_height(picture));
  return (CPixbufRect){left, top, MAX(0, right - left), MAX(0, bottom - top)};
}

CPixbufRect cpixbuf_content(const CPixbufPicture *picture, CPixbufRect part) {
  part = cut(picture, part);
  if (gdk_pixbuf_get_n_channels(pixbuf(picture)) < 4) return part;
  const guint8 *pixels = gdk_pixbuf_read_pixels(pixbuf(picture));
  const size_t stride = (size_t)gdk_pixbuf_get_rowstride(pixbuf(picture));
  int32_t left = part.x + part.width, right = part.x, top = part.y + part.height, bottom = part.y;
  for (int32_t y = part.y; y < part.y + part.height; y++) {
    const guint8 *alpha = pixels + (size_t)y * stride + 3;
    int32_t first = part.x, end = part.x + part.width;
    while (first < end && alpha[(size_t)first * 4] == 0) first++;
    if (first == end) continue;
    while (alpha[(size_t)(end - 1) * 4] == 0) end--;
    left = MIN(left, first);
    right = MAX(right, end);
    top = MIN(top, y);
    bottom = y + 1;
  }
  return (CPixbufRect){left, top, MAX(0, right - left), MAX(0, bottom - top)};
}

void cpixbuf_copy(const CPixbufPicture *picture, CPixbufRect part, uint32_t *target, int32_t stride) {
  const CPixbufRect inside = cut(picture, part);
  target += (ptrdiff_t)(inside.y - part.y) * stride + (inside.x - part.x);
  const guint8 *pixels = gdk_pixbuf_read_pixels(pixbuf(picture));
  const size_t row = (size_t)gdk_pixbuf_get_rowstride(pixbuf(picture));
  const size_t channels = (size_t)gdk_pixbuf_get_n_channels(pixbuf(picture));
  for (int32_t y = 0; y < inside.height; y++, target += stride) {
    const guint8 *in = pixels + (size_t)(inside.y + y) * row + (size_t)inside.x * channels;
    for (int32_t x = 0; x < inside.width; x++, in += channels) {
      const uint32_t alpha = channels == 4 ? in[3] : 255;
      target[x] = alpha << 24 | (in[0] * alpha + 127) / 255 << 16 | (in[1] * alpha + 127) / 255 << 8 |
                  (in[2] * alpha + 127) / 255;
    }
  }
}
