// SPDX-License-Identifier: Apache-2.0

#include "CNumber.h"

#include <charconv>
#include <system_error>

extern "C" int parallax_number_parse(const char *first, size_t length, double *value) {
  const char *last = first + length;
  const char *digits = first != last && *first == '-' ? first + 1 : first;
  if (digits == last || !((*digits >= '0' && *digits <= '9') || *digits == '.')) return 1;
  double parsed = 0;
  const auto result = std::from_chars(first, last, parsed, std::chars_format::general);
  if (result.ptr != last || result.ec == std::errc::invalid_argument) return 1;
  if (result.ec == std::errc::result_out_of_range) return 2;
  *value = parsed;
  return 0;
}
