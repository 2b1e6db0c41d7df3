// SPDX-License-Identifier: Apache-2.0

#pragma once
// Cairo 1.16 (soname libcairo.so.2), loaded on first use: it needs sixteen other libraries, which cost
// every start of a program 2.5 ms and 2 MB, and only plots use it. Each function here calls the one with
// the same name after `parallax_`, with the types of <cairo.h>.
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The functions of Cairo in use: their names after `cairo_`.
#define PARALLAX_CAIRO_FUNCTIONS(X) \
  X(svg_surface_create_for_stream)  \
  X(svg_surface_set_document_unit)  \
  X(image_surface_create)           \
  X(image_surface_get_data)         \
  X(image_surface_get_stride)       \
  X(surface_write_to_png_stream)    \
  X(surface_flush)                  \
  X(surface_finish)                 \
  X(surface_status)                 \
  X(surface_destroy)                \
  X(status_to_string)               \
  X(create)                         \
  X(destroy)                        \
  X(status)                         \
  X(set_source_rgba)                \
  X(rectangle)                      \
  X(fill)                           \
  X(clip)                           \
  X(save)                           \
  X(restore)                        \
  X(move_to)                        \
  X(line_to)                        \
  X(stroke)                         \
  X(set_line_width)                 \
  X(set_line_cap)                   \
  X(set_line_join)                  \
  X(set_dash)                       \
  X(select_font_face)               \
  X(set_font_size)                  \
  X(show_text)                      \
  X(text_extents)                   \
  X(font_options_create)            \
  X(font_options_destroy)           \
  X(font_options_set_antialias)     \
  X(font_options_set_hint_style)    \
  X(font_options_set_hint_metrics)  \
  X(set_font_options)

struct parallax_cairo_functions {
#define PARALLAX_CAIRO_MEMBER(name) __typeof__(&cairo_##name) name;
  PARALLAX_CAIRO_FUNCTIONS(PARALLAX_CAIRO_MEMBER)
#undef PARALLAX_CAIRO_MEMBER
};

// Loads the library. May be called again, and from any thread. Returns NULL if it is loaded, which
// it remains, else the reason in dlopen's words, which is valid forever.
const char *parallax_cairo_load(void);

// Valid once `parallax_cairo_load` returned NULL.
extern struct parallax_cairo_functions parallax_cairo;

// MARK: - Calls through the table, for Swift

// Takes bytes of a document. Returns whether they have been stored.
typedef cairo_status_t (*parallax_cairo_writer)(
    void *closure, const unsigned char *data, unsigned int length);

// An SVG document in px, or an image of 32 bits per pixel.
static inline cairo_surface_t *parallax_cairo_svg(
    parallax_cairo_writer write, void *closure, double width, double height) {
  cairo_surface_t *surface =
      parallax_cairo.svg_surface_create_for_stream(write, closure, width, height);
  parallax_cairo.svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
  return surface;
}
static inline cairo_surface_t *parallax_cairo_image(int width, int height) {
  return parallax_cairo.image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
}
// The rows of an image from top to bottom, each pixel a native uint32_t 0xAARRGGBB; NULL on failure.
static inline const unsigned char *parallax_cairo_image_rows(cairo_surface_t *surface, int *stride) {
  parallax_cairo.surface_flush(surface);
  *stride = parallax_cairo.image_surface_get_stride(surface);
  return parallax_cairo.image_surface_get_data(surface);
}
static inline cairo_status_t parallax_cairo_write_png(
    cairo_surface_t *surface, parallax_cairo_writer write, void *closure) {
  return parallax_cairo.surface_write_to_png_stream(surface, write, closure);
}
static inline cairo_status_t parallax_cairo_surface_finish(cairo_surface_t *surface) {
  parallax_cairo.surface_finish(surface);
  return parallax_cairo.surface_status(surface);
}
static inline void parallax_cairo_surface_destroy(cairo_surface_t *surface) {
  parallax_cairo.surface_destroy(surface);
}
static inline const char *parallax_cairo_status_to_string(cairo_status_t status) {
  return parallax_cairo.status_to_string(status);
}

// A context with round lines and text that is placed alike on every machine.
static inline cairo_t *parallax_cairo_create(cairo_surface_t *surface) {
  cairo_t *context = parallax_cairo.create(surface);
  parallax_cairo.set_line_cap(context, CAIRO_LINE_CAP_ROUND);
  parallax_cairo.set_line_join(context, CAIRO_LINE_JOIN_ROUND);
  cairo_font_options_t *options = parallax_cairo.font_options_create();
  parallax_cairo.font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  parallax_cairo.font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  parallax_cairo.font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  parallax_cairo.set_font_options(context, options);
  parallax_cairo.font_options_destroy(options);
  return context;
}
static inline cairo_status_t parallax_cairo_status(cairo_t *context) {
  return parallax_cairo.status(context);
}
static inline void parallax_cairo_destroy(cairo_t *context) { parallax_cairo.destroy(context); }
static inline void parallax_cairo_set_color(
    cairo_t *context, double red, double green, double blue, double alpha) {
  parallax_cairo.set_source_rgba(context, red, green, blue, alpha);
}
static inline void parallax_cairo_rectangle(
    cairo_t *context, double x, double y, double width, double height) {
  parallax_cairo.rectangle(context, x, y, width, height);
}
static inline void parallax_cairo_fill(cairo_t *context) { parallax_cairo.fill(context); }
// Limits drawing to a rectangle until `parallax_cairo_end_clip`.
static inline void parallax_cairo_begin_clip(
    cairo_t *context, double x, double y, double width, double height) {
  parallax_cairo.save(context);
  parallax_cairo.rectangle(context, x, y, width, height);
  parallax_cairo.clip(context);
}
static inline void parallax_cairo_end_clip(cairo_t *context) { parallax_cairo.restore(context); }
static inline void parallax_cairo_move_to(cairo_t *context, double x, double y) {
  parallax_cairo.move_to(context, x, y);
}
static inline void parallax_cairo_line_to(cairo_t *context, double x, double y) {
  parallax_cairo.line_to(context, x, y);
}
// Draws the path. A dash of 0 is a solid line.
static inline void parallax_cairo_stroke(cairo_t *context, double width, double dash) {
  double dashes[2] = {dash, dash};
  parallax_cairo.set_dash(context, dashes, dash > 0 ? 2 : 0, 0);
  parallax_cairo.set_line_width(context, width);
  parallax_cairo.stroke(context);
}
static inline void parallax_cairo_set_font(cairo_t *context, double size, int is_bold) {
  parallax_cairo.select_font_face(
      context, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
      is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  parallax_cairo.set_font_size(context, size);
}
static inline double parallax_cairo_text_width(cairo_t *context, const char *text) {
  cairo_text_extents_t extents;
  parallax_cairo.text_extents(context, text, &extents);
  return extents.x_advance;
}
static inline void parallax_cairo_show_text(cairo_t *context, const char *text) {
  parallax_cairo.show_text(context, text);
}

#ifdef __cplusplus
}
#endif
