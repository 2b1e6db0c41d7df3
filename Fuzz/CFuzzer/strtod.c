// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CFuzzer.h"

#include <locale.h>
#include <stdlib.h>

double parallax_strtod(const char *text, char **end) {
  static locale_t locale;
  if (!locale) locale = newlocale(LC_ALL_MASK, "C", NULL);
  return strtod_l(text, end, locale);
}
