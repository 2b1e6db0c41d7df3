// SPDX-License-Identifier: Apache-2.0

// hidgyro --ctl FIFO [--sine HZ AMPLITUDE | --const X Y Z] [--no-accel] [--bits 16|32] [--timestamp]: a HID sensor
// hub with a gyroscope and an accelerometer, made through /dev/uhid. The kernel's hid-sensor-gyro-3d makes an IIO
// device of it. Rates are in rad/s: a sine of x, its cosine of y, half of twice the frequency of z; or constant.
// With --timestamp, reports have a time of the device's own, in microseconds.
//
// Reads commands from FIFO, one per line: plug, unplug, stall and resume (send no reports; send them again), mute
// and unmute (answer no requests, for which the kernel waits 5 s before it returns EIO; answer again), set X Y Z
// (constant rates from now on). The end of the program unplugs too. Writes what happens to standard error, with the time of CLOCK_BOOTTIME.
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

enum { GYROSCOPE, ACCELEROMETER, SENSORS };
enum { DEFAULT_INTERVAL_MS = 100, POWER_FULL = 2, POWER_OFF = 6, REPORT_NONE = 1, REPORT_ALL = 2 };
// Reports are in units of 10^EXPONENT.
enum { EXPONENT = -3 };

static const double RADIANS_PER_DEGREE = 0.017453293, GRAVITY = 9.80665;

// What the kernel has set, and the timer of the reports.
static struct {
  uint32_t interval;
  uint16_t sensitivity;
  uint8_t reporting, power;
  int timer;
  unsigned long long sent;
} sensors[SENSORS];

static int has_accelerometer = 1, bits = 32, has_timestamp;
static int is_plugged, is_stalled, is_muted;
static int is_constant;
static double sine_hertz = 0.5, sine_amplitude = 0.5, constant[3];
static double plug_time;
static int hub;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "[hidgyro %.3f] ", now());
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

static int has(int sensor) {
  return sensor == GYROSCOPE || (sensor == ACCELEROMETER && has_accelerometer);
}

// The report descriptor, in the items of the HID specification and the usages of its page 0x20, "Sensors".

static uint8_t descriptor[HID_MAX_DESCRIPTOR_SIZE];
static int descriptor_size;

static void add(int count, ...) {
  va_list bytes;
  va_start(bytes, count);
  while (count-- > 0) descriptor[descriptor_size++] = va_arg(bytes, int);
  va_end(bytes);
}

static void add_usage(int usage) {
  add(3, 0x0A, usage & 255, usage >> 8);
}

// A byte that selects one of `count` usages.
static void add_selector(int property, int first, int count, int item) {
  add_usage(property);
  add(10, 0x15, 1, 0x25, count, 0x75, 8, 0x95, 1, 0xA1, 2);
  for (int usage = 0; usage < count; usage++) add_usage(first + usage);
  add(3, item, 0x00, 0xC0);
}

static void add_sensor(int sensor) {
  int is_gyroscope = sensor == GYROSCOPE;
  add(8, 0x05, 0x20, 0x09, is_gyroscope ? 0x76 : 0x73, 0xA1, 0x00, 0x85, sensor + 1);
  // The feature report: reporting state, power state, sensitivity, interval in ms.
  add_selector(0x0316, 0x0840, 6, 0xB1);
  add_selector(0x0319, 0x0850, 6, 0xB1);
  add_usage(is_gyroscope ? 0x1456 : 0x1452);
  add(13, 0x15, 0, 0x27, 0xFF, 0xFF, 0, 0, 0x75, 16, 0x95, 1, 0x55, 0x0E);
  add(2, 0xB1, 2);
  add_usage(0x030E);
  add(13, 0x15, 0, 0x27, 0xFF, 0xFF, 0xFF, 0x7F, 0x75, 32, 0x95, 1, 0x55, 0);
  add(2, 0xB1, 2);
  // The input report: state, event, three axes in degrees per second or in g.
  add_selector(0x0201, 0x0800, 7, 0x81);
  add_selector(0x0202, 0x0810, 6, 0x81);
  if (is_gyroscope) add(2, 0x65, 0x15);
  else add(1, 0x64);
  for (int axis = 0; axis < 3; axis++) {
    add_usage((is_gyroscope ? 0x0457 : 0x0453) + axis);
    if (bits == 16) add(6, 0x16, 0x01, 0x80, 0x26, 0xFF, 0x7F);
    else add(10, 0x17, 0x01, 0, 0, 0x80, 0x27, 0xFF, 0xFF, 0xFF, 0x7F);
    add(8, 0x75, bits, 0x95, 1, 0x55, EXPONENT & 15, 0x81, 2);
  }
  if (has_timestamp) {
    // 64 bits, in units of 10^-6 s.
    add_usage(0x0529);
    add(14, 0x64, 0x15, 0, 0x26, 0xFF, 0, 0x75, 8, 0x95, 8, 0x55, -6 & 15, 0x81, 2);
  }
  add(4, 0x64, 0x55, 0, 0xC0);
}

