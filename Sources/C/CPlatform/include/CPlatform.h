// SPDX-License-Identifier: Apache-2.0

#pragma once
// Parts of the C library that Swift cannot import: variadic functions, macros with arguments, and
// declarations that glibc has only under _GNU_SOURCE. Every function is `static inline` and returns
// the result of its call, which also sets `errno`.
#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

// <sys/socket.h> declares it only under _GNU_SOURCE.
extern int accept4(int, struct sockaddr *, socklen_t *, int);

// MARK: - Access lists

static inline ssize_t parallax_access_list(const char *path, void *bytes, size_t size) {
  return getxattr(path, "system.posix_acl_access", bytes, size);
}

// MARK: - Unix sockets

// The length of the longest path that fits into sun_path with its NUL.
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

static inline int parallax_timer(void) {
  return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
}

// An instant of CLOCK_MONOTONIC above 0; 0 disarms.
static inline int parallax_timer_arm(int fd, int64_t nanoseconds) {
  struct itimerspec at = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL);
}

static inline int parallax_unix_datagram_socket(void) {
  return socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline ssize_t parallax_unix_send_to(int fd, const char *path, const void *bytes,
                                            size_t count) {
  struct sockaddr_un address;
  if (parallax_unix_address(&address, path) < 0) return -1;
  return sendto(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&address,
                sizeof address);
}

// Returns 1 for a listening Unix stream socket, 0 for any other descriptor.
static inline int parallax_is_listening_unix_stream(int fd) {
  int listening = 0;
  socklen_t size = sizeof listening;
  int domain = 0, type = 0;
  socklen_t domain_size = sizeof domain, type_size = sizeof type;
  if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &domain_size) < 0) return 0;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) < 0) return 0;
  if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) < 0) return 0;
  return domain == AF_UNIX && type == SOCK_STREAM && listening != 0;
}

static inline int parallax_set_send_buffer(int fd, int bytes) {
  return setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

// Sets `bytes` to the size of the output that the peer has not read, in the kernel's accounting
// (buffers, not payload).
static inline int parallax_unsent_bytes(int fd, int *bytes) { return ioctl(fd, SIOCOUTQ, bytes); }

// struct ucred needs _GNU_SOURCE; its layout is kernel ABI.
struct parallax_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

static inline int parallax_peer_credentials(int fd, struct parallax_credentials *credentials) {
  socklen_t size = sizeof *credentials;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, credentials, &size);
}

// Fills `groups` with the peer's supplementary groups at the time of connect(). Returns their number;
// if that is more than `capacity`, none were written. Returns -1 on an error (ENOPROTOOPT on kernels
// before 4.13).
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

// MARK: - uevents

// The kernel's messages, not udev's: they reach every network namespace and do not need udevd.
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

// Returns the length of the next message, 0 if its sender is not the kernel, -1 on an error.
// (umockdev sends its messages over a Unix socket.)
static inline ssize_t parallax_uevent_receive(int fd, void *bytes, size_t size) {
  struct sockaddr_nl sender;
  socklen_t length = sizeof sender;
  memset(&sender, 0, sizeof sender);
  ssize_t count = recvfrom(fd, bytes, size, MSG_DONTWAIT, (struct sockaddr *)&sender, &length);
  if (count > 0 && sender.nl_family == AF_NETLINK && sender.nl_pid != 0) return 0;
  return count;
}

// MARK: - Time

// In C because Swift sees `struct timespec` in this module and in Glibc, and uses one or the other
// depending on the order of the build.
static inline int64_t parallax_monotonic_nanoseconds(void) {
  struct timespec time = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: - Memory

// Returns the heap's free pages to the system. Other allocators than glibc's do so by themselves.
static inline void parallax_trim_heap(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// MARK: - Descriptors

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

// Sets `soft` and `hard` to the limits on this process's descriptors (a number below the limit is
// allowed).
static inline int parallax_descriptor_limits(uint64_t *soft, uint64_t *hard) {
  struct rlimit limits;
  if (getrlimit(RLIMIT_NOFILE, &limits) < 0) return -1;
  *soft = limits.rlim_cur;
  *hard = limits.rlim_max;
  return 0;
}

static inline int parallax_set_descriptor_limit(uint64_t soft, uint64_t hard) {
  const struct rlimit limits = {.rlim_cur = soft, .rlim_max = hard};
  return setrlimit(RLIMIT_NOFILE, &limits);
}

static inline int parallax_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void parallax_event_signal(int fd) {
  const uint64_t one = 1;
  // Fails only if the counter is full; the descriptor is readable then, too.
  if (write(fd, &one, sizeof one) < 0) return;
}

static inline void parallax_event_clear(int fd) {
  uint64_t count;
  if (read(fd, &count, sizeof count) < 0) return;
}

// <poll.h> declares it only under _GNU_SOURCE.
extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

// Waits until the descriptor is readable, for at most `nanoseconds`; without a limit if negative.
static inline void parallax_wait_readable(int fd, int64_t nanoseconds) {
  struct pollfd entry = {.fd = fd, .events = POLLIN};
  struct timespec span = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  (void)ppoll(&entry, 1, nanoseconds < 0 ? NULL : &span, NULL);
}

// Opens a file to lock, and creates it for this user alone. Does not follow a link and does not wait
// for a FIFO.
static inline int parallax_open_lock(const char *path) {
  return open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
}

// Returns 1 for a file that the kernel makes up as it is read, such as those in /proc: some of these
// wait for an event although they are regular files (/proc/kmsg, trace_pipe). Returns -1 on an error.
static inline int parallax_is_kernel_file(int fd) {
  struct statfs status;
  if (fstatfs(fd, &status) < 0) return -1;
  switch ((unsigned long)status.f_type) {
  case PROC_SUPER_MAGIC:
  case SYSFS_MAGIC:
  case DEBUGFS_MAGIC:
  case TRACEFS_MAGIC:
  case SECURITYFS_MAGIC:
  case CGROUP_SUPER_MAGIC:
  case CGROUP2_SUPER_MAGIC:
  case BPF_FS_MAGIC:
  case EFIVARFS_MAGIC:
  case PSTOREFS_MAGIC:
    return 1;
  default:
    return 0;
  }
}

// Swift cannot call `flock` directly: a structure has the same name.
static inline int parallax_try_lock(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

#ifdef __cplusplus
}
#endif
