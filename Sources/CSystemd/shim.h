#pragma once
// What Swift cannot reach by itself: variadic functions, macros with arguments, and declarations
// that glibc shows only under _GNU_SOURCE. Everything here is `static inline` and returns what the
// call returned; `errno` is the call's.
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

// Shown by <sys/socket.h> only under _GNU_SOURCE.
extern int accept4(int, struct sockaddr *, socklen_t *, int);

// -- epoll's bits, as plain numbers (in C they are an enumeration with a macro of each name)

static const uint32_t PARALLAX_EPOLLIN = 0x001;
static const uint32_t PARALLAX_EPOLLOUT = 0x004;
static const uint32_t PARALLAX_EPOLLERR = 0x008;
static const uint32_t PARALLAX_EPOLLHUP = 0x010;
static const uint32_t PARALLAX_EPOLLRDHUP = 0x2000;

// -- Unix sockets

// The longest path that fits sun_path with its NUL.
static const size_t PARALLAX_UNIX_PATH_MAX = sizeof(((struct sockaddr_un *)0)->sun_path) - 1;

static inline int parallax_unix_socket(void) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int parallax_unix_socketpair(int *first, int *second) {
  int both[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, both) < 0) return -1;
  *first = both[0];
  *second = both[1];
  return 0;
}

static inline int parallax_unix_address(struct sockaddr_un *address, const char *path) {
  size_t length = strlen(path);
  if (length == 0 || length > PARALLAX_UNIX_PATH_MAX) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return 0;
}

static inline int parallax_unix_bind(int fd, const char *path) {
  struct sockaddr_un address;
  if (parallax_unix_address(&address, path) < 0) return -1;
  return bind(fd, (const struct sockaddr *)&address, sizeof address);
}

static inline int parallax_unix_connect(int fd, const char *path) {
  struct sockaddr_un address;
  if (parallax_unix_address(&address, path) < 0) return -1;
  return connect(fd, (const struct sockaddr *)&address, sizeof address);
}

static inline int parallax_accept(int fd) {
  return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline ssize_t parallax_send(int fd, const void *bytes, size_t count) {
  return send(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static inline ssize_t parallax_receive(int fd, void *bytes, size_t count) {
  return recv(fd, bytes, count, MSG_DONTWAIT);
}

static inline int parallax_shutdown_write(int fd) { return shutdown(fd, SHUT_WR); }

// Of a listening Unix stream socket 1, of any other descriptor 0.
static inline int parallax_is_listening_unix_stream(int fd) {
  int listening = 0;
  socklen_t size = sizeof listening;
  if (sd_is_socket(fd, AF_UNIX, SOCK_STREAM, -1) <= 0) return 0;
  if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) < 0) return 0;
  return listening != 0;
}

static inline int parallax_set_send_buffer(int fd, int bytes) {
  return setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

static inline int parallax_get_send_buffer(int fd, int *bytes) {
  socklen_t size = sizeof *bytes;
  return getsockopt(fd, SOL_SOCKET, SO_SNDBUF, bytes, &size);
}

// What of the sent bytes the peer has not read, in the kernel's accounting (buffers, not payload).
static inline int parallax_unsent_bytes(int fd, int *bytes) { return ioctl(fd, SIOCOUTQ, bytes); }

// struct ucred is hidden without _GNU_SOURCE; its layout is the kernel's ABI.
struct parallax_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

static inline int parallax_peer_credentials(int fd, struct parallax_credentials *credentials) {
  socklen_t size = sizeof *credentials;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, &size);
}

// Fills `groups` with the peer's supplementary groups as they were at connect(). Returns how many
// there are; more than `capacity`: none were written, ask again. -1: see errno (ENOPROTOOPT on
// kernels before 4.13).
static inline int parallax_peer_groups(int fd, gid_t *groups, int capacity) {
#ifdef SO_PEERGROUPS
  socklen_t size = (socklen_t)((size_t)capacity * sizeof *groups);
  if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) == 0 || errno == ERANGE)
    return (int)(size / sizeof *groups);
  return -1;
#else
  (void)fd, (void)groups, (void)capacity;
  errno = ENOPROTOOPT;
  return -1;
#endif
}

// -- The kernel's news of devices

// The kernel's own, not udev's: they reach every network namespace, and need no udevd.
static inline int parallax_uevent_socket(void) {
  const struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1};
  int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
  if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) < 0) {
    int error = errno;
    close(fd);
    errno = error;
    return -1;
  }
  return fd;
}

// The next message's length; 0 for one that did not come from the kernel; -1: see errno.
// (umockdev's messages come from a Unix socket.)
static inline ssize_t parallax_uevent_receive(int fd, void *bytes, size_t size) {
  struct sockaddr_nl sender;
  socklen_t length = sizeof sender;
  memset(&sender, 0, sizeof sender);
  ssize_t count = recvfrom(fd, bytes, size, MSG_DONTWAIT, (struct sockaddr *)&sender, &length);
  if (count > 0 && sender.nl_family == AF_NETLINK && sender.nl_pid != 0) return 0;
  return count;
}

// -- Time

// Here, because Swift sees `struct timespec` in this module as well as in Glibc and takes the one
// or the other for its home, depending on the order of the build.
static inline int64_t parallax_monotonic_nanoseconds(void) {
  struct timespec time = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// -- Memory

// Lets go of the pages of this program's own code. They are the file's, unchanged: what runs again
// is mapped again from the kernel's cache. Only a segment that is read and executed and nothing else.
static inline int parallax_release_code(void) {
  const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
  size_t count = getauxval(AT_PHNUM);
  uintptr_t page = getauxval(AT_PAGESZ), base = 0;
  if (headers == NULL || page == 0) return 0;
  for (size_t i = 0; i < count; i++)
    if (headers[i].p_type == PT_PHDR) base = (uintptr_t)headers - headers[i].p_vaddr;
  for (size_t i = 0; i < count; i++) {
    if (headers[i].p_type != PT_LOAD || headers[i].p_flags != (PF_R | PF_X)) continue;
    // Whole pages inside it: those at its ends may be shared with a neighbour.
    uintptr_t from = (base + headers[i].p_vaddr + page - 1) & ~(page - 1);
    uintptr_t to = (base + headers[i].p_vaddr + headers[i].p_filesz) & ~(page - 1);
    if (from < to && madvise((void *)from, to - from, MADV_DONTNEED) < 0) return -1;
  }
  return 0;
}

// Gives the heap's free pages back. Elsewhere than in glibc the allocator does that by itself.
static inline void parallax_trim_heap(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// -- Descriptors

static inline int parallax_open(const char *path, int flags) {
  return open(path, flags | O_CLOEXEC);
}

static inline int parallax_set_nonblocking_cloexec(int fd) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return -1;
  flags = fcntl(fd, F_GETFD);
  if (flags < 0 || fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0) return -1;
  return 0;
}

// `flock` is a structure too, so Swift cannot name the function.
static inline int parallax_try_lock(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

#ifdef __cplusplus
}
#endif
