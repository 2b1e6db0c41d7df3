// SPDX-License-Identifier: Apache-2.0

// The program by which Tests/Conformance/run.py drives this client.
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parallax.h"

static void show_text(const char *name, const char *text) {
  if (!text) return;
  printf(",\"%s\":\"", name);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\' || (unsigned char)*text < 0x20) printf("\\u%04x", (unsigned char)*text);
    else putchar(*text);
  }
  putchar('"');
}

static void show_pose(unsigned has, double rotation, double scale, double scale_y, double opacity) {
  if (has & PARALLAX_ROTATION) printf(",\"rotation\":%.17g", rotation);
  if (has & PARALLAX_SCALE) printf(",\"scale\":%.17g", scale);
  if (has & PARALLAX_SCALE_Y) printf(",\"scale_y\":%.17g", scale_y);
  if (has & PARALLAX_OPACITY) printf(",\"opacity\":%.17g", opacity);
}

static void show_offset(const parallax_offset *offset) {
  printf("{\"class\":\"OFFSET\",\"seq\":%llu,\"time\":%.9f,\"x\":%.17g,\"y\":%.17g,\"nx\":%.17g,\"ny\":%.17g",
         (unsigned long long)offset->seq, (double)offset->time_ns * 1e-9, offset->x, offset->y, offset->nx, offset->ny);
  if (offset->has & PARALLAX_VELOCITY) printf(",\"vx\":%.17g,\"vy\":%.17g", offset->vx, offset->vy);
  if (offset->has & PARALLAX_DROPPED) printf(",\"dropped\":%llu", (unsigned long long)offset->dropped);
  show_pose(offset->has, offset->rotation, offset->scale, offset->scale_y, offset->opacity);
  printf(",\"layers\":{");
  for (int k = 0; k < offset->layer_count; k++) {
    const parallax_layer *layer = &offset->layers[k];
    printf("%s\"%s\":{\"x\":%.17g,\"y\":%.17g", k ? "," : "", layer->name, layer->x, layer->y);
    if (layer->has & PARALLAX_VELOCITY) printf(",\"vx\":%.17g,\"vy\":%.17g", layer->vx, layer->vy);
    show_pose(layer->has, layer->rotation, layer->scale, layer->scale_y, layer->opacity);
    printf("}");
  }
  printf("}}");
}

// Of the last ERROR.
static char code[64];

static void show_message(void *data, const parallax_message *message) {
  (void)data;
  printf("{\"message\":");
  switch (message->kind) {
    case PARALLAX_MESSAGE_OFFSET: show_offset(message->offset); break;
    case PARALLAX_MESSAGE_VERSION:
      printf("{\"class\":\"VERSION\",\"proto_major\":%lld,\"proto_minor\":%lld", (long long)message->version.proto_major,
             (long long)message->version.proto_minor);
      show_text("release", message->version.release);
      break;
    case PARALLAX_MESSAGE_DEVICE:
      printf("{\"class\":\"DEVICE\"");
      show_text("driver", message->device.driver);
      show_text("name", message->device.name);
      show_text("state", message->device.state);
      show_text("reason", message->device.reason);
      if (message->device.rate > 0) printf(",\"rate\":%.17g", message->device.rate);
      const double *x = message->device.range_x, *y = message->device.range_y;
      if (message->device.has_range_x) printf(",\"range_x\":[%.17g,%.17g]", x[0], x[1]);
      if (message->device.has_range_y) printf(",\"range_y\":[%.17g,%.17g]", y[0], y[1]);
      break;
    case PARALLAX_MESSAGE_GATE:
      printf("{\"class\":\"GATE\",\"open\":%s,\"gain\":%.17g,\"reasons\":[", message->gate.open ? "true" : "false",
             message->gate.gain);
      for (int k = 0; k < message->gate.reason_count; k++) printf("%s\"%s\"", k ? "," : "", message->gate.reasons[k]);
      printf("]");
      break;
    case PARALLAX_MESSAGE_ANIMATION:
      printf("{\"class\":\"ANIMATION\"");
      show_text("id", message->animation.id);
      show_text("event", message->animation.event);
      show_text("position", message->animation.position);
      if (message->animation.time_ns) printf(",\"time\":%.9f", (double)message->animation.time_ns * 1e-9);
      break;
    case PARALLAX_MESSAGE_WATCH: printf("{\"class\":\"WATCH\""); break;
    case PARALLAX_MESSAGE_ERROR:
      printf("{\"class\":\"ERROR\"");
      show_text("message", message->error.message);
      show_text("code", message->error.code);
      snprintf(code, sizeof code, "%s", message->error.code ? message->error.code : "");
      break;
  }
  puts(message->kind == PARALLAX_MESSAGE_OFFSET ? "}" : "}}");
}

