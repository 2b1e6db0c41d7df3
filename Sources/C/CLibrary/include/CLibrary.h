// SPDX-License-Identifier: Apache-2.0

// A shared library that is loaded when it is first needed: a program without it runs, and a start costs
// nothing.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

// A function of the library, and the pointer that receives its address.
struct parallax_symbol {
  const char *_Nonnull name;
  void *_Nullable *_Nonnull place;
};

struct parallax_library {
  const char *_Nonnull file;
  const struct parallax_symbol *_Nonnull symbols;
  size_t count;
  pthread_mutex_t lock;
  bool is_loaded;
  char reason[256];
};

// Loads the library and its functions unless they are there. Returns NULL, or why that failed; a later
// call tries again.
const char *_Nullable parallax_library_load(struct parallax_library *_Nonnull library);
