// SPDX-License-Identifier: Apache-2.0

// Measures when a processor runs nothing, not even real-time programs: because of the hypervisor, an
// interrupt or the kernel.
//
// stalls PROCESSOR PRIORITY
//
// Wakes up every millisecond; if that is late by 2 ms or more, it notes the time between. At SIGTERM it
// prints these times, begin and end in s of CLOCK_MONOTONIC. The daemon, which comes first, delays it by
// 1.8 ms at most: 0.9 ms at the end of one millisecond and 0.9 ms at the start of the next.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { max_stalls = 100000 };

static const double period = 0.001, limit = 0.002;
static double stalls[max_stalls][2];
static volatile sig_atomic_t stopped;

static void stop(int signal) {
  (void)signal;
  stopped = 1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  cpu_set_t processor;
  CPU_ZERO(&processor);
  CPU_SET(atoi(arguments[1]), &processor);
  struct sched_param priority = {.sched_priority = atoi(arguments[2])};
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  if (sched_setaffinity(0, sizeof processor, &processor) != 0 || mlockall(MCL_CURRENT) != 0 ||
      sched_setscheduler(0, SCHED_FIFO, &priority) != 0) {
    perror("stalls");
    return 71;
  }
  int used = 0;
  double expected = now() + period;
  while (!stopped) {
    double whole = (double)(time_t)expected;
    struct timespec time = {(time_t)expected, (long)((expected - whole) * 1e9)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
    double woken = now();
    if (woken - expected >= limit && used < max_stalls) {
      stalls[used][0] = expected;
      stalls[used++][1] = woken;
    }
    expected = (woken - expected >= period ? woken : expected) + period;
  }
  for (int index = 0; index < used; index++) printf("%.6f %.6f\n", stalls[index][0], stalls[index][1]);
  return 0;
}
