// SPDX-License-Identifier: Apache-2.0

#include "CTerminal.h"

#include <string.h>
#include <sys/ioctl.h>
// After the standard headers: term.h defines macros with common names.
#include <curses.h>
#include <term.h>

// Copies a sequence without its delays, $<5>, which only real terminals needed.
static void copy(char *to, const char *name) {
  const char *from = tigetstr((char *)name);
  size_t used = 0;
  to[0] = 0;
  if (from == NULL || from == (const char *)-1) return;
  while (*from != 0) {
    if (from[0] == '$' && from[1] == '<') {
      const char *end = strchr(from, '>');
      if (end != NULL) {
        from = end + 1;
        continue;
      }
    }
    if (used == PARALLAX_SEQUENCE_MAX - 1) {
      to[0] = 0;
      return;
    }
    to[used++] = *from++;
  }
  to[used] = 0;
}

void parallax_terminfo_read(const char *term, struct parallax_terminfo *info) {
  int result = 0;
  memset(info, 0, sizeof *info);
  if (setupterm((char *)term, 1, &result) != OK) return;
  info->is_known = 1;
  const char *cursor = tigetstr((char *)"cup");
  info->is_ansi = cursor != NULL && cursor != (const char *)-1 &&
                  strncmp(cursor, "\033[%i%p1%d;%p2%dH", 16) == 0;
  int count = tigetnum((char *)"colors");
  info->colors = count > 0 ? count : 0;
  copy(info->enter, "smcup");
  copy(info->leave, "rmcup");
  copy(info->hide, "civis");
  copy(info->show, "cnorm");
  del_curterm(cur_term);
}

int parallax_terminal_size(int fd, int *rows, int *columns_) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) < 0) return -1;
  *rows = size.ws_row;
  *columns_ = size.ws_col;
  return 0;
}