static void show_state(void *data, parallax_state state) {
  (void)data;
  static const char *const names[] = {"connecting", "connected", "waiting", "closed"};
  printf("{\"state\":\"%s\"}\n", names[state]);
}

static int table(void) {
  char *line = NULL;
  size_t size = 0;
  parallax_offset offset;
  parallax_timeline *timeline = parallax_timeline_new();
  for (ssize_t length; (length = getline(&line, &size, stdin)) > 0;) {
    if (line[length - 1] == '\n') line[--length] = 0;
    if (strcmp(line, "reset") == 0) {
      parallax_timeline_free(timeline);
      timeline = parallax_timeline_new();
    } else if (strncmp(line, "line ", 5) == 0) {
      parallax_timeline_add(timeline, line + 5, (size_t)length - 5);
    } else {
      char *rest;
      double seconds = strtod(line + 3, &rest), ahead = strtod(rest, NULL);
      bool is_known = parallax_timeline_offset_ahead(
        timeline, (int64_t)(seconds * 1e9 + 0.5), (int64_t)(ahead * 1e9 + 0.5), &offset);
      if (is_known) show_offset(&offset);
      puts(is_known ? "" : "null");
    }
  }
  parallax_timeline_free(timeline);
  free(line);
  return 0;
}

// Reads the few forms that the cases use.
static parallax_watch watch_of(const char *text) {
  parallax_watch watch = {.fields = 0};
  const char *rate = strstr(text, "\"rate\":"), *layers = strstr(text, "\"layers\":");
  const char *orientation = strstr(text, "\"orientation\":");
  if (rate && sscanf(rate, "\"rate\": %lf", &watch.rate) == 1) watch.fields |= PARALLAX_WATCH_RATE;
  for (int used; layers && (layers = strpbrk(layers + 1, "{,")) && watch.depth_count < PARALLAX_MAX_DEPTHS;) {
    char *name = watch.depths[watch.depth_count].name;
    double *depth = &watch.depths[watch.depth_count].depth;
    if (sscanf(layers + 1, " \"%64[^\"]\": %lf%n", name, depth, &used) != 2) break;
    watch.fields |= PARALLAX_WATCH_LAYERS;
    watch.depth_count++;
    if (layers[used + 1] == '}') break;
  }
  if (orientation && sscanf(orientation, "\"orientation\": \"%15[^\"]", watch.orientation) == 1) {
    watch.fields |= PARALLAX_WATCH_ORIENTATION;
  }
  return watch;
}

static int read_sample(const char **text, int count, parallax_sample *sample) {
  double values[4] = {0};
  for (int k = 4 - count; k < 4; k++) {
    char *end;
    values[k] = strtod(*text, &end);
    if (end == *text) return 0;
    *text = end;
  }
  int64_t time_ns = (int64_t)(values[0] * 1e9 + (values[0] < 0 ? -0.5 : 0.5));
  *sample = (parallax_sample){count == 4 ? time_ns : PARALLAX_ARRIVAL, values[1], values[2], values[3]};
  return 1;
}

// Reads samples with `count` numbers each and sends them.
static void send_samples(parallax *feed, const char *text, int count) {
  parallax_sample samples[100];
  size_t length = 0;
  while (length < 100 && read_sample(&text, count, &samples[length])) length++;
  printf("{\"sent\":%zu}\n", parallax_send(feed, samples, length));
}

