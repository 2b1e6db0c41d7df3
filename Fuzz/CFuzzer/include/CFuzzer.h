// libFuzzer as a library: the one entry point that a main of our own needs. The compiler brings the
// rest with -sanitize=fuzzer.
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*each)(const uint8_t *data, size_t size));
