// SPDX-License-Identifier: Apache-2.0
// yardstick IN OUT TIME-COLUMN X-COLUMN Y-COLUMN TIME-UNIT: what `parallax replay --rate native --scale 12
// --range=-20:20 --smoothing ema:0.12` does with a clean recording, in a plain loop. TIME-UNIT is s, or ns for
// integers.
//
// Blocks of 256 KiB; numbers exactly rounded (Clinger 1990, else std::from_chars); t with 9 and px with 6
// decimals, a digit at a time. No checks: a recording that is not clean gives nonsense.
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static const double powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static inline const char *number(const char *at, const char *end, double &value) {
  const char *start = at;
  bool negative = false;
  if (*at == '-') {
    negative = true;
    at++;
  }
  uint64_t mantissa = 0;
  int digits = 0, exponent = 0;
  unsigned digit;
  while ((digit = (unsigned char)*at - '0') < 10) {
    mantissa = mantissa * 10 + digit;
    digits++;
    at++;
  }
  if (*at == '.') {
    at++;
    const char *fraction = at;
    while ((digit = (unsigned char)*at - '0') < 10) {
      mantissa = mantissa * 10 + digit;
      at++;
    }
    exponent = -(int)(at - fraction);
    digits += at - fraction;
  }
  if ((*at | 32) == 'e') {
    at++;
    bool down = false;
    if (*at == '-') {
      down = true;
      at++;
    } else if (*at == '+') {
      at++;
    }
    int written = 0;
    while ((digit = (unsigned char)*at - '0') < 10) {
      written = written * 10 + digit;
      at++;
    }
    exponent += down ? -written : written;
  }
  if (digits <= 19 && mantissa <= (1ull << 53) && exponent >= -22 && exponent <= 22) {
    double magnitude = (double)mantissa;
    magnitude = exponent < 0 ? magnitude / powers[-exponent] : magnitude * powers[exponent];
    value = negative ? -magnitude : magnitude;
    return at;
  }
  return std::from_chars(start, end, value).ptr;
}

// Writes a number with `decimals` decimals; `unit` is 10 to that power.
template <int decimals, uint64_t unit>
static inline char *print(char *at, double value) {
  if (value < 0) {
    *at++ = '-';
    value = -value;
  }
  uint64_t scaled = (uint64_t)(value * (double)unit + 0.5);
  uint64_t whole = scaled / unit, fraction = scaled % unit;
  at = std::to_chars(at, at + 20, whole).ptr;
  *at++ = '.';
  for (int place = decimals - 1; place >= 0; place--) {
    at[place] = '0' + fraction % 10;
    fraction /= 10;
  }
  return at + decimals;
}

static double clamp(double value) {
  return value < -20 ? -20 : value > 20 ? 20 : value;
}

int main(int count, char **arguments) {
  const size_t block = 1 << 18, longest_line = 65536;
  if (count != 7) return 64;
  int in = open(arguments[1], O_RDONLY);
  int out = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int time_column = atoi(arguments[3]), x_column = atoi(arguments[4]), y_column = atoi(arguments[5]);
  bool is_integer = !strcmp(arguments[6], "ns");
  int last = time_column > x_column ? time_column : x_column;
  if (y_column > last) last = y_column;

  char *input = (char *)malloc(block + longest_line + 64), *output = (char *)malloc(block + 256);
  char *writing = output;
  memcpy(writing, "t,x,y\n", 6);
  writing += 6;
  double previous = 0, smooth_x = 0, smooth_y = 0, origin = 0;
  int64_t integer_origin = 0;
  bool is_first = true, has_header = true;
  size_t kept = 0;
  for (;;) {
    ssize_t size = read(in, input + kept, block);
    if (size < 0) return 1;
    size_t total = kept + size;
    char *newline = size ? (char *)memrchr(input, '\n', total) : input + total - 1;
    if (!newline) {
      kept = total;
      if (kept > longest_line) return 3;
      continue;
    }
    const char *at = input, *end = newline + 1;
    if (end < at) end = at;
    if (has_header && at < end) {
      at = (const char *)memchr(at, '\n', end - at) + 1;
      has_header = false;
    }
    while (at < end) {
      double time = 0, x = 0, y = 0;
      for (int column = 0; column <= last; column++) {
        if (column == time_column && is_integer) {
          int64_t nanoseconds = 0;
          at = std::from_chars(at, end, nanoseconds).ptr;
          if (is_first) integer_origin = nanoseconds;
          time = (nanoseconds - integer_origin) * 1e-9;
        } else if (column == time_column || column == x_column || column == y_column) {
          double value = 0;
          at = number(at, end, value);
          if (column == time_column) time = value;
          if (column == x_column) x = value;
          if (column == y_column) y = value;
        } else {
          while (at < end && *at != ',' && *at != '\n') at++;
        }
        if (at < end && *at == ',') at++;
      }
      const char *next = (const char *)memchr(at, '\n', end - at);
      at = next ? next + 1 : end;
      if (is_first && !is_integer) origin = time;
      if (!is_integer) time -= origin;
      x = clamp(12 * x);
      y = clamp(12 * y);
      if (is_first) {
        smooth_x = x;
        smooth_y = y;
        is_first = false;
      } else {
        double interval = time - previous;
        double share = interval > 0 ? -std::expm1(-interval / 0.12) : 0;
        smooth_x += share * (x - smooth_x);
        smooth_y += share * (y - smooth_y);
      }
      previous = time;
      writing = print<9, 1000000000>(writing, time);
      *writing++ = ',';
      writing = print<6, 1000000>(writing, smooth_x);
      *writing++ = ',';
      writing = print<6, 1000000>(writing, smooth_y);
      *writing++ = '\n';
      if (writing - output > (ptrdiff_t)block - 128) {
        if (write(out, output, writing - output) < 0) return 1;
        writing = output;
      }
    }
    if (!size) break;
    kept = input + total - end;
    memmove(input, end, kept);
  }
  if (write(out, output, writing - output) < 0) return 1;
}
