// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Returns the number of heap allocations of the calling thread (malloc, calloc, realloc,
/// aligned_alloc, posix_memalign). The test program's own malloc counts them.
uint64_t parallax_allocations_of_this_thread(void);

/// Returns false if a sanitizer replaces malloc: then nothing is counted.
bool parallax_allocations_are_counted(void);

/// Returns the number of heap bytes in use by all threads; 0 if the C library is not glibc. A few freed blocks that
/// malloc keeps for a thread count, too.
uint64_t parallax_live_heap_bytes(void);
