// SPDX-License-Identifier: Apache-2.0

// reader DEVICE SECONDS: reads a gyroscope with libiio in the usual way, for comparison. Opens the buffer
// of DEVICE (name or id) at 30 Hz, waits for each scan with poll, refills by one scan and prints an offset
// line (5 px per rad/s) to standard output, for SECONDS. Exits with 0, or with 1 and a line on standard
// error. Contains no code of parallax.
#include <errno.h>
#include <iio.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define AXES 3

static int fail(const char *what, int code) {
  fprintf(stderr, "reader: %s: %s\n", what, strerror(code));
  return 1;
}

static double monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int count, char **arguments) {
  static const char *const names[AXES] = {"anglvel_x", "anglvel_y", "anglvel_z"};
  struct iio_channel *axes[AXES];
  if (count != 3) return fail("usage: reader DEVICE SECONDS", EINVAL);
  double end = monotonic_seconds() + atof(arguments[2]);

  struct iio_context *context = iio_create_local_context();
  if (!context) return fail("context", errno);
  struct iio_device *device = iio_context_find_device(context, arguments[1]);
  if (!device) return fail(arguments[1], ENODEV);
  for (int axis = 0; axis < AXES; axis++) {
    axes[axis] = iio_device_find_channel(device, names[axis], false);
    if (!axes[axis]) return fail(names[axis], ENOENT);
    iio_channel_enable(axes[axis]);
  }
  struct iio_channel *stamp = iio_device_find_channel(device, "timestamp", false);
  if (!stamp) return fail("timestamp", ENOENT);
  iio_channel_enable(stamp);
  iio_device_attr_write(device, "current_timestamp_clock", "monotonic");
  iio_channel_attr_write_double(axes[0], "sampling_frequency", 30);
  double scale = 0;
  int status = iio_channel_attr_read_double(axes[0], "scale", &scale);
  if (status < 0) return fail("scale", -status);

  struct iio_buffer *buffer = iio_device_create_buffer(device, 1, false);
  if (!buffer) return fail("buffer", errno);
  struct pollfd waiting = {.fd = iio_buffer_get_poll_fd(buffer), .events = POLLIN};
  while (monotonic_seconds() < end) {
    if (poll(&waiting, 1, 1000) <= 0) continue;
    ssize_t length = iio_buffer_refill(buffer);
    if (length < 0) return fail("refill", -length);
    int raw[AXES];
    long long nanoseconds;
    for (int axis = 0; axis < AXES; axis++)
      iio_channel_convert(axes[axis], &raw[axis], iio_buffer_first(buffer, axes[axis]));
    iio_channel_convert(stamp, &nanoseconds, iio_buffer_first(buffer, stamp));
    char line[160];
    int size = snprintf(
        line, sizeof line, "{\"class\":\"OFFSET\",\"time\":%lld.%09lld,\"x\":%.2f,\"y\":%.2f}\n",
        nanoseconds / 1000000000, nanoseconds % 1000000000, raw[1] * scale * 5, raw[0] * scale * 5);
    if (write(STDOUT_FILENO, line, size) != size) return fail("write", errno);
  }
  iio_buffer_destroy(buffer);
  iio_context_destroy(context);
  return 0;
}
