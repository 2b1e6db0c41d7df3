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

// The pixels of a picture: rows of `stride` pixels, 0xAARRGGBB with premultiplied alpha, as
// WL_SHM_FORMAT_ARGB8888.
typedef struct {
  uint32_t *_Nullable pixels;  // NULL after an error.
  int32_t width;
  int32_t height;
  int32_t stride;
  void *_Nullable owner;  // For cpixbuf_close.
} CPixbufPicture;

// Decodes a picture at a size of width x height pixels. SVG is drawn at that size. After an error there are no
// pixels, but a message. Several threads may call it at once.
CPixbufPicture cpixbuf_open(
    const char *_Nonnull path, int32_t width, int32_t height, char *_Nonnull message, int32_t message_size);

// Releases the pixels.
void cpixbuf_close(void *_Nonnull owner);

// Writes a PNG of rows as above, without a gap between them. Returns 1, or 0 with a message.
int cpixbuf_save(
    const char *_Nonnull path, const uint32_t *_Nonnull pixels, int32_t width, int32_t height, char *_Nonnull message,
    int32_t message_size);