static void flood(parallax *feed, long most) {
  long sent = 0;
  parallax_sample sample = {.time_ns = PARALLAX_ARRIVAL};
  for (; sent < most && parallax_send(feed, &sample, 1) == 1; sent++) sample.x = (double)(sent + 1);
  printf("{\"sent\":%ld}\n", sent);
}

static void obey(parallax *stream, const char *line) {
  if (strncmp(line, "watch ", 6) == 0) {
    parallax_watch watch = watch_of(line + 6);
    parallax_set_watch(stream, &watch);
  } else if (strcmp(line, "poll") == 0) {
    parallax_poll(stream);
  } else if (strncmp(line, "samples ", 8) == 0) {
    send_samples(stream, line + 8, 4);
  } else if (strncmp(line, "sample ", 7) == 0) {
    int spaces = 0;
    for (const char *c = line; *c; c++) spaces += *c == ' ';
    send_samples(stream, line + 7, spaces);
  } else if (strncmp(line, "flood ", 6) == 0) {
    flood(stream, atol(line + 6));
  } else if (strcmp(line, "wanted") == 0) {
    printf("{\"wanted\":%s}\n", parallax_is_wanted(stream) ? "true" : "false");
  } else if (strncmp(line, "at", 2) == 0) {
    parallax_offset offset;
    int64_t instant = line[2] ? (int64_t)(atof(line + 3) * 1e9 + 0.5) : parallax_now();
    bool is_known = parallax_offset_at(stream, instant, &offset);
    printf("{\"at\":");
    if (is_known) show_offset(&offset);
    puts(is_known ? "}" : "null}");
  }
}

int main(int argc, char **argv) {
  setlinebuf(stdout);
  if (argc > 1 && strcmp(argv[1], "table") == 0) return table();
  const char *first = getenv("DRIVER_WATCH"), *backoff = getenv("DRIVER_BACKOFF");
  parallax_watch watch = watch_of(first ? first : "");
  parallax_options options = {.watch = &watch, .on_message = show_message, .on_state = show_state};
  if (backoff && sscanf(backoff, "%lf:%lf", &options.first_wait, &options.longest_wait) != 2) options.first_wait = -1;
  parallax *stream = NULL;
  if (argc > 1 && strcmp(argv[1], "feed") == 0) {
    const char *rate = getenv("DRIVER_RATE");
    parallax_feed feed = {.name = getenv("DRIVER_FEED"), .clock = getenv("DRIVER_CLOCK"), .rate = rate ? atof(rate) : 0,
                          .mount_matrix = getenv("DRIVER_MATRIX")};
    stream = parallax_open_feed(&feed, &options);
  } else {
    stream = parallax_open(&options);
  }
  if (!stream) return 1;
  char line[4096];
  size_t length = 0;
  struct pollfd entries[] = {{.fd = parallax_fd(stream), .events = POLLIN}, {.fd = 0, .events = POLLIN}};
  while (poll(entries, 2, -1) >= 0) {
    if (entries[0].revents && parallax_dispatch(stream) < 0) break;
    if (!entries[1].revents) continue;
    ssize_t count = read(0, line + length, sizeof line - 1 - length);
    if (count <= 0) break;
    length += (size_t)count;
    line[length] = 0;
    for (char *end; (end = strchr(line, '\n')); ) {
      *end = 0;
      if (strcmp(line, "close") == 0) {
        parallax_close(stream);
        return 0;
      }
      obey(stream, line);
      length -= (size_t)(end + 1 - line);
      memmove(line, end + 1, length + 1);
    }
  }
  const char *reason;
  parallax_error error = parallax_get_error(stream, &reason);
  const char *const names[] = {"", "no-daemon", "closed", "incompatible", code};
  printf("{\"error\":\"%s\"", names[error]);
  show_text("text", reason);
  puts("}");
  parallax_close(stream);
  return 0;
}
