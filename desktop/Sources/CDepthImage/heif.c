// SPDX-License-Identifier: Apache-2.0

#include "CDepthImage.h"

#include <dlfcn.h>
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions of libheif. Few users have photos of this kind, so that the program is not linked with it.
#define FUNCTIONS(F) \
  F(heif_context_alloc) \
  F(heif_context_free) \
  F(heif_context_read_from_file) \
  F(heif_context_get_primary_image_handle) \
  F(heif_image_handle_release) \
  F(heif_image_handle_get_list_of_depth_image_IDs) \
  F(heif_image_handle_get_depth_image_handle) \
  F(heif_image_handle_get_depth_image_representation_info) \
  F(heif_depth_representation_info_free) \
  F(heif_decode_image) \
  F(heif_image_release) \
  F(heif_image_get_width) \
  F(heif_image_get_height) \
  F(heif_image_get_bits_per_pixel_range) \
  F(heif_image_get_plane_readonly)

typedef struct {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
} Heif;

static int load(Heif *heif) {
  void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define FIND(name) \
  *(void **)&heif->name = dlsym(library, #name); \
  if (!heif->name) return 0;
  FUNCTIONS(FIND)
  return 1;
}

// Copies a plane of 8 to 16 bits to 16 bits.
static void copy(const Heif *heif, struct heif_image *decoded, int is_distance, CDepthImage *image, int64_t max_pixels) {
  const enum heif_channel channel = heif_channel_Y;
  const int width = heif->heif_image_get_width(decoded, channel), height = heif->heif_image_get_height(decoded, channel);
  const int bits = heif->heif_image_get_bits_per_pixel_range(decoded, channel);
  int stride = 0;
  const uint8_t *plane = heif->heif_image_get_plane_readonly(decoded, channel, &stride);
  if (!plane || width <= 0 || height <= 0 || bits < 8 || bits > 16 || (int64_t)width * height > max_pixels) {
    snprintf(image->message, sizeof image->message, "its depth image is of an unknown kind");
    return;
  }
  image->values = calloc((size_t)width * (size_t)height, sizeof *image->values);
  if (!image->values) {
    snprintf(image->message, sizeof image->message, "not enough memory for the depth image");
    return;
  }
  image->width = width;
  image->height = height;
  const uint32_t most = (1u << bits) - 1;
  for (int y = 0; y < height; y++) {
    const uint8_t *row = plane + (size_t)y * (size_t)stride;
    for (int x = 0; x < width; x++) {
      uint16_t wide = 0;
      if (bits > 8) memcpy(&wide, row + 2 * x, 2);
      const uint32_t value = bits > 8 ? wide : row[x];
      const uint32_t scaled = (value > most ? most : value) * 65535u / most;
      image->values[(size_t)y * (size_t)width + (size_t)x] = (uint16_t)(is_distance ? 65535u - scaled : scaled);
    }
  }
}

static void read(const Heif *heif, struct heif_image_handle *photo, CDepthImage *image, int64_t max_pixels) {
  heif_item_id id = 0;
  if (heif->heif_image_handle_get_list_of_depth_image_IDs(photo, &id, 1) != 1) return;
  struct heif_image_handle *handle = NULL;
  struct heif_image *decoded = NULL;
  struct heif_error error = heif->heif_image_handle_get_depth_image_handle(photo, id, &handle);
  if (error.code == heif_error_Ok)
    // As it is stored: gray, or the luminance of a picture in color, which libheif does not always convert.
    error = heif->heif_decode_image(handle, &decoded, heif_colorspace_undefined, heif_chroma_undefined, NULL);
  if (error.code == heif_error_Ok) {
    const struct heif_depth_representation_info *info = NULL;
    int is_distance = 0;
    if (heif->heif_image_handle_get_depth_image_representation_info(photo, id, &info) && info) {
      // All other kinds have near = large.
      is_distance = info->depth_representation_type == heif_depth_representation_type_uniform_Z;
      heif->heif_depth_representation_info_free(info);
    }
    copy(heif, decoded, is_distance, image, max_pixels);
  } else {
    snprintf(image->message, sizeof image->message, "its depth image cannot be decoded: %s", error.message);
  }
  if (decoded) heif->heif_image_release(decoded);
  if (handle) heif->heif_image_handle_release(handle);
}

CDepthImage cdepth_heif(const char *path, int64_t max_pixels) {
  CDepthImage image = {0};
  Heif heif;
  if (!load(&heif)) return image;
  struct heif_context *context = heif.heif_context_alloc();
  struct heif_image_handle *photo = NULL;
  // The reader of the colors reports a file that cannot be read.
  if (context && heif.heif_context_read_from_file(context, path, NULL).code == heif_error_Ok &&
      heif.heif_context_get_primary_image_handle(context, &photo).code == heif_error_Ok) {
    read(&heif, photo, &image, max_pixels);
    heif.heif_image_handle_release(photo);
  }
  if (context) heif.heif_context_free(context);
  return image;
}