static void build_descriptor(void) {
  descriptor_size = 0;
  add(6, 0x05, 0x20, 0x09, 0x01, 0xA1, 0x01);
  for (int sensor = 0; sensor < SENSORS; sensor++)
    if (has(sensor)) add_sensor(sensor);
  add(1, 0xC0);
}

// The reports.

static void measure(int sensor, double axes[3]) {
  double phase = 2 * M_PI * sine_hertz * (now() - plug_time);
  double still[3] = {0, 0, GRAVITY};
  double sine[3] = {sine_amplitude * sin(phase), sine_amplitude * cos(phase), sine_amplitude / 2 * sin(2 * phase)};
  memcpy(axes, sensor == ACCELEROMETER ? still : is_constant ? constant : sine, sizeof still);
}

static int input_report(int sensor, uint8_t *report) {
  enum { READY = 2, DATA_UPDATED = 4 };
  double unit = (sensor == ACCELEROMETER ? GRAVITY : RADIANS_PER_DEGREE) * pow(10, EXPONENT);
  double most = bits == 16 ? INT16_MAX : INT32_MAX;
  double axes[3];
  int size = 0;
  measure(sensor, axes);
  report[size++] = sensor + 1;
  report[size++] = READY;
  report[size++] = DATA_UPDATED;
  for (int axis = 0; axis < 3; axis++) {
    int32_t value = fmax(-most, fmin(most, round(axes[axis] / unit)));
    memcpy(report + size, &value, bits / 8);
    size += bits / 8;
  }
  if (has_timestamp) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    uint64_t microseconds = time.tv_sec * 1000000ull + time.tv_nsec / 1000;
    memcpy(report + size, &microseconds, sizeof microseconds);
    size += sizeof microseconds;
  }
  return size;
}

static int feature_report(int sensor, uint8_t *report) {
  report[0] = sensor + 1;
  report[1] = sensors[sensor].reporting;
  report[2] = sensors[sensor].power;
  memcpy(report + 3, &sensors[sensor].sensitivity, 2);
  memcpy(report + 5, &sensors[sensor].interval, 4);
  return 9;
}

static void send_event(const struct uhid_event *event, size_t size) {
  if (write(hub, event, size) < 0) note("writing event %u: %s", event->type, strerror(errno));
}

// Sends reports at the interval that the kernel has set, while it wants some.
static void set_timer(int sensor) {
  struct itimerspec wanted = {0}, current;
  if (is_plugged && sensors[sensor].power == POWER_FULL && sensors[sensor].reporting == REPORT_ALL) {
    uint32_t interval = sensors[sensor].interval ? sensors[sensor].interval : DEFAULT_INTERVAL_MS;
    wanted.it_interval.tv_sec = interval / 1000;
    wanted.it_interval.tv_nsec = interval % 1000 * 1000000L;
    wanted.it_value = wanted.it_interval;
  }
  timerfd_gettime(sensors[sensor].timer, &current);
  if (memcmp(&current.it_interval, &wanted.it_interval, sizeof wanted.it_interval))
    timerfd_settime(sensors[sensor].timer, 0, &wanted, NULL);
}

