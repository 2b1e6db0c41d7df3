// SPDX-License-Identifier: Apache-2.0

#include "CLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

// Returns the first name that the library lacks, or NULL.
static const char *resolve(const struct parallax_library *library, void *handle) {
  for (size_t index = 0; index < library->count; index++) {
    const struct parallax_symbol *symbol = &library->symbols[index];
    *symbol->place = dlsym(handle, symbol->name);
    if (!*symbol->place) return symbol->name;
  }
  return NULL;
}

const char *parallax_library_load(struct parallax_library *library) {
  const char *result = NULL;
  pthread_mutex_lock(&library->lock);
  if (!library->is_loaded) {
    // Bound lazily: hardly any function of the library's own libraries is ever called.
    void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
    const char *missing = handle ? resolve(library, handle) : NULL;
    if (!handle) {
      const char *text = dlerror();
      snprintf(library->reason, sizeof library->reason, "%s", text ? text : "the library was not loaded");
      result = library->reason;
    } else if (missing) {
      snprintf(
        library->reason, sizeof library->reason, "%s is too old: it lacks %s", library->file, missing);
      dlclose(handle);
      result = library->reason;
    } else {
      library->is_loaded = true;
    }
  }
  pthread_mutex_unlock(&library->lock);
  return result;
}
