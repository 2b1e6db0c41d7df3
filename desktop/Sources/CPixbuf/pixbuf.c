// SPDX-License-Identifier: Apache-2.0

#include "CPixbuf.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(char message[256], GError *error) {
  snprintf(message, 256, "%s", error ? error->message : "not a picture");
  if (error) g_error_free(error);
}

static GdkPixbuf *upright(GdkPixbuf *stored) {
  GdkPixbuf *result = gdk_pixbuf_apply_embedded_orientation(stored);
  g_object_unref(stored);
  return result;
}

CPixbufSize cpixbuf_size(const char *path) {
  CPixbufSize size = {0};
  int width = 0, height = 0;
  GdkPixbufFormat *format = gdk_pixbuf_get_file_info(path, &width, &height);
  gchar *name = format ? gdk_pixbuf_format_get_name(format) : NULL;
  // Only a JPEG or TIFF may be stored turned, and then its header alone does not say so.
  int may_turn = name && (g_str_equal(name, "jpeg") || g_str_equal(name, "tiff"));
  g_free(name);
  if (format && !may_turn && width > 0 && height > 0) {
    size.width = width;
    size.height = height;
    return size;
  }
  GError *error = NULL;
  GdkPixbuf *pixbuf = gdk_pixbuf_new_from_file(path, &error);
  if (!pixbuf) {
    fail(size.message, error);
    return size;
  }
  pixbuf = upright(pixbuf);
  size.width = gdk_pixbuf_get_width(pixbuf);
  size.height = gdk_pixbuf_get_height(pixbuf);
  g_object_unref(pixbuf);
  return size;
}

static GdkPixbuf *load(const char *path, int width, int height, GError **error) {
  GdkPixbuf *pixbuf = gdk_pixbuf_new_from_file_at_scale(path, width, height, FALSE, error);
  if (!pixbuf) return NULL;
  const char *turn = gdk_pixbuf_get_option(pixbuf, "orientation");
  if (!turn || g_str_equal(turn, "1")) return pixbuf;
  // Turned pictures are scaled after they are turned.
  g_object_unref(pixbuf);
  pixbuf = gdk_pixbuf_new_from_file(path, error);
  if (!pixbuf) return NULL;
  pixbuf = upright(pixbuf);
  GdkPixbuf *scaled = gdk_pixbuf_scale_simple(pixbuf, width, height, GDK_INTERP_BILINEAR);
  g_object_unref(pixbuf);
  return scaled;
}

CPixbufImage cpixbuf_decode(const char *path, int32_t width, int32_t height) {
  CPixbufImage image = {0};
  GError *error = NULL;
  GdkPixbuf *pixbuf = load(path, width, height, &error);
  if (!pixbuf) {
    fail(image.message, error);
    return image;
  }
  image.width = gdk_pixbuf_get_width(pixbuf);
  image.height = gdk_pixbuf_get_height(pixbuf);
  image.pixels = malloc((size_t)image.width * (size_t)image.height * 4);
  if (!image.pixels) {
    snprintf(image.message, sizeof image.message, "no memory for %d x %d pixels", image.width, image.height);
    g_object_unref(pixbuf);
    return image;
  }
  const guint8 *rows = gdk_pixbuf_read_pixels(pixbuf);
  const int stride = gdk_pixbuf_get_rowstride(pixbuf), channels = gdk_pixbuf_get_n_channels(pixbuf);
  for (int y = 0; y < image.height; y++) {
    const guint8 *in = rows + (size_t)y * (size_t)stride;
    uint8_t *out = image.pixels + (size_t)y * (size_t)image.width * 4;
    for (int x = 0; x < image.width; x++, in += channels, out += 4) {
      const unsigned alpha = channels == 4 ? in[3] : 255;
      out[0] = (uint8_t)((in[2] * alpha + 127) / 255);
      out[1] = (uint8_t)((in[1] * alpha + 127) / 255);
      out[2] = (uint8_t)((in[0] * alpha + 127) / 255);
      out[3] = (uint8_t)alpha;
    }
  }
  g_object_unref(pixbuf);
  return image;
}

void cpixbuf_free(CPixbufImage image) { free(image.pixels); }
