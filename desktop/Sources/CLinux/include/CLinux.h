// SPDX-License-Identifier: Apache-2.0

// System calls that Swift's Glibc module lacks.
#pragma once

#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

// Returns a counter that is readable above 0, and never blocks; -1 with errno.
static inline int clinux_counter(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Adds 1.
static inline void clinux_raise(int counter) { eventfd_write(counter, 1); }

// Goes back to 0.
static inline void clinux_lower(int counter) {
  eventfd_t count;
  eventfd_read(counter, &count);
}

// Blocks SIGTERM, SIGINT and SIGHUP for this thread and those it starts, and returns a descriptor that is
// readable after one; -1 with errno.
static inline int clinux_end_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  return signalfd(-1, &signals, SFD_CLOEXEC);
}

// Returns a descriptor for inotify that never blocks; -1 with errno.
static inline int clinux_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

// Watches a folder for files that are written, replaced or removed; -1 with errno.
static inline int clinux_watch(int descriptor, const char *_Nonnull folder) {
  return inotify_add_watch(
      descriptor, folder,
      IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
}

// The size of an event without its name.
static const long clinux_event_size = sizeof(struct inotify_event);

// Keeps memory that is freed for the next picture, until clinux_give_back_memory: without this, malloc maps and
// unmaps every picture, and almost half of the time of drawing goes to page faults.
static inline void clinux_keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

// Gives memory that was freed back to the system. Pictures are by far the largest that this program allocates,
// and it needs none of them once the compositor has them.
static inline void clinux_give_back_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
