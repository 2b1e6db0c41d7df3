// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CPixbuf.h"

#include <errno.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What an image of a format that no loader knows needs.
static const char *missing_loader(const char *path) {
  char start[12] = {0};
  FILE *file = fopen(path, "rbe");
  if (file) {
    if (fread(start, 1, sizeof start, file) < sizeof start) memset(start, 0, sizeof start);
    fclose(file);
  }
  if (memcmp(start, "RIFF", 4) == 0 && memcmp(start + 8, "WEBP", 4) == 0)
    return "a WebP image, which needs the package webp-pixbuf-loader";
  if (memcmp(start + 4, "ftyp", 4) == 0) return "a HEIC or AVIF image, which needs the package heif-gdk-pixbuf";
  return "not an image, or of a format without a loader (loaders: gdk-pixbuf-query-loaders)";
}

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
    if (error->code == GDK_PIXBUF_ERROR_UNKNOWN_TYPE) return missing_loader(path);
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

// Turns R, G, B, A bytes into 0xAARRGGBB with premultiplied alpha, where they are.
static void premultiply(guint8 *bytes, int32_t width, int32_t height, size_t stride) {
  for (int32_t y = 0; y < height; y++) {
    guint8 *in = bytes + (size_t)y * stride;
    uint32_t *out = (uint32_t *)(void *)in;
    for (int32_t x = 0; x < width; x++, in += 4) {
      const uint32_t alpha = in[3], red = in[0], green = in[1], blue = in[2];
      // Most pixels are opaque or transparent.
      if (alpha == 0)
        out[x] = 0;
      else if (alpha == 255)
        out[x] = alpha << 24 | red << 16 | green << 8 | blue;
      else
        out[x] = alpha << 24 | (red * alpha + 127) / 255 << 16 | (green * alpha + 127) / 255 << 8 |
                 (blue * alpha + 127) / 255;
    }
  }
}

CPixbufPicture cpixbuf_open(const char *path, int32_t width, int32_t height, char *message, int32_t size) {
  GError *error = NULL;
  GdkPixbuf *pixbuf = is_regular(path) ? gdk_pixbuf_new_from_file_at_scale(path, width, height, FALSE, &error) : NULL;
  if (pixbuf && is_stored_sideways(pixbuf)) {
    g_object_unref(pixbuf);
    pixbuf = gdk_pixbuf_new_from_file_at_scale(path, height, width, FALSE, &error);
  }
  if (!pixbuf) {
    fail(message, size, path, error);
    return (CPixbufPicture){0};
  }
  GdkPixbuf *upright = gdk_pixbuf_apply_embedded_orientation(pixbuf);
  g_object_unref(pixbuf);
  if (upright && !gdk_pixbuf_get_has_alpha(upright)) {
    GdkPixbuf *opaque = upright;
    upright = gdk_pixbuf_add_alpha(opaque, FALSE, 0, 0, 0);
    g_object_unref(opaque);
  }
  guint8 *bytes = upright ? gdk_pixbuf_get_pixels(upright) : NULL;
  if (!bytes) {
    snprintf(message, (size_t)size, "not enough memory for the image");
    if (upright) g_object_unref(upright);
    return (CPixbufPicture){0};
  }
  // With 4 channels a row begins at a multiple of 4 bytes.
  const CPixbufPicture picture = {
    (uint32_t *)(void *)bytes, gdk_pixbuf_get_width(upright), gdk_pixbuf_get_height(upright),
    gdk_pixbuf_get_rowstride(upright) / 4, upright,
  };
  premultiply(bytes, picture.width, picture.height, (size_t)picture.stride * 4);
  return picture;
}

void cpixbuf_close(void *owner) { g_object_unref(owner); }

int cpixbuf_save(
    const char *path, const uint32_t *pixels, int32_t width, int32_t height, char *message, int32_t size) {
  GError *error = NULL;
  GdkPixbuf *pixbuf = gdk_pixbuf_new(GDK_COLORSPACE_RGB, TRUE, 8, width, height);
  if (!pixbuf) {
    snprintf(message, (size_t)size, "not enough memory for the image");
    return 0;
  }
  guint8 *bytes = gdk_pixbuf_get_pixels(pixbuf);
  const size_t stride = (size_t)gdk_pixbuf_get_rowstride(pixbuf);
  for (int32_t y = 0; y < height; y++) {
    guint8 *out = bytes + (size_t)y * stride;
    for (int32_t x = 0; x < width; x++, out += 4, pixels++) {
      const uint32_t alpha = *pixels >> 24, half = alpha / 2;
      const uint32_t red = *pixels >> 16 & 255, green = *pixels >> 8 & 255, blue = *pixels & 255;
      out[3] = (guint8)alpha;
      out[0] = (guint8)(alpha ? MIN(255, (red * 255 + half) / alpha) : 0);
      out[1] = (guint8)(alpha ? MIN(255, (green * 255 + half) / alpha) : 0);
      out[2] = (guint8)(alpha ? MIN(255, (blue * 255 + half) / alpha) : 0);
    }
  }
  // Level 3 is twice as fast as the default, and files are little larger.
  const int is_saved = gdk_pixbuf_save(pixbuf, path, "png", &error, "compression", "3", NULL);
  g_object_unref(pixbuf);
  if (is_saved) return 1;
  snprintf(message, (size_t)size, "%s", error ? error->message : "cannot be written");
  if (error) g_error_free(error);
  return 0;
}
