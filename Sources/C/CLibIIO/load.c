// SPDX-License-Identifier: Apache-2.0

#include "CLibIIO.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PARALLAX_IIO_FILE "libiio.so.0"

struct parallax_iio_functions parallax_iio;

// A function of the library, and the pointer that receives its address.
static const struct {
  const char *name;
  void **place;
} symbols[] = {
#define PARALLAX_IIO_SYMBOL(name) {"iio_" #name, (void **)&parallax_iio.name},
  PARALLAX_IIO_FUNCTIONS(PARALLAX_IIO_SYMBOL)
#undef PARALLAX_IIO_SYMBOL
};

// Returns the first name that the library lacks, or NULL.
static const char *resolve(void *handle) {
  for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
    *symbols[index].place = dlsym(handle, symbols[index].name);
    if (!*symbols[index].place) return symbols[index].name;
  }
  return NULL;
}

const char *parallax_iio_load(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool is_loaded;
  static char reason[256];
  const char *result = NULL;
  pthread_mutex_lock(&lock);
  if (!is_loaded) {
    // Bound lazily: hardly any function of the library's own libraries is ever called.
    void *handle = dlopen(PARALLAX_IIO_FILE, RTLD_LAZY | RTLD_LOCAL);
    const char *missing = handle ? resolve(handle) : NULL;
    if (!handle) {
      const char *text = dlerror();
      snprintf(reason, sizeof reason, "%s", text ? text : "the library was not loaded");
      result = reason;
    } else if (missing) {
      snprintf(reason, sizeof reason, PARALLAX_IIO_FILE " is too old: it lacks %s", missing);
      dlclose(handle);
      result = reason;
    } else {
      is_loaded = true;
    }
  }
  pthread_mutex_unlock(&lock);
  return result;
}

void parallax_iio_silence(void) {
#ifdef __GLIBC__
  // glibc's `stderr` is a variable and may be assigned (its manual, "Standard Streams").
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool is_silent;
  pthread_mutex_lock(&lock);
  if (!is_silent) {
    FILE *nowhere = fopen("/dev/null", "we");
    if (nowhere) {
      stderr = nowhere;
      is_silent = true;
    }
  }
  pthread_mutex_unlock(&lock);
#endif
}
