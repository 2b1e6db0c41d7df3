// SPDX-License-Identifier: Apache-2.0

// padgyro --ctl FIFO [--sine HZ AMPLITUDE | --const X Y Z] [--bias X Y Z] [--hz N] [--uniq TEXT] [--ds4]: a DualSense or
// a DualShock 4, made through /dev/uhid. The kernel's hid-playstation or hid-sony offers its gyroscope as an input device,
// "... Motion Sensors". Rates
// are in rad/s about the controller's x (right), y (up) and z (toward the player): a sine of x, its cosine of y, half
// of twice the frequency of z; or constant. The bias is added to them. N reports a second (250), late ones at once.
//
// Reads commands from FIFO, one per line: plug, unplug, stall and resume (send no reports; send them again),
// sleep (as unplug: a controller that falls asleep ends its Bluetooth connection, and the driver removes its devices),
// set X Y Z (constant rates), count (write how many reports were sent). The end of the program unplugs too. Writes what
// happens to standard error, with the time of CLOCK_BOOTTIME.
#include <errno.h>
#include <fcntl.h>
#include <linux/uhid.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// The calibration: raw values at +-540 degrees/s and at +-1 g.
enum { SPEED = 540, GYRO_FULL = 8704, ACCEL_FULL = 8192 };
enum { INPUT = 0x01, INPUT_SIZE = 64 };

// What differs between the controllers: numbers and sizes of feature reports, and places in the input report. Source:
// drivers/hid/hid-playstation.c, and drivers/hid/hid-sony.c of Linux 6.1.
struct model {
  uint16_t product;
  uint8_t calibration, calibration_size, pairing, pairing_size, firmware, firmware_size;
  // The first byte of the rates; the accelerations follow them.
  int rates;
  int hat;
  // The counter, in units of one third or 16 thirds of a microsecond.
  int counter, counter_bytes, counter_thirds;
  int touches[2];
};
static const struct model dualsense = {0x0CE6, 0x05, 41, 0x09, 20, 0x20, 64, 16, 8, 28, 4, 1, {33, 37}};
static const struct model dualshock4 = {0x05C4, 0x02, 37, 0x81, 7, 0xA3, 49, 13, 5, 10, 2, 16, {35, 39}};
static const struct model *model = &dualsense;

static int hub, is_plugged, is_stalled, is_constant;
static double sine_hertz = 0.5, sine_amplitude = 0.5, constant[3], bias[3], report_hertz = 250;
// Since it was plugged in, of the next report.
static double report_time;
static unsigned long long sent;
static const char *uniq = "00:11:22:33:44:55";

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "[padgyro %.3f] ", now());
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

static void put16(uint8_t *bytes, double value) {
  int16_t rounded = lround(fmin(fmax(value, -32768), 32767));
  bytes[0] = rounded & 255;
  bytes[1] = (rounded >> 8) & 255;
}

static void send_event(const struct uhid_event *event) {
  if (write(hub, event, sizeof *event) < 0) perror("writing to /dev/uhid");
}

static void plug(void) {
  // A gamepad with the reports that the driver uses, of which it interprets the bytes itself. hid-sony wants an axis that
  // it knows.
  const uint8_t descriptor[] = {
      0x05, 0x01, 0x09, 0x05, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08,
      0x85, INPUT, 0x95, 1, 0x09, 0x30, 0x81, 0x02, 0x06, 0x00, 0xFF, 0x95, INPUT_SIZE - 2, 0x09, 0x21, 0x81, 0x02,
      0x85, model == &dualsense ? 0x02 : 0x05, 0x95, 47, 0x09, 0x22, 0x91, 0x02,
      0x85, model->calibration, 0x95, model->calibration_size - 1, 0x09, 0x23, 0xB1, 0x02,
      0x85, model->pairing, 0x95, model->pairing_size - 1, 0x09, 0x24, 0xB1, 0x02,
      0x85, model->firmware, 0x95, model->firmware_size - 1, 0x09, 0x25, 0xB1, 0x02, 0xC0};
  if (is_plugged) return;
  struct uhid_event event = {.type = UHID_CREATE2};
  strcpy((char *)event.u.create2.name, "Wireless Controller");
  strcpy((char *)event.u.create2.uniq, uniq);
  memcpy(event.u.create2.rd_data, descriptor, sizeof descriptor);
  event.u.create2.rd_size = sizeof descriptor;
  event.u.create2.bus = 3;  // USB
  event.u.create2.vendor = 0x054C;
  event.u.create2.product = model->product;
  event.u.create2.version = 0x8100;
  send_event(&event);
  is_plugged = 1;
  report_time = 0;
  note("plugged");
}

static void unplug(void) {
  if (!is_plugged) return;
  struct uhid_event event = {.type = UHID_DESTROY};
  send_event(&event);
  is_plugged = 0;
  note("unplugged");
}

static void answer(const struct uhid_event *request) {
  struct uhid_event event = {.type = UHID_GET_REPORT_REPLY};
  uint8_t *bytes = event.u.get_report_reply.data;
  unsigned values[6];
  int count = 0;
  bytes[0] = request->u.get_report.rnum;
  if (bytes[0] == model->pairing) {
    count = model->pairing_size;
    // The address, the last byte first.
    sscanf(uniq, "%x:%x:%x:%x:%x:%x", values, values + 1, values + 2, values + 3, values + 4, values + 5);
    for (int part = 0; part < 6; part++) bytes[6 - part] = values[part];
  } else if (bytes[0] == model->firmware) {
    count = model->firmware_size;
  } else if (bytes[0] == model->calibration) {
    count = model->calibration_size;
    for (int axis = 0; axis < 3; axis++) {
      put16(bytes + 7 + 4 * axis, GYRO_FULL);
      put16(bytes + 9 + 4 * axis, -GYRO_FULL);
      put16(bytes + 23 + 4 * axis, ACCEL_FULL);
      put16(bytes + 25 + 4 * axis, -ACCEL_FULL);
    }
    put16(bytes + 19, SPEED);
    put16(bytes + 21, SPEED);
  }
  event.u.get_report_reply.id = request->u.get_report.id;
  event.u.get_report_reply.err = count ? 0 : EIO;
  event.u.get_report_reply.size = count;
  send_event(&event);
}

