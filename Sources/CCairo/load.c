// SPDX-License-Identifier: Apache-2.0

#include "CCairo.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

struct parallax_cairo_functions parallax_cairo;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;
static char reason[256];

// Resolves the functions. Returns the first name that the library lacks, or NULL.
static const char *resolve(void *library) {
#define PARALLAX_CAIRO_RESOLVE(name)                                               \
  parallax_cairo.name = (__typeof__(&cairo_##name))dlsym(library, "cairo_" #name); \
  if (!parallax_cairo.name) return "cairo_" #name;
  PARALLAX_CAIRO_FUNCTIONS(PARALLAX_CAIRO_RESOLVE)
#undef PARALLAX_CAIRO_RESOLVE
  return NULL;
}

const char *parallax_cairo_load(void) {
  const char *result = NULL;
  pthread_mutex_lock(&lock);
  if (!is_loaded) {
    // Bound lazily: hardly any function of Cairo's own libraries is ever called.
    void *library = dlopen("libcairo.so.2", RTLD_LAZY | RTLD_LOCAL);
    const char *missing = library ? resolve(library) : NULL;
    if (!library) {
      const char *text = dlerror();
      snprintf(reason, sizeof reason, "%s", text ? text : "libcairo.so.2 cannot be loaded");
      result = reason;
    } else if (missing) {
      snprintf(reason, sizeof reason, "libcairo.so.2 is too old: it lacks %s", missing);
      dlclose(library);
      result = reason;
    } else {
      is_loaded = true;
    }
  }
  pthread_mutex_unlock(&lock);
  return result;
}
