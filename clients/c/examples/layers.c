// SPDX-License-Identifier: Apache-2.0

// Waits for the stream in a poll() loop, and prints two layers at each message until the picture rests.
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "parallax.h"

static void show(void *data, const parallax_message *message) {
  (void)data;
  if (message->kind == PARALLAX_MESSAGE_GATE) printf("gate %s\n", message->gate.open ? "open" : "closed");
  if (message->kind != PARALLAX_MESSAGE_OFFSET) return;
  for (int k = 0; k < message->offset->layer_count; k++) {
    const parallax_layer *layer = &message->offset->layers[k];
    printf("%s %+.2f %+.2f%s", layer->name, layer->x, layer->y, k + 1 < message->offset->layer_count ? ", " : "\n");
  }
  fflush(stdout);
}

int main(void) {
  parallax_watch watch = {.fields = PARALLAX_WATCH_LAYERS | PARALLAX_WATCH_RATE, .rate = 30, .depth_count = 2};
  strcpy(watch.depths[0].name, "hills");
  watch.depths[0].depth = 0.5;
  strcpy(watch.depths[1].name, "trees");
  watch.depths[1].depth = 2;
  parallax *stream = parallax_open(&(parallax_options){.watch = &watch, .on_message = show});
  if (!stream) return 1;
  struct pollfd entry = {.fd = parallax_fd(stream), .events = POLLIN};
  do poll(&entry, 1, -1);
  while (parallax_dispatch(stream) == 0);
  const char *reason;
  parallax_get_error(stream, &reason);
  fprintf(stderr, "%s\n", reason);
  parallax_close(stream);
  return 1;
}
