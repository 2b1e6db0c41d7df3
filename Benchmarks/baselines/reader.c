// SPDX-License-Identifier: Apache-2.0
// reader PATH PID COUNT SECONDS [REQUEST...]: COUNT clients of a stream socket. Client i sends REQUEST i mod n
// when it has connected. After a second of rest it reads for SECONDS and prints, as JSON:
//   messages     OFFSET lines received
//   cpu          what the process PID used meanwhile, s (user and system)
//   switches     its voluntary context switches
//   frames       the different frames among the lines
//   bytes        received
//   p50, p99     from a frame's `time` to the receipt of its line, us
//   last50, last99   from a frame's `time` to its last receipt, us
//   spread50, spread99   from a frame's first receipt to its last, us
//   closed       connections that the other side ended
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { frameSlots = 1 << 16, maxLatencies = 1 << 23 };

struct frame {
  uint64_t seq, time, first, last;
  int isUsed;
};

struct client {
  int length;
  char rest[2048];
};

static struct frame frames[frameSlots];
static uint32_t *latencies;
static size_t latencyCount;
static uint64_t messages, bytes;

static uint64_t clock_now(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static long switches(const char *pid) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%s/status", pid);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  long count = 0;
  while (fgets(text, sizeof text, file)) sscanf(text, "voluntary_ctxt_switches: %ld", &count);
  fclose(file);
  return count;
}

static uint64_t number(const char **at) {
  uint64_t value = 0;
  while (**at >= '0' && **at <= '9') value = value * 10 + (uint64_t)(*(*at)++ - '0');
  return value;
}

static void take(const char *line, uint64_t now) {
  static const char head[] = "{\"class\":\"OFFSET\",\"seq\":", middle[] = ",\"time\":";
  if (strncmp(line, head, sizeof head - 1)) return;
  const char *at = line + sizeof head - 1;
  uint64_t seq = number(&at);
  if (strncmp(at, middle, sizeof middle - 1)) return;
  at += sizeof middle - 1;
  uint64_t time = number(&at) * 1000000000;
  at++;
  time += number(&at);
  messages++;
  if (latencyCount < maxLatencies) latencies[latencyCount++] = (uint32_t)((now - time) / 100);
  struct frame *frame = &frames[seq % frameSlots];
  if (!frame->isUsed || frame->seq != seq) *frame = (struct frame){seq, time, now, now, 1};
  frame->last = now;
}

static int ascending(const void *first, const void *second) {
  uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
  return (a > b) - (a < b);
}

static double share(uint32_t *values, size_t count, double share) {
  if (count == 0) return 0;
  return values[(size_t)(share * (double)(count - 1))] / 10.0;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fputs("usage: reader PATH PID COUNT SECONDS [REQUEST...]\n", stderr);
    return 64;
  }
  int count = atoi(argv[3]), closed = 0;
  double seconds = atof(argv[4]);
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  latencies = malloc(maxLatencies * sizeof *latencies);
  struct client *clients = calloc((size_t)count + 64, sizeof *clients);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  int poll = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < count; i++) {
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client < 0 || client >= count + 64) return perror("socket"), 71;
    if (connect(client, (struct sockaddr *)&address, sizeof address)) return perror("connect"), 71;
    if (argc > 5) {
      const char *request = argv[5 + i % (argc - 5)];
      if (*request && (write(client, request, strlen(request)) < 0 || write(client, "\n", 1) < 0))
        return perror("write"), 71;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.fd = client};
    epoll_ctl(poll, EPOLL_CTL_ADD, client, &event);
  }
  clockid_t processClock;
  clock_getcpuclockid(atoi(argv[2]), &processClock);
  uint64_t begin = clock_now(CLOCK_MONOTONIC) + 1000000000, end = begin + (uint64_t)(seconds * 1e9);
  uint64_t cpu = 0;
  long switched = 0;
  int isMeasuring = 0;
  for (;;) {
    uint64_t now = clock_now(CLOCK_MONOTONIC);
    if (!isMeasuring && now >= begin) {
      isMeasuring = 1;
      messages = bytes = latencyCount = 0;
      memset(frames, 0, sizeof frames);
      cpu = clock_now(processClock);
      switched = switches(argv[2]);
    }
    if (now >= end) break;
    struct epoll_event events[1024];
    int ready = epoll_wait(poll, events, 1024, (int)(((isMeasuring ? end : begin) - now) / 1000000) + 1);
    for (int i = 0; i < ready; i++) {
      int descriptor = events[i].data.fd;
      struct client *client = &clients[descriptor];
      ssize_t received = recv(
        descriptor, client->rest + client->length, sizeof client->rest - 1 - client->length, MSG_DONTWAIT);
      if (received <= 0) {
        if (received < 0 && errno == EAGAIN) continue;
        close(descriptor);
        closed++;
        continue;
      }
      uint64_t then = clock_now(CLOCK_MONOTONIC);
      bytes += (uint64_t)received;
      client->length += (int)received;
      client->rest[client->length] = 0;
      char *line = client->rest, *feed;
      while ((feed = strchr(line, '\n'))) {
        *feed = 0;
        take(line, then);
        line = feed + 1;
      }
      client->length -= (int)(line - client->rest);
      memmove(client->rest, line, (size_t)client->length);
      if (client->length == sizeof client->rest - 1) client->length = 0;
    }
  }
  cpu = clock_now(processClock) - cpu;
  switched = switches(argv[2]) - switched;
  uint32_t *last = calloc(frameSlots, sizeof *last), *spread = calloc(frameSlots, sizeof *spread);
  size_t frameCount = 0;
  for (int i = 0; i < frameSlots; i++)
    if (frames[i].isUsed) {
      last[frameCount] = (uint32_t)((frames[i].last - frames[i].time) / 100);
      spread[frameCount++] = (uint32_t)((frames[i].last - frames[i].first) / 100);
    }
  qsort(latencies, latencyCount, sizeof *latencies, ascending);
  qsort(last, frameCount, sizeof *last, ascending);
  qsort(spread, frameCount, sizeof *spread, ascending);
  printf(
    "{\"messages\":%llu,\"cpu\":%.9f,\"switches\":%ld,\"frames\":%zu,\"bytes\":%llu,\"p50\":%.1f,"
    "\"p99\":%.1f,\"last50\":%.1f,\"last99\":%.1f,\"spread50\":%.1f,\"spread99\":%.1f,\"closed\":%d}\n",
    (unsigned long long)messages, cpu / 1e9, switched, frameCount, (unsigned long long)bytes,
    share(latencies, latencyCount, 0.5), share(latencies, latencyCount, 0.99),
    share(last, frameCount, 0.5), share(last, frameCount, 0.99), share(spread, frameCount, 0.5),
    share(spread, frameCount, 0.99), closed);
  return 0;
}
