// SPDX-License-Identifier: Apache-2.0

// Pictures of every format that GdkPixbuf has a loader for: PNG, JPEG, SVG, WebP and others.
#pragma once

#include <stdint.h>

typedef struct {
  int32_t width;
  int32_t height;
  int32_t is_drawn;   // 1 if the file has shapes instead of pixels (SVG).
  char message[256];  // Why it cannot be read; empty if it can.
} CPixbufSize;

// Returns the size in pixels, without decoding them. A photo that is stored turned (EXIF) counts as it is
// shown.
CPixbufSize cpixbuf_size(const char *_Nonnull path);

// A decoded picture.
typedef struct CPixbufPicture CPixbufPicture;

// Decodes a picture at a size of width x height pixels. SVG is drawn at that size. Returns NULL after an
// error, with its message.
CPixbufPicture *_Nullable cpixbuf_open(
    const char *_Nonnull path, int32_t width, int32_t height, char *_Nonnull message, int32_t message_size);

void cpixbuf_close(CPixbufPicture *_Nonnull picture);

// Returns the size of a decoded picture.
int32_t cpixbuf_width(const CPixbufPicture *_Nonnull picture);
int32_t cpixbuf_height(const CPixbufPicture *_Nonnull picture);

typedef struct {
  int32_t x, y, width, height;
} CPixbufRect;

// Returns the smallest rectangle with all pixels of a part that are not transparent.
CPixbufRect cpixbuf_content(const CPixbufPicture *_Nonnull picture, CPixbufRect part);

// Copies a part to rows of `stride` pixels: 0xAARRGGBB with premultiplied alpha, as WL_SHM_FORMAT_ARGB8888.
void cpixbuf_copy(
    const CPixbufPicture *_Nonnull picture, CPixbufRect part, uint32_t *_Nonnull target, int32_t stride);
