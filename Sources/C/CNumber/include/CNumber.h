// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Parses all of first[0..<length] as a decimal number, correctly rounded, with a decimal point in
/// every locale. A leading plus, hexadecimal numbers, inf and nan are not accepted.
///
/// Returns 0 and sets *value; 1 if the text is not a number; 2 if the number is too large or too
/// small for a double. *value is set only for 0.
int parallax_number_parse(const char *first, size_t length, double *value);

#ifdef __cplusplus
}
#endif
