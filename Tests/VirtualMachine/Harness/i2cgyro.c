// SPDX-License-Identifier: Apache-2.0

// i2cgyro BUS ADDRESS REGISTER UNIT HZ AMPLITUDE: keeps the three registers of a gyroscope in motion, which
// i2c-stub holds on BUS: 16 bits each, little-endian, in UNIT rad/s. A sine of x, its cosine of y, half of twice
// the frequency of z.
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int write_byte(int bus, int number, uint8_t value) {
  union i2c_smbus_data data = {.byte = value};
  struct i2c_smbus_ioctl_data request = {I2C_SMBUS_WRITE, number, I2C_SMBUS_BYTE_DATA, &data};
  return ioctl(bus, I2C_SMBUS, &request);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int count, char **arguments) {
  if (count != 7) {
    fprintf(stderr, "usage: i2cgyro BUS ADDRESS REGISTER UNIT HZ AMPLITUDE\n");
    return 2;
  }
  char path[40];
  snprintf(path, sizeof path, "/dev/i2c-%s", arguments[1]);
  int first = strtol(arguments[3], NULL, 0);
  double unit = atof(arguments[4]), hertz = atof(arguments[5]), amplitude = atof(arguments[6]);
  int bus = open(path, O_RDWR);
  if (bus < 0 || ioctl(bus, I2C_SLAVE_FORCE, strtol(arguments[2], NULL, 0)) < 0) {
    perror(path);
    return 1;
  }
  for (double begin = now();; usleep(5000)) {
    double phase = 2 * M_PI * hertz * (now() - begin);
    double axes[3] = {amplitude * sin(phase), amplitude * cos(phase), amplitude / 2 * sin(2 * phase)};
    for (int axis = 0; axis < 3; axis++) {
      // By bytes: i2c-stub keeps words and bytes apart.
      uint16_t value = lrint(axes[axis] / unit);
      if (write_byte(bus, first + 2 * axis, value & 255) < 0 ||
          write_byte(bus, first + 2 * axis + 1, value >> 8) < 0) {
        perror("writing a register");
        return 1;
      }
    }
  }
}
