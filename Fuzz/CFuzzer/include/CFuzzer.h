// SPDX-License-Identifier: Apache-2.0

// libFuzzer as a library: the entry point for a custom main. The compiler adds the rest with
// -sanitize=fuzzer.
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*each)(const uint8_t *data, size_t size));

// strtod in the C locale, for comparison.
double parallax_strtod(const char *text, char **end);
