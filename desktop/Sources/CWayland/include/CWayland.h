// SPDX-License-Identifier: Apache-2.0

// libwayland-client, and the protocols that scripts/desktop generates with wayland-scanner.
#pragma once

#include <wayland-client.h>

#include "fractional-scale-v1.h"
#include "viewporter.h"
#include "wlr-layer-shell-unstable-v1.h"
#include "xdg-shell.h"

// Returns the description of an interface that a wallpaper uses; NULL for others. libwayland keeps the
// pointer, and Swift would pass that of a copy.
const struct wl_interface *_Nullable cwayland_interface(const char *_Nonnull name);

// Returns the descriptor of a new file of `size` bytes in memory, which cannot shrink; -1 with errno.
int cwayland_memory_file(const char *_Nonnull name, long size);
