// SPDX-License-Identifier: Apache-2.0

#pragma once
// libevdev, and what Swift cannot import of the kernel's header.
#include <libevdev/libevdev.h>
#include <stdint.h>
#include <sys/ioctl.h>

// The fields of the time are macros.
static inline int64_t parallax_event_microseconds(const struct input_event *event) {
  return (int64_t)event->input_event_sec * 1000000 + (int64_t)event->input_event_usec;
}

// Asks the kernel for some events of a type only, whose codes are the bits of `codes`. The kernel takes a bit field
// in whole words of its own.
static inline void parallax_evdev_set_mask(int descriptor, uint32_t type, uint64_t codes) {
  struct input_mask mask = {.type = type, .codes_size = sizeof codes, .codes_ptr = (uint64_t)(uintptr_t)&codes};
  ioctl(descriptor, EVIOCSMASK, &mask);
}
