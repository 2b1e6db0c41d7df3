// SPDX-License-Identifier: Apache-2.0

// Prints where a picture with a hidden margin is, as often as a display of 60 Hz draws it.
#include <poll.h>
#include <stdio.h>

#include "parallax.h"

int main(void) {
  parallax *stream = parallax_open(NULL);
  parallax_offset offset;
  while (stream && parallax_dispatch(stream) == 0) {
    if (parallax_offset_at(stream, parallax_now(), &offset)) printf("%+7.2f %+7.2f\n", offset.x, offset.y);
    fflush(stdout);
    poll(NULL, 0, 1000 / 60);
  }
  return 1;
}
