// SPDX-License-Identifier: Apache-2.0

#pragma once
// The terminal: what terminfo knows about it, its size, signals as a descriptor, and restoring it when the
// program crashes. Except for terminfo, nothing here allocates.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PARALLAX_SEQUENCE_MAX 96

// An entry of the terminfo database. Sequences are empty if the terminal lacks them.
struct parallax_terminfo {
  int is_known;  // 0: the database has no such entry
  int is_ansi;   // the cursor is placed by ESC [ row ; column H
  int colors;    // 0 if the terminal has none
  char enter[PARALLAX_SEQUENCE_MAX];  // smcup: to the alternate screen
  char leave[PARALLAX_SEQUENCE_MAX];  // rmcup
  char hide[PARALLAX_SEQUENCE_MAX];   // civis: hide the cursor
  char show[PARALLAX_SEQUENCE_MAX];   // cnorm
};

// Reads the entry of a terminal from the database. Not for several threads at once.
void parallax_terminfo_read(const char *term, struct parallax_terminfo *info);

// Sets the number of rows and columns. Returns -1 if the descriptor is not a terminal.
int parallax_terminal_size(int fd, int *rows, int *columns);

// Blocks these signals for this thread and returns a descriptor that reads them (signalfd(2)).
int parallax_signal_descriptor(const int *signals, int count);

// Returns the next signal, 0 if there is none.
int parallax_next_signal(int fd);

// From now on, a crash (SIGSEGV, SIGABRT, SIGILL ...) writes the bytes to the terminal and sets these modes
// before it ends the program in the usual way. At most 256 bytes.
void parallax_crash_arm(int fd, const struct termios *modes, const char *bytes, size_t count);

// Until the next `parallax_crash_arm`, a crash leaves the terminal as it is.
void parallax_crash_disarm(void);

// Starts `/bin/sh` in a session of its own, with `input` as its standard input and `output` as its standard
// output. `arguments` begin with the name and end with NULL. Returns its process, or -1 with errno.
pid_t parallax_guard_start(char *const *arguments, int input, int output);

#ifdef __cplusplus
}
#endif
