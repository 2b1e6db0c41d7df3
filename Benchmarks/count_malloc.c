// SPDX-License-Identifier: Apache-2.0

// Counts the heap allocations of the program it is preloaded into and writes the count at exit:
//   cc -O2 -shared -fPIC -o count_malloc.so count_malloc.c
//   LD_PRELOAD=./count_malloc.so COUNT_MALLOC=FILE program
// Every call that may return a new block counts as one. glibc's internal functions do the allocating.
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ulong count;

static void add_one(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  add_one();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  add_one();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  add_one();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  add_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block == NULL ? 12 /* ENOMEM */ : 0;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("COUNT_MALLOC");
  if (path == NULL) return;
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  dprintf(file, "%lu\n", atomic_load(&count));
  close(file);
}
