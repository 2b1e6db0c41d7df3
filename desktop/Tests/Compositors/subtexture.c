// SPDX-License-Identifier: Apache-2.0

// For sway before 1.9, loaded with LD_PRELOAD. The software renderer of wlroots 0.15 and 0.16 ignores where in a
// buffer the part begins that a surface shows (wp_viewport.set_source), and draws what is around it, too. Its
// other renderers, and newer ones, do not. This draws the whole buffer where it belongs and lets the part through.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// As in wlroots 0.15 and 0.16.
struct wlr_box { int x, y, width, height; };
struct wlr_fbox { double x, y, width, height; };
struct wlr_texture { const void *impl; uint32_t width, height; };

typedef void scissor_function(void *renderer, struct wlr_box *box);
typedef bool render_function(
    void *renderer, struct wlr_texture *texture, const struct wlr_fbox *box, const float matrix[9], float alpha);

static struct wlr_box limits;
static bool is_limited;

void wlr_renderer_scissor(void *renderer, struct wlr_box *box) {
  static scissor_function *original;
  if (!original) original = (scissor_function *)dlsym(RTLD_NEXT, "wlr_renderer_scissor");
  is_limited = box != NULL;
  if (box) limits = *box;
  original(renderer, box);
}

bool wlr_render_subtexture_with_matrix(
    void *renderer, struct wlr_texture *texture, const struct wlr_fbox *box, const float matrix[9], float alpha) {
  static render_function *original;
  if (!original) original = (render_function *)dlsym(RTLD_NEXT, "wlr_render_subtexture_with_matrix");
  // Where the part is drawn, in pixels.
  const double x0 = matrix[2], x1 = matrix[0] + matrix[1] + matrix[2];
  const double y0 = matrix[5], y1 = matrix[3] + matrix[4] + matrix[5];
  int left = (int)round(fmin(x0, x1)), right = (int)round(fmax(x0, x1));
  int top = (int)round(fmin(y0, y1)), bottom = (int)round(fmax(y0, y1));
  const struct wlr_box before = limits;
  const bool was_limited = is_limited;
  if (was_limited) {
    left = left > before.x ? left : before.x;
    top = top > before.y ? top : before.y;
    right = right < before.x + before.width ? right : before.x + before.width;
    bottom = bottom < before.y + before.height ? bottom : before.y + before.height;
  }
  if (right <= left || bottom <= top) return true;
  // The matrix maps the unit square to that place; this one maps the whole buffer's.
  float whole[9];
  memcpy(whole, matrix, sizeof whole);
  const double width = texture->width / box->width, height = texture->height / box->height;
  for (int row = 0; row < 6; row += 3) {
    whole[row + 2] = (float)(matrix[row + 2] - matrix[row] * box->x / box->width - matrix[row + 1] * box->y / box->height);
    whole[row] = (float)(matrix[row] * width);
    whole[row + 1] = (float)(matrix[row + 1] * height);
  }
  const struct wlr_fbox all = {0, 0, texture->width, texture->height};
  struct wlr_box part = {left, top, right - left, bottom - top};
  wlr_renderer_scissor(renderer, &part);
  const bool is_drawn = original(renderer, texture, &all, whole, alpha);
  struct wlr_box restored = before;
  wlr_renderer_scissor(renderer, was_limited ? &restored : NULL);
  return is_drawn;
}
