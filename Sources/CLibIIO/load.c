// SPDX-License-Identifier: Apache-2.0

#include "CLibIIO.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct parallax_iio_functions parallax_iio;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;
static char reason[256];

// Resolves the functions. Returns the first name that the library lacks, or NULL.
static const char *resolve(void *library) {
#define PARALLAX_IIO_RESOLVE(name)                                      \
  parallax_iio.name = (__typeof__(&iio_##name))dlsym(library, "iio_" #name); \
  if (!parallax_iio.name) return "iio_" #name;
  PARALLAX_IIO_FUNCTIONS(PARALLAX_IIO_RESOLVE)
#undef PARALLAX_IIO_RESOLVE
  return NULL;
}

const char *parallax_iio_load(void) {
  const char *result = NULL;
  pthread_mutex_lock(&lock);
  if (!is_loaded) {
    // Bound lazily: hardly any function of libiio's own libraries is ever called.
    void *library = dlopen("libiio.so.0", RTLD_LAZY | RTLD_LOCAL);
    const char *missing = library ? resolve(library) : NULL;
    if (!library) {
      const char *text = dlerror();
      snprintf(reason, sizeof reason, "%s", text ? text : "libiio.so.0 cannot be loaded");
      result = reason;
    } else if (missing) {
      snprintf(reason, sizeof reason, "libiio.so.0 is too old: it lacks %s", missing);
      dlclose(library);
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
