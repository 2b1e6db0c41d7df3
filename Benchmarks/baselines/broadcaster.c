// SPDX-License-Identifier: Apache-2.0
// broadcaster PATH HERTZ: sends one OFFSET line per frame to every client of a Unix socket, and does nothing
// else: no requests, gates, queues or limits. A client that does not read misses frames. The least work that
// a fan-out over sockets can be: one timerfd, one epoll, one line per frame, one send(2) per client.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { maxClients = 20000 };

static int clients[maxClients];
static int place[maxClients + 64];
static int clientCount;

static void leave(int client) {
  int last = clients[--clientCount];
  clients[place[client]] = last;
  place[last] = place[client];
  close(client);
}

static void broadcast(uint64_t seq, uint64_t nanoseconds) {
  double t = nanoseconds / 1e9;
  double x = round(400 * sin(2.1 * t)) / 100, y = round(300 * cos(1.3 * t)) / 100;
  char line[256];
  int length = snprintf(
    line, sizeof line,
    "{\"class\":\"OFFSET\",\"seq\":%llu,\"time\":%llu.%09llu,\"x\":%.2f,\"y\":%.2f,\"nx\":%.4f,\"ny\":%.4f,"
    "\"vx\":%.1f,\"vy\":%.1f}\n",
    (unsigned long long)seq, (unsigned long long)(nanoseconds / 1000000000),
    (unsigned long long)(nanoseconds % 1000000000), x, y, x / 5, y / 5, 8.4 * cos(2.1 * t),
    -3.9 * sin(1.3 * t));
  for (int i = clientCount - 1; i >= 0; i--) {
    ssize_t sent = send(clients[i], line, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent != length && !(sent < 0 && (errno == EAGAIN || errno == EINTR))) leave(clients[i]);
  }
}

int main(int argc, char **argv) {
  if (argc != 3 || atof(argv[2]) <= 0) {
    fputs("usage: broadcaster PATH HERTZ\n", stderr);
    return 64;
  }
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  int poll = epoll_create1(EPOLL_CLOEXEC);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) {
    perror(argv[1]);
    return 71;
  }
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  event.data.fd = timer;
  epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t start = now.tv_sec * 1000000000ull + now.tv_nsec;
  double period = 1e9 / atof(argv[2]);
  uint64_t seq = 0;
  for (;;) {
    // Absolute, so that the frames do not drift.
    uint64_t due = start + (uint64_t)(period * (double)seq);
    struct itimerspec at = {.it_value = {due / 1000000000, due % 1000000000}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
    int isDue = 0;
    while (!isDue) {
      struct epoll_event events[64];
      int count = epoll_wait(poll, events, 64, -1);
      for (int i = 0; i < count; i++) {
        int descriptor = events[i].data.fd;
        if (descriptor == timer) {
          uint64_t expirations;
          isDue = read(timer, &expirations, sizeof expirations) > 0;
        } else if (descriptor == listener) {
          int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
          if (client < 0 || clientCount == maxClients) continue;
          struct epoll_event each = {.events = EPOLLIN | EPOLLRDHUP, .data.fd = client};
          epoll_ctl(poll, EPOLL_CTL_ADD, client, &each);
          place[client] = clientCount;
          clients[clientCount++] = client;
        } else {
          char ignored[4096];
          if (recv(descriptor, ignored, sizeof ignored, MSG_DONTWAIT) <= 0) leave(descriptor);
        }
      }
    }
    broadcast(seq++, due);
  }
}
