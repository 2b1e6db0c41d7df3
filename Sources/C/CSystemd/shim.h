// SPDX-License-Identifier: Apache-2.0

#pragma once
// libsystemd, and the constants that Swift cannot import.
#include <stdint.h>
#include <sys/inotify.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>

// MARK: - Flags of epoll as plain numbers; C has an enumeration and a macro of the same name

static const uint32_t PARALLAX_EPOLLIN = 0x001;
static const uint32_t PARALLAX_EPOLLOUT = 0x004;
static const uint32_t PARALLAX_EPOLLERR = 0x008;
static const uint32_t PARALLAX_EPOLLHUP = 0x010;
static const uint32_t PARALLAX_EPOLLET = 1u << 31;

// MARK: - inotify

// A file leaves a folder, or the folder itself goes.
static const uint32_t PARALLAX_INOTIFY_LEAVING =
    IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

// A file of a folder changes: it is closed after writing, or another file takes its name.
static const uint32_t PARALLAX_INOTIFY_CHANGING =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
// The folder is gone, or its name.
static const uint32_t PARALLAX_INOTIFY_GONE = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED;
static const uint32_t PARALLAX_INOTIFY_CLOEXEC = IN_CLOEXEC;

// The name is an array of variable length, which Swift cannot import.
static inline const char *parallax_inotify_name(const struct inotify_event *event) {
  return event->len > 0 ? event->name : NULL;
}