static void plug(void) {
  if (is_plugged) return;
  struct uhid_event event = {.type = UHID_CREATE2};
  struct uhid_create2_req *create = &event.u.create2;
  build_descriptor();
  snprintf((char *)create->name, sizeof create->name, "hidgyro sensor hub");
  snprintf((char *)create->uniq, sizeof create->uniq, "hidgyro0");
  memcpy(create->rd_data, descriptor, descriptor_size);
  create->rd_size = descriptor_size;
  create->bus = 0x18;  // BUS_I2C
  create->vendor = 0x1209;
  create->product = 0x6779;
  create->version = 1;
  for (int sensor = 0; sensor < SENSORS; sensor++) {
    sensors[sensor].interval = DEFAULT_INTERVAL_MS;
    sensors[sensor].power = POWER_OFF;
    sensors[sensor].reporting = REPORT_NONE;
    sensors[sensor].sent = 0;
  }
  plug_time = now();
  send_event(&event, sizeof event);
  is_plugged = 1;
  note("plugged (descriptor %d bytes)", descriptor_size);
}

static void unplug(void) {
  if (!is_plugged) return;
  struct uhid_event event = {.type = UHID_DESTROY};
  double begin = now();
  is_plugged = 0;
  for (int sensor = 0; sensor < SENSORS; sensor++) {
    sensors[sensor].power = POWER_OFF;
    set_timer(sensor);
  }
  send_event(&event, sizeof event.type);
  note("unplugged (UHID_DESTROY took %.3f s)", now() - begin);
}

static void get_report(const struct uhid_get_report_req *request) {
  struct uhid_event answer = {.type = UHID_GET_REPORT_REPLY};
  struct uhid_get_report_reply_req *reply = &answer.u.get_report_reply;
  int sensor = request->rnum - 1;
  if (is_muted) {
    note("GET_REPORT %u ignored", request->rnum);
    return;
  }
  reply->id = request->id;
  if (!has(sensor)) reply->err = EIO;
  else if (request->rtype == UHID_FEATURE_REPORT) reply->size = feature_report(sensor, reply->data);
  else reply->size = input_report(sensor, reply->data);
  send_event(&answer, sizeof answer);
}

static void set_report(const struct uhid_set_report_req *request) {
  struct uhid_event answer = {.type = UHID_SET_REPORT_REPLY};
  int sensor = request->rnum - 1;
  if (is_muted) {
    note("SET_REPORT %u ignored", request->rnum);
    return;
  }
  answer.u.set_report_reply.id = request->id;
  if (!has(sensor) || request->rtype != UHID_FEATURE_REPORT || request->size < 9) {
    answer.u.set_report_reply.err = EIO;
  } else {
    uint8_t reporting = request->data[1], power = request->data[2];
    uint32_t interval;
    memcpy(&interval, request->data + 5, 4);
    if (sensors[sensor].reporting != reporting || sensors[sensor].power != power ||
        sensors[sensor].interval != interval)
      note("%s: reporting %u, power %u, interval %u ms (%llu reports sent)",
           sensor == GYROSCOPE ? "gyroscope" : "accelerometer", reporting, power, interval, sensors[sensor].sent);
    sensors[sensor].reporting = reporting;
    sensors[sensor].power = power;
    sensors[sensor].interval = interval;
    memcpy(&sensors[sensor].sensitivity, request->data + 3, 2);
    set_timer(sensor);
  }
  send_event(&answer, sizeof answer);
}

static void handle_event(void) {
  struct uhid_event event;
  if (read(hub, &event, sizeof event) <= 0) {
    if (errno == EAGAIN || errno == EINTR) return;
    note("reading an event: %s", strerror(errno));
    exit(1);
  }
  switch (event.type) {
    case UHID_START: note("START flags %llx", (unsigned long long)event.u.start.dev_flags); break;
    case UHID_STOP: note("STOP"); break;
    case UHID_OPEN: note("OPEN"); break;
    case UHID_CLOSE: note("CLOSE"); break;
    case UHID_GET_REPORT: get_report(&event.u.get_report); break;
    case UHID_SET_REPORT: set_report(&event.u.set_report); break;
  }
}

