// SPDX-License-Identifier: Apache-2.0
// send CLIENTS BYTES ROUNDS: the CPU of one send(2) to a Unix socket, in us. Sends a line to each of the clients in
// turn; between two rounds they are emptied, which is not counted. No one waits for the line: waking a reader
// costs extra.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

static double used(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
  if (argc != 4) return fputs("usage: send CLIENTS BYTES ROUNDS\n", stderr), 64;
  int count = atoi(argv[1]), size = atoi(argv[2]), rounds = atoi(argv[3]);
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  int(*pairs)[2] = calloc((size_t)count, sizeof *pairs);
  char *line = malloc((size_t)size), *read = malloc((size_t)size);
  memset(line, ' ', (size_t)size);
  for (int i = 0; i < count; i++)
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i])) return perror("socketpair"), 71;
  double total = 0;
  for (int round = 0; round < rounds; round++) {
    double begin = used();
    for (int i = 0; i < count; i++)
      if (send(pairs[i][0], line, (size_t)size, MSG_DONTWAIT | MSG_NOSIGNAL) != size) return perror("send"), 71;
    total += used() - begin;
    for (int i = 0; i < count; i++) {
      if (recv(pairs[i][1], read, (size_t)size, 0) != size) return perror("recv"), 71;
    }
  }
  printf("%.4f\n", total / rounds / count);
  return 0;
}
