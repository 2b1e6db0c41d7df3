// SPDX-License-Identifier: Apache-2.0

// Makes calls of the C library fail on a schedule. Loaded before it with LD_PRELOAD; the schedule is a
// table in the file $PARALLAX_FAULTS, which a test maps and changes while the program runs.
//
//   cc -shared -fPIC -O1 -o faults.so faults.c
//
// A rule applies to the calls of one function, from the `first` one after the rule was set, `count` times,
// and to descriptors or paths that contain `path`. Its `result` is an errno, or SHORT: the call handles
// one byte. The table also counts the calls seen and the faults injected, so that a test knows that its
// fault took place.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <unistd.h>

enum { RULES = 16, SHORT = 10000 };

struct rule {
  char function[16];
  char path[96];
  int32_t result;
  uint32_t first, count;
  _Atomic uint32_t seen, injected;
  uint32_t unused;
};

static struct rule *rules;
static __thread int is_busy;

static int concerns(const struct rule *rule, int fd, const char *path) {
  char target[256];
  if (!rule->path[0]) return 1;
  if (!path && fd >= 0) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = 0;
    path = target;
  }
  return path && strstr(path, rule->path);
}

// Returns 0, an errno or SHORT.
static int fault(const char *function, int fd, const char *path) {
  if (!rules || is_busy) return 0;
  is_busy = 1;
  int result = 0;
  for (int i = 0; i < RULES && !result; i++) {
    struct rule *rule = rules + i;
    if (!rule->count || strcmp(rule->function, function) != 0) continue;
    int saved = errno;
    int applies = concerns(rule, fd, path);
    errno = saved;
    if (!applies) continue;
    uint32_t number = atomic_fetch_add(&rule->seen, 1) + 1;
    if (number >= rule->first && number - rule->first < rule->count) {
      atomic_fetch_add(&rule->injected, 1);
      result = rule->result;
    }
  }
  is_busy = 0;
  return result;
}

// The functions of glibc. All are found at the start: dlsym may allocate.
#define FUNCTIONS(X)                                                                     \
  X(read) X(write) X(recv) X(send) X(open) X(open64) X(openat) X(openat64) X(accept4)    \
  X(socket) X(epoll_create1) X(timerfd_create) X(mkdir) X(rename)
#define DECLARE(name) static __typeof__(&name) next_##name;
FUNCTIONS(DECLARE)

static void find_functions(void) {
#define FIND(name) next_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name);
  FUNCTIONS(FIND)
}

// Another library's constructor may come first.
#define NEXT(name)                      \
  if (!next_##name) find_functions();   \
  __typeof__(&name) next = next_##name;

__attribute__((constructor)) static void attach(void) {
  find_functions();
  const char *path = getenv("PARALLAX_FAULTS");
  if (!path) return;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *table = mmap(NULL, RULES * sizeof *rules, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (table != MAP_FAILED) rules = table;
}

#define FAIL(name, fd, path, value)       \
  int result = fault(#name, fd, path);    \
  if (result && result != SHORT) {        \
    errno = result;                       \
    return value;                         \
  }

// MARK: - Bytes

ssize_t read(int fd, void *bytes, size_t count) {
  NEXT(read)
  FAIL(read, fd, NULL, -1)
  return next(fd, bytes, result && count > 1 ? 1 : count);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  NEXT(write)
  FAIL(write, fd, NULL, -1)
  return next(fd, bytes, result && count > 1 ? 1 : count);
}

ssize_t recv(int fd, void *bytes, size_t count, int flags) {
  NEXT(recv)
  FAIL(recv, fd, NULL, -1)
  return next(fd, bytes, result && count > 1 ? 1 : count, flags);
}

ssize_t send(int fd, const void *bytes, size_t count, int flags) {
  NEXT(send)
  FAIL(send, fd, NULL, -1)
  return next(fd, bytes, result && count > 1 ? 1 : count, flags);
}

// MARK: - Descriptors

#define OPEN(name)                                          \
  int name(const char *path, int flags, ...) {              \
    va_list rest;                                           \
    va_start(rest, flags);                                  \
    mode_t mode = va_arg(rest, mode_t);                     \
    va_end(rest);                                           \
    NEXT(name)                                              \
    FAIL(open, -1, path, -1)                                \
    return next(path, flags, mode);                         \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                        \
  int name(int folder, const char *path, int flags, ...) {  \
    va_list rest;                                           \
    va_start(rest, flags);                                  \
    mode_t mode = va_arg(rest, mode_t);                     \
    va_end(rest);                                           \
    NEXT(name)                                              \
    FAIL(open, -1, path, -1)                                \
    return next(folder, path, flags, mode);                 \
  }
OPENAT(openat)
OPENAT(openat64)

int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict size, int flags) {
  NEXT(accept4)
  FAIL(accept4, fd, NULL, -1)
  return next(fd, address, size, flags);
}

int socket(int domain, int type, int protocol) {
  NEXT(socket)
  FAIL(socket, -1, NULL, -1)
  return next(domain, type, protocol);
}

int epoll_create1(int flags) {
  NEXT(epoll_create1)
  FAIL(epoll_create1, -1, NULL, -1)
  return next(flags);
}

int timerfd_create(int clock, int flags) {
  NEXT(timerfd_create)
  FAIL(timerfd_create, -1, NULL, -1)
  return next(clock, flags);
}

// MARK: - Files

int mkdir(const char *path, mode_t mode) {
  NEXT(mkdir)
  FAIL(mkdir, -1, path, -1)
  return next(path, mode);
}

int rename(const char *from, const char *to) {
  NEXT(rename)
  FAIL(rename, -1, to, -1)
  return next(from, to);
}

// MARK: - Memory

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

void *malloc(size_t size) {
  FAIL(malloc, -1, NULL, NULL)
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  FAIL(malloc, -1, NULL, NULL)
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  FAIL(malloc, -1, NULL, NULL)
  return __libc_realloc(old, size);
}
