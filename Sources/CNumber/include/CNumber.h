#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a decimal number that takes all of first[0..<length], correctly rounded, with a point and
/// in no locale. A leading plus, hexadecimal, inf and nan are not read.
///
/// Returns 0 and sets *value, 1 if the text is no number, 2 if the number is too large or too
/// small for a double (*value is left alone).
int parallax_number_parse(const char *first, size_t length, double *value);

#ifdef __cplusplus
}
#endif
