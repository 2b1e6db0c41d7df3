// SPDX-License-Identifier: Apache-2.0

#include "CCairo.h"

#include <CLibrary.h>
#include <stdbool.h>

struct parallax_cairo_functions parallax_cairo;

static const struct parallax_symbol symbols[] = {
#define PARALLAX_CAIRO_SYMBOL(name) {"cairo_" #name, (void **)&parallax_cairo.name},
  PARALLAX_CAIRO_FUNCTIONS(PARALLAX_CAIRO_SYMBOL)
#undef PARALLAX_CAIRO_SYMBOL
};

static struct parallax_library library = {
  .file = "libcairo.so.2",
  .symbols = symbols,
  .count = sizeof symbols / sizeof *symbols,
  .lock = PTHREAD_MUTEX_INITIALIZER,
};

const char *parallax_cairo_load(void) { return parallax_library_load(&library); }