static void send_report(int sensor) {
  struct uhid_event event = {.type = UHID_INPUT2};
  uint64_t expirations;
  if (read(sensors[sensor].timer, &expirations, sizeof expirations) != sizeof expirations) return;
  if (!is_plugged || is_stalled || !has(sensor)) return;
  event.u.input2.size = input_report(sensor, event.u.input2.data);
  send_event(&event, offsetof(struct uhid_event, u.input2.data) + event.u.input2.size);
  sensors[sensor].sent++;
}

static void perform(const char *command) {
  if (!strcmp(command, "plug")) plug();
  else if (!strcmp(command, "unplug")) unplug();
  else if (!strcmp(command, "stall")) is_stalled = 1;
  else if (!strcmp(command, "resume")) is_stalled = 0;
  else if (!strcmp(command, "mute")) is_muted = 1;
  else if (!strcmp(command, "unmute")) is_muted = 0;
  else if (sscanf(command, "set %lf %lf %lf", &constant[0], &constant[1], &constant[2]) == 3) is_constant = 1;
  else note("unknown command: %s", command);
}

static void read_commands(int control) {
  static char text[4096];
  static size_t size;
  ssize_t count = read(control, text + size, sizeof text - 1 - size);
  if (count <= 0) return;
  size += count;
  text[size] = 0;
  char *end;
  while ((end = strchr(text, '\n'))) {
    *end = 0;
    perform(text);
    size -= end + 1 - text;
    memmove(text, end + 1, size + 1);
  }
}

// Returns the path of the FIFO.
static const char *parse(int count, char **arguments) {
  const char *path = NULL;
  for (int at = 1; at < count; at++) {
    const char *name = arguments[at];
    int left = count - at - 1;
    if (!strcmp(name, "--ctl") && left >= 1) {
      path = arguments[++at];
    } else if (!strcmp(name, "--sine") && left >= 2) {
      sine_hertz = atof(arguments[++at]);
      sine_amplitude = atof(arguments[++at]);
    } else if (!strcmp(name, "--const") && left >= 3) {
      is_constant = 1;
      for (int axis = 0; axis < 3; axis++) constant[axis] = atof(arguments[++at]);
    } else if (!strcmp(name, "--no-accel")) {
      has_accelerometer = 0;
    } else if (!strcmp(name, "--bits") && left >= 1) {
      bits = atoi(arguments[++at]);
    } else if (!strcmp(name, "--timestamp")) {
      has_timestamp = 1;
    } else {
      fprintf(stderr, "hidgyro: unknown argument '%s'\n", name);
      exit(2);
    }
  }
  if (!path) {
    fprintf(stderr, "hidgyro: --ctl FIFO is missing\n");
    exit(2);
  }
  return path;
}

int main(int count, char **arguments) {
  const char *path = parse(count, arguments);
  hub = open("/dev/uhid", O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (hub < 0) {
    perror("/dev/uhid");
    return 1;
  }
  // Also for writing: a FIFO without a writer is at its end.
  int control = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (control < 0) {
    perror(path);
    return 1;
  }
  for (int sensor = 0; sensor < SENSORS; sensor++)
    sensors[sensor].timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  plug();
  for (;;) {
    struct pollfd ready[] = {{hub, POLLIN, 0}, {control, POLLIN, 0}, {sensors[0].timer, POLLIN, 0},
                             {sensors[1].timer, POLLIN, 0}};
    if (poll(ready, 4, -1) < 0 && errno != EINTR) {
      perror("poll");
      return 1;
    }
    if (ready[0].revents) handle_event();
    if (ready[1].revents & POLLIN) read_commands(control);
    for (int sensor = 0; sensor < SENSORS; sensor++)
      if (ready[2 + sensor].revents & POLLIN) send_report(sensor);
  }
}
