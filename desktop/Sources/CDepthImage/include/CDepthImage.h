// SPDX-License-Identifier: Apache-2.0

// Gray images with 16 bits per pixel: depth maps. GdkPixbuf has only 8 bits.
#pragma once

#include <stdint.h>

typedef struct {
  uint16_t *_Nullable values;  // Rows of `width` values, 0...65535; NULL if there are none.
  int32_t width;
  int32_t height;
  char message[200];  // Why they cannot be read; empty if they can, or if the file has none.
} CDepthImage;

// Whether a file begins like a PNG.
int cdepth_is_png(const char *_Nonnull path);

// Reads a PNG of any kind as gray, at most max_pixels. Colors become their luminance, transparency is ignored.
CDepthImage cdepth_png(const char *_Nonnull path, int64_t max_pixels);

// Whether a file begins like one of the HEIF family (HEIC, AVIF).
int cdepth_is_heif(const char *_Nonnull path);

// Reads the depth image of the first photo in a HEIF file, near = large, turned and cropped as the file says.
// libheif is loaded when it is first needed. Without it, or without a depth image, there are neither values nor a
// message.
CDepthImage cdepth_heif(const char *_Nonnull path, int64_t max_pixels);

void cdepth_free(CDepthImage image);
