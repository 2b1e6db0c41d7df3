// SPDX-License-Identifier: Apache-2.0
// replay IN OUT TIME-COLUMN X-COLUMN Y-COLUMN TIME-UNIT FILTER: what `parallax replay --rate native --scale 12
// --range=-20:20` does with a clean recording, in the fewest steps. TIME-UNIT is s, or ns for integers. FILTER
// is none, ema (0.12 s), one-euro (1 Hz, 0.2) or spring (0.5 s, 0.825).
//
// Blocks of 256 KiB; numbers exactly rounded (Clinger 1990, else std::from_chars); t with 9 and px with 6
// decimals, two digits at a time. No checks: a recording that is not clean gives nonsense.
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static inline const char *number(const char *at, const char *end, double &value) {
  const char *start = at;
  const bool negative = *at == '-';
  at += negative;
  uint64_t mantissa = 0;
  int digits = 0, exponent = 0;
  unsigned digit;
  while ((digit = static_cast<unsigned char>(*at) - '0') < 10) mantissa = mantissa * 10 + digit, digits++, at++;
  if (*at == '.') {
    const char *fraction = ++at;
    while ((digit = static_cast<unsigned char>(*at) - '0') < 10) mantissa = mantissa * 10 + digit, at++;
    exponent = static_cast<int>(fraction - at);
    digits -= exponent;
  }
  if ((*at | 0x20) == 'e') {
    at++;
    const bool down = *at == '-';
    at += down || *at == '+';
    int written = 0;
    while ((digit = static_cast<unsigned char>(*at) - '0') < 10) written = written * 10 + static_cast<int>(digit), at++;
    exponent += down ? -written : written;
  }
  if (digits <= 19 && mantissa <= 1ull << 53 && exponent >= -22 && exponent <= 22) {
    double exact = static_cast<double>(mantissa);
    exact = exponent < 0 ? exact / powers[-exponent] : exact * powers[exponent];
    value = negative ? -exact : exact;
    return at;
  }
  return std::from_chars(start, end, value).ptr;
}

static char pairs[200];

static inline char *fixed(char *to, double value, double power, uint64_t unit, int decimals) {
  if (value < 0) *to++ = '-', value = -value;
  const auto scaled = static_cast<uint64_t>(value * power + 0.5);
  to = std::to_chars(to, to + 20, scaled / unit).ptr;
  *to++ = '.';
  uint64_t rest = scaled % unit;
  int at = decimals;
  for (; at >= 2; rest /= 100) memcpy(to + (at -= 2), pairs + rest % 100 * 2, 2);
  if (at) *to = static_cast<char>('0' + rest);
  return to + decimals;
}

struct Axis {
  double output = 0, speed = 0;
};

enum Filter { none, ema, one_euro, spring };

static const double tau = 2 * M_PI;

static inline double alpha(double cutoff, double dt) { return 1 / (1 + 1 / (tau * cutoff * dt)); }

template <Filter filter>
static inline void step(Axis &x, Axis &y, double in_x, double in_y, double dt) {
  if constexpr (filter == none) {
    x.output = in_x, y.output = in_y;
  } else if constexpr (filter == ema) {
    const double share = -std::expm1(-dt / 0.12);
    x.output += share * (in_x - x.output);
    y.output += share * (in_y - y.output);
  } else if constexpr (filter == one_euro) {
    const double derivative = alpha(1, dt);
    auto one = [&](Axis &axis, double in) {
      axis.speed += derivative * ((in - axis.output) / dt - axis.speed);
      axis.output += alpha(1 + 0.2 * std::fabs(axis.speed), dt) * (in - axis.output);
    };
    one(x, in_x), one(y, in_y);
  } else {
    const double w = tau / 0.5, z = 0.825, wd = w * std::sqrt(1 - z * z), decay = std::exp(-z * w * dt);
    const double c = std::cos(wd * dt), s = std::sin(wd * dt) / wd;
    auto one = [&](Axis &axis, double in) {
      const double distance = axis.output - in, speed = axis.speed;
      axis.output = in + decay * ((c + z * w * s) * distance + s * speed);
      axis.speed = decay * (-w * w * s * distance + (c - z * w * s) * speed);
    };
    one(x, in_x), one(y, in_y);
  }
}

