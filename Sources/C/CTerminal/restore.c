// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE 1
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

// MARK: - Signals as a descriptor

int parallax_signal_descriptor(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0) return -1;
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int parallax_next_signal(int fd) {
  struct signalfd_siginfo info;
  return read(fd, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

// MARK: - Crashes

// SIGQUIT is here because it ends a program without a chance to clean up, like a crash.
static const int crashes[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT};
enum { CRASHES = sizeof crashes / sizeof crashes[0] };

static struct sigaction before[CRASHES];
static struct termios saved;
static char sequence[256];
static size_t length;
static int terminal = -1;
static atomic_int is_armed;
static int is_installed;

// Uses only functions that a handler may call (signal-safety(7)).
static void handle(int number) {
  if (atomic_exchange(&is_armed, 0)) {
    // Ignored, so that a background process may restore the terminal too.
    signal(SIGTTOU, SIG_IGN);
    ssize_t ignored = write(terminal, sequence, length);
    (void)ignored;
    tcsetattr(terminal, TCSANOW, &saved);
  }
  // The handler from before, usually the default, ends the program: the signal, blocked until this handler
  // returns, arrives again.
  for (int i = 0; i < CRASHES; i++)
    if (crashes[i] == number) sigaction(number, &before[i], NULL);
  raise(number);
}

void parallax_crash_arm(int fd, const struct termios *modes, const char *bytes, size_t count) {
  atomic_store(&is_armed, 0);
  terminal = fd;
  saved = *modes;
  length = count < sizeof sequence ? count : sizeof sequence;
  memcpy(sequence, bytes, length);
  if (!is_installed) {
    // A stack of its own: the crash may be an overflow of the other one.
    static char stack[16384];
    const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternative, NULL);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &action, &before[i]);
    is_installed = 1;
  }
  atomic_store(&is_armed, 1);
}

void parallax_crash_disarm(void) { atomic_store(&is_armed, 0); }

// MARK: - Guard

pid_t parallax_guard_start(char *const *arguments, int input, int output) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none;
  pid_t process = -1;
  sigemptyset(&none);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  int code = posix_spawn(&process, "/bin/sh", &files, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (code != 0) {
    errno = code;
    return -1;
  }
  return process;
}
