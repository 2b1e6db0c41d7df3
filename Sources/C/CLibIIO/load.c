// SPDX-License-Identifier: Apache-2.0

#include "CLibIIO.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct parallax_iio_functions parallax_iio;

static const struct parallax_symbol symbols[] = {
#define PARALLAX_IIO_SYMBOL(name) {"iio_" #name, (void **)&parallax_iio.name},
  PARALLAX_IIO_FUNCTIONS(PARALLAX_IIO_SYMBOL)
#undef PARALLAX_IIO_SYMBOL
};

static struct parallax_library library = {
  .file = "libiio.so.0",
  .symbols = symbols,
  .count = sizeof symbols / sizeof *symbols,
  .lock = PTHREAD_MUTEX_INITIALIZER,
};

const char *parallax_iio_load(void) { return parallax_library_load(&library); }

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