static inline double clamp(double value) { return value < -20 ? -20 : value > 20 ? 20 : value; }

template <Filter filter>
static int run(char **given) {
  constexpr size_t block = 1 << 18;
  const int in = open(given[1], O_RDONLY), out = open(given[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (in < 0 || out < 0) return 1;
  const int time_column = atoi(given[3]), x_column = atoi(given[4]), y_column = atoi(given[5]);
  const bool nanoseconds = !strcmp(given[6], "ns");
  int last = time_column > x_column ? time_column : x_column;
  if (y_column > last) last = y_column;
  auto *text = static_cast<char *>(malloc(block + 65536));
  auto *lines = static_cast<char *>(malloc(block + 256)), *to = lines;
  memcpy(to, "t,x,y\n", 6), to += 6;
  size_t left = 0;
  bool header = true, first = true;
  double before = 0, origin = 0;
  int64_t start = 0;
  Axis x, y;
  for (;;) {
    const ssize_t got = read(in, text + left, block);
    if (got < 0) return 1;
    if (got == 0) break;
    const size_t filled = left + static_cast<size_t>(got);
    const char *at = text, *end = static_cast<char *>(memrchr(text, '\n', filled));
    if (!end) return 1;
    end++;
    if (header) at = static_cast<const char *>(memchr(at, '\n', filled)) + 1, header = false;
    while (at < end) {
      double time = 0, a = 0, b = 0;
      for (int column = 0; column <= last; column++) {
        if (column == time_column && nanoseconds) {
          int64_t stamp = 0;
          at = std::from_chars(at, end, stamp).ptr;
          if (first) start = stamp;
          time = static_cast<double>(stamp - start) * 1e-9;
        } else if (column == time_column) {
          at = number(at, end, time);
        } else if (column == x_column) {
          at = number(at, end, a);
        } else if (column == y_column) {
          at = number(at, end, b);
        } else {
          while (*at != ',' && *at != '\n') at++;
        }
        at += *at == ',';
      }
      at = static_cast<const char *>(memchr(at, '\n', static_cast<size_t>(end - at))) + 1;
      if (first) origin = time;
      time -= origin;
      const double in_x = clamp(12 * a), in_y = clamp(12 * b);
      if (first) {
        x.output = in_x, y.output = in_y, first = false;
      } else {
        step<filter>(x, y, in_x, in_y, time - before);
      }
      before = time;
      to = fixed(to, time, 1e9, 1000000000, 9), *to++ = ',';
      to = fixed(to, clamp(x.output), 1e6, 1000000, 6), *to++ = ',';
      to = fixed(to, clamp(y.output), 1e6, 1000000, 6), *to++ = '\n';
      if (to - lines > static_cast<ptrdiff_t>(block)) {
        if (write(out, lines, static_cast<size_t>(to - lines)) < 0) return 1;
        to = lines;
      }
    }
    left = static_cast<size_t>(text + filled - end);
    memmove(text, end, left);
  }
  return write(out, lines, static_cast<size_t>(to - lines)) < 0;
}

int main(int count, char **given) {
  if (count != 8) return 64;
  for (int i = 0; i < 100; i++) pairs[2 * i] = static_cast<char>('0' + i / 10), pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  const char *filter = given[7];
  return !strcmp(filter, "none")       ? run<none>(given)
         : !strcmp(filter, "ema")      ? run<ema>(given)
         : !strcmp(filter, "one-euro") ? run<one_euro>(given)
         : !strcmp(filter, "spring")   ? run<spring>(given)
                                       : 64;
}
