#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Heap allocations that the calling thread has made (malloc, calloc, realloc, aligned_alloc,
/// posix_memalign), counted because the test program's own malloc stands before the C library's.
uint64_t parallax_allocations_of_this_thread(void);

/// False where something else (a sanitizer) has to own malloc: nothing is counted then.
bool parallax_allocations_are_counted(void);
