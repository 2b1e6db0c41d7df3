// SPDX-License-Identifier: Apache-2.0

// A counting malloc for tests. The dynamic linker finds the symbols of the test program before those
// of glibc, which keeps its own as __libc_*. Each thread has its own count: tests that run in parallel
// do not affect it.
#include "CAllocationCount.h"
#include <errno.h>
#include <malloc.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

static __thread uint64_t count __attribute__((tls_model("initial-exec")));

uint64_t parallax_allocations_of_this_thread(void) { return count; }

#if defined(__GLIBC__)
uint64_t parallax_live_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#else
uint64_t parallax_live_heap_bytes(void) { return 0; }
#endif

#if defined(SANITIZED) || !defined(__GLIBC__)

bool parallax_allocations_are_counted(void) { return false; }

#else

bool parallax_allocations_are_counted(void) { return true; }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  count += 1;
  return __libc_malloc(size);
}

void *calloc(size_t members, size_t size) {
  count += 1;
  return __libc_calloc(members, size);
}

void *realloc(void *old, size_t size) {
  count += 1;
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
  count += 1;
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *place = memory;
  return 0;
}

#endif
