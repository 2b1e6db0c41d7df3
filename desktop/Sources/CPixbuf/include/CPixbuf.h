// SPDX-License-Identifier: Apache-2.0

// Pictures of every format that GdkPixbuf has a loader for: PNG, JPEG, SVG, WebP and others.
#pragma once

#include <stdint.h>

typedef struct {
  int32_t width;
  int32_t height;
  char message[256];  // Why it cannot be read; empty if it can.
} CPixbufSize;

// Returns the size in pixels. A photo that is stored turned (EXIF) counts as it is shown.
CPixbufSize cpixbuf_size(const char *_Nonnull path);

// A decoded picture: rows of 4 bytes a pixel in the order B, G, R, A, with premultiplied alpha, as
// WL_SHM_FORMAT_ARGB8888 wants them on a little-endian machine.
typedef struct {
  uint8_t *_Nullable pixels;  // To be freed with cpixbuf_free; NULL after an error.
  int32_t width;
  int32_t height;
  char message[256];
} CPixbufImage;

// Decodes a picture at a size of width x height pixels. SVG is drawn at that size.
CPixbufImage cpixbuf_decode(const char *_Nonnull path, int32_t width, int32_t height);

void cpixbuf_free(CPixbufImage image);
