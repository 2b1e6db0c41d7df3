// SPDX-License-Identifier: Apache-2.0

// Changes lines of the protocol at random, and asks for offsets: `fuzz COUNT [SEED]`. `make fuzz` builds it with the
// sanitizers. It also checks that every offset is finite.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parallax.h"

static const char *const lines[] = {
  "{\"class\":\"VERSION\",\"release\":\"0.1.0\",\"proto_major\":1,\"proto_minor\":3}",
  "{\"class\":\"DEVICE\",\"driver\":\"iio\",\"name\":\"g\\u00e9\\ud83d\\ude00\",\"state\":\"streaming\",\"rate\":30.3,"
  "\"range_x\":[-5,5],\"range_y\":[-5,5]}",
  "{\"class\":\"GATE\",\"open\":false,\"gain\":0,\"reasons\":[\"reduce-motion:portal\",\"low-power:upower\"]}",
  "{\"class\":\"GATE\",\"open\":true,\"gain\":1,\"reasons\":[]}",
  "{\"class\":\"OFFSET\",\"seq\":42,\"time\":12.345678901,\"x\":1.23,\"y\":-0.5,\"nx\":0.246,\"ny\":-0.1,\"vx\":4.2,"
  "\"vy\":0,\"layers\":{\"bg\":{\"x\":0.246,\"y\":-0.1,\"vx\":0.8,\"vy\":0}}}",
  "{\"class\":\"OFFSET\",\"seq\":43,\"time\":12.379012234,\"x\":13.23,\"y\":-0.5,\"nx\":0.246,\"ny\":-0.1,"
  "\"layers\":{\"card\":{\"x\":13.23,\"y\":3.5,\"rotation\":45}},\"opacity\":0.5,\"dropped\":3}",
  "{\"class\":\"ANIMATION\",\"id\":\"intro\",\"event\":\"completed\",\"position\":\"end\"}",
  "{\"class\":\"WATCH\",\"version\":1,\"enable\":true,\"rate\":10,\"layers\":{\"bg\":0.2},\"on_change\":true}",
  "{\"class\":\"ERROR\",\"message\":\"no\",\"code\":\"bad-request\",\"details\":[1e5,-0.5E-3,null,{}]}",
};

static unsigned long state = 1;

static unsigned long below(unsigned long bound) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % bound;
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 100000, messages = 0, offsets = 0;
  if (argc > 2) state = strtoul(argv[2], NULL, 10);
  parallax_timeline *timeline = parallax_timeline_new();
  double seconds = 12;
  for (long k = 0; k < count; k++) {
    char line[2048];
    const char *from = lines[below(sizeof lines / sizeof *lines)];
    size_t length = strlen(from);
    memcpy(line, from, length);
    // Half of the frames move on in time.
    char *time = strstr(from, "\"time\":") ? line + (strstr(from, "\"time\":") - from) + 7 : NULL;
    if (time && below(2)) {
      char text[16];
      seconds = seconds > 99 ? 12 : seconds + 0.033;
      snprintf(text, sizeof text, "%.9f", seconds);
      memcpy(time, text, 12);
    }
    for (unsigned long changes = below(4); changes > 0; changes--) {
      size_t at = below(length);
      switch (below(4)) {
        case 0: line[at] = (char)below(256); break;
        case 1: line[at] = "{}[]\",:0123456789.eE+-\\utfn"[below(27)]; break;
        case 2: length = at + 1; break;
        default: {
          const char *other = lines[below(sizeof lines / sizeof *lines)];
          size_t part = below(24);
          if (length + part < sizeof line) {
            memmove(line + at + part, line + at, length - at);
            memcpy(line + at, other + below(strlen(other) - 24), part);
            length += part;
          }
        }
      }
    }
    messages += parallax_timeline_add(timeline, line, length);
    parallax_offset offset;
    int64_t instant = (int64_t)((seconds - 0.3 + 0.0001 * (double)below(5000)) * 1e9);
    int64_t ahead = below(2) ? 0 : (int64_t)below(3) * 17000000 - 17000000;
    if (below(50) == 0) ahead = below(2) ? INT64_MAX : INT64_MIN;
    if (!parallax_timeline_offset_ahead(timeline, instant, ahead, &offset)) continue;
    offsets++;
    double sum = offset.x + offset.y + offset.nx + offset.ny + offset.rotation + offset.scale + offset.opacity;
    for (int n = 0; n < offset.layer_count; n++) sum += offset.layers[n].x + offset.layers[n].y;
    if (!isfinite(sum)) {
      printf("not finite after %ld lines: %.*s\n", k, (int)length, line);
      return 1;
    }
  }
  printf("%ld lines, %ld messages, %ld offsets\n", count, messages, offsets);
  parallax_timeline_free(timeline);
  return messages == 0 || offsets == 0;
}