static void send_report(void) {
  static uint8_t sequence;
  struct uhid_event event = {.type = UHID_INPUT2};
  uint8_t *bytes = event.u.input2.data;
  double phase = 2 * M_PI * sine_hertz * report_time;
  double sine[3] = {sine_amplitude * sin(phase), sine_amplitude * cos(phase), sine_amplitude / 2 * sin(2 * phase)};
  const double *rates = is_constant ? constant : sine;
  event.u.input2.size = INPUT_SIZE;
  bytes[0] = INPUT;
  memset(bytes + 1, 0x80, 4);  // the sticks in the middle
  if (model == &dualsense) bytes[7] = sequence++;
  bytes[model->hat] = 8;  // no direction
  for (int axis = 0; axis < 3; axis++)
    put16(bytes + model->rates + 2 * axis, (rates[axis] + bias[axis]) * 180 / M_PI * GYRO_FULL / SPEED);
  put16(bytes + model->rates + 8, ACCEL_FULL);
  uint32_t counter = (uint64_t)(report_time * 3e6 / model->counter_thirds);
  memcpy(bytes + model->counter, &counter, model->counter_bytes);
  for (int finger = 0; finger < 2; finger++) bytes[model->touches[finger]] = 0x80;  // none
  if (!is_stalled) {
    send_event(&event);
    sent++;
  }
  report_time += 1 / report_hertz;
}

static void handle_event(void) {
  struct uhid_event event;
  if (read(hub, &event, sizeof event) <= 0) return;
  if (event.type == UHID_GET_REPORT) answer(&event);
  if (event.type == UHID_SET_REPORT) {
    struct uhid_event reply = {.type = UHID_SET_REPORT_REPLY};
    reply.u.set_report_reply.id = event.u.set_report.id;
    send_event(&reply);
  }
}

static void handle_command(const char *line) {
  double values[3];
  if (!strcmp(line, "plug")) plug();
  else if (!strcmp(line, "unplug") || !strcmp(line, "sleep")) unplug();
  else if (!strcmp(line, "stall")) is_stalled = 1;
  else if (!strcmp(line, "resume")) is_stalled = 0;
  else if (!strcmp(line, "count")) note("sent %llu", sent);
  else if (sscanf(line, "set %lf %lf %lf", values, values + 1, values + 2) == 3) {
    memcpy(constant, values, sizeof constant);
    is_constant = 1;
  } else note("unknown command '%s'", line);
}

static void read_commands(int control) {
  char text[512];
  ssize_t count = read(control, text, sizeof text - 1);
  if (count <= 0) return;
  text[count] = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) handle_command(line);
}

static int usage(void) {
  fprintf(
      stderr, "usage: padgyro --ctl FIFO [--sine HZ AMPLITUDE | --const X Y Z] [--bias X Y Z] [--hz N] [--uniq TEXT] [--ds4]\n");
  return 2;
}

int main(int count, char **arguments) {
  int control = -1;
  for (int i = 1; i < count; i++) {
    const char *option = arguments[i];
    int left = count - 1 - i;
    if (!strcmp(option, "--ctl") && left >= 1) control = open(arguments[++i], O_RDWR | O_NONBLOCK);
    else if (!strcmp(option, "--sine") && left >= 2) {
      sine_hertz = atof(arguments[++i]);
      sine_amplitude = atof(arguments[++i]);
    } else if (!strcmp(option, "--const") && left >= 3) {
      is_constant = 1;
      for (int axis = 0; axis < 3; axis++) constant[axis] = atof(arguments[++i]);
    } else if (!strcmp(option, "--bias") && left >= 3) {
      for (int axis = 0; axis < 3; axis++) bias[axis] = atof(arguments[++i]);
    } else if (!strcmp(option, "--hz") && left >= 1) report_hertz = atof(arguments[++i]);
    else if (!strcmp(option, "--uniq") && left >= 1) uniq = arguments[++i];
    else if (!strcmp(option, "--ds4")) model = &dualshock4;
    else return usage();
  }
  if (control < 0) return usage();
  hub = open("/dev/uhid", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (hub < 0) {
    perror("/dev/uhid");
    return 1;
  }
  long nanoseconds = lround(1e9 / report_hertz);
  struct itimerspec period = {.it_interval.tv_nsec = nanoseconds, .it_value.tv_nsec = nanoseconds};
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  timerfd_settime(timer, 0, &period, NULL);
  plug();
  for (;;) {
    struct pollfd ready[] = {{hub, POLLIN, 0}, {timer, POLLIN, 0}, {control, POLLIN, 0}};
    uint64_t expirations;
    if (poll(ready, 3, -1) < 0 && errno != EINTR) {
      perror("poll");
      return 1;
    }
    if (ready[0].revents & POLLIN) handle_event();
    if (ready[1].revents & POLLIN && read(timer, &expirations, sizeof expirations) > 0)
      while (is_plugged && expirations-- > 0) send_report();
    if (ready[2].revents & POLLIN) read_commands(control);
  }
}
