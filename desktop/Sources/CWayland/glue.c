// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CWayland.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The generated marshalling tables.
#include "fractional-scale-v1.c"
#include "viewporter.c"
#include "wlr-layer-shell-unstable-v1.c"
#include "xdg-shell.c"

const struct wl_interface *cwayland_interface(const char *name) {
  static const struct wl_interface *const known[] = {
    &wl_compositor_interface, &wl_subcompositor_interface, &wl_shm_interface, &wl_output_interface,
    &xdg_wm_base_interface, &wl_seat_interface, &zwlr_layer_shell_v1_interface, &wp_viewporter_interface, &wp_fractional_scale_manager_v1_interface,
  };
  for (size_t index = 0; index < sizeof known / sizeof *known; index++)
    if (strcmp(known[index]->name, name) == 0) return known[index];
  return NULL;
}

int cwayland_memory_file(const char *name, long size) {
  int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, size) != 0) {
    close(descriptor);
    return -1;
  }
  // The compositor maps it, too: with these seals it needs no guard against a file that shrinks.
  fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
  return descriptor;
}
