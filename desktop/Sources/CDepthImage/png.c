// SPDX-License-Identifier: Apache-2.0

#include "CDepthImage.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int begins(const char *path, size_t offset, const void *bytes, size_t count) {
  unsigned char start[32];
  FILE *file = fopen(path, "rbe");
  if (!file) return 0;
  const size_t got = fread(start, 1, sizeof start, file);
  fclose(file);
  return offset + count <= got && memcmp(start + offset, bytes, count) == 0;
}

int cdepth_is_png(const char *path) { return begins(path, 0, "\x89PNG\r\n\x1a\n", 8); }

int cdepth_is_heif(const char *path) { return begins(path, 4, "ftyp", 4); }

void cdepth_free(CDepthImage image) { free(image.values); }

static void fail(png_structp png, png_const_charp text) {
  CDepthImage *image = png_get_error_ptr(png);
  if (!image->message[0]) snprintf(image->message, sizeof image->message, "the image is damaged: %s", text);
  longjmp(png_jmpbuf(png), 1);
}

static void ignore(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

// What libpng needs longjmp for has a function of its own, whose variables do not change after setjmp.
static void read(png_structp png, png_infop info, CDepthImage *image, png_bytepp *rows, int64_t max_pixels) {
  if (setjmp(png_jmpbuf(png))) {
    free(image->values);
    image->values = NULL;
    return;
  }
  png_read_info(png, info);
  const int64_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
  if (width * height > max_pixels) {
    snprintf(image->message, sizeof image->message, "%lld x %lld pixels are too many; scale it down", (long long)width,
             (long long)height);
    longjmp(png_jmpbuf(png), 1);
  }
  png_set_expand(png);
  png_set_expand_16(png);
  png_set_strip_alpha(png);
  if (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR)
    png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT, PNG_RGB_TO_GRAY_DEFAULT);
  if (BYTE_ORDER == LITTLE_ENDIAN) png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  image->values = calloc((size_t)(width * height), sizeof *image->values);
  *rows = calloc((size_t)height, sizeof **rows);
  if (!image->values || !*rows || png_get_rowbytes(png, info) != (size_t)width * 2)
    png_error(png, "not enough memory");
  for (int64_t y = 0; y < height; y++) (*rows)[y] = (png_bytep)(image->values + y * width);
  png_read_image(png, *rows);
  png_read_end(png, NULL);
  image->width = (int32_t)width;
  image->height = (int32_t)height;
}

CDepthImage cdepth_png(const char *path, int64_t max_pixels) {
  CDepthImage image = {0};
  FILE *file = fopen(path, "rbe");
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &image, fail, ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (file && info) {
    png_bytepp rows = NULL;
    png_init_io(png, file);
    read(png, info, &image, &rows, max_pixels);
    free(rows);
  } else {
    snprintf(image.message, sizeof image.message, "cannot be opened");
  }
  png_destroy_read_struct(&png, &info, NULL);
  if (file) fclose(file);
  return image;
}
