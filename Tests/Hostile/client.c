// SPDX-License-Identifier: Apache-2.0

// A client of parallaxd that attacks it, and one that measures it. Python would be too slow for both.
//
// client [OPTION...] SOCKET
//   -n N        number of connections (default: 1)
//   -w LINE     line to send after connecting; connection i sends the (i mod number of -w)th
//   -f LINE     then sends this line as fast as it can
//   -F FILE     the same, with the line that FILE contains
//   -l N        sends it only N times
//   -p BYTES    then sends this many bytes without a line feed
//   -u          reads nothing
//   -z MS       reads everything that waits, once per MS milliseconds
//   -r          connects again if the daemon closes a connection
//   -c          connects and closes as fast as it can
//   -g          closes all connections at the first SIGUSR1, and stays
//   -o FILE     writes each received line to FILE, after its time of arrival (s of CLOCK_MONOTONIC) and
//               the number of its connection
//   -e SECONDS  prints once per that time: the time, the number of OFFSETs, their lateness after their
//               time in ms (median, 99th percentile, maximum) and the longest gap between two in ms
//   -a LINE     asks instead: connects, sends LINE, waits for the answer, closes; -n times, -i apart
//   -q          does not print the answers
//   -i MS       time between two questions (default: 100)
//   -t SECONDS  ends after this time (default: at SIGTERM)
//
// At the end it prints its counts as JSON, for -a one line per question before: the seconds until
// connected, the seconds from LINE to the answer, and the answer.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { max_lines = 64, block_bytes = 64 << 10, buffer_bytes = 8 << 10 };

struct connection {
  int descriptor;  // -1: not connected
  size_t number;
  size_t greeted;  // bytes of the first line that are sent
  size_t flooded;  // position in the flood's block
  size_t used;     // bytes in the buffer
  char *buffer;
  double retry;
};

static const char *socket_path, *lines[max_lines], *question;
static size_t line_count, connection_count = 1, partial_bytes, flood_limit;
static char *block;
static size_t block_used;
static int reads = 1, quiet, reconnects, churns, closes_on_signal, question_milliseconds = 100;
static double pause_seconds, window;
static float *lateness;
static size_t late_count, late_space;
static double last_arrival, longest_gap;
static FILE *output;
static int events;
static struct connection *connections;
static volatile sig_atomic_t stopped, closing;
static struct {
  unsigned long connected, refused, closed, sent, received, lines, offsets, dropped, errors;
} counts;

static void handle(int signal) {
  if (signal == SIGUSR1) {
    closing = 1;
  } else {
    stopped = 1;
  }
}

static double monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static int connect_now(int flags) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, socket_path, sizeof address.sun_path - 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (descriptor < 0) return -1;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}

static void watch(struct connection *connection, uint32_t wanted, int operation) {
  struct epoll_event event = {.events = wanted, .data.ptr = connection};
  epoll_ctl(events, operation, connection->descriptor, &event);
}

static int has_output(const struct connection *connection) {
  if (block_used && !partial_bytes && !(flood_limit && connection->flooded == block_used)) return 1;
  if (line_count && connection->greeted < strlen(lines[connection->number % line_count]) + 1) return 1;
  return partial_bytes && connection->flooded < partial_bytes;
}

static uint32_t wanted_events(const struct connection *connection) {
  return EPOLLRDHUP | (reads && !pause_seconds ? EPOLLIN : 0) | (has_output(connection) ? EPOLLOUT : 0);
}

static void open_connection(struct connection *connection, double now) {
  connection->descriptor = connect_now(SOCK_NONBLOCK);
  if (connection->descriptor < 0) {
    counts.refused++;
    connection->retry = now + 0.005;
    return;
  }
  counts.connected++;
  connection->greeted = connection->flooded = connection->used = 0;
  watch(connection, wanted_events(connection), EPOLL_CTL_ADD);
}

static void close_connection(struct connection *connection, double now) {
  counts.closed++;
  close(connection->descriptor);
  connection->descriptor = -1;
  connection->retry = now;
}

static int push(struct connection *connection, const char *bytes, size_t count, size_t *position) {
  ssize_t sent = send(connection->descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) return errno == EAGAIN ? 0 : -1;
  *position += sent;
  counts.sent += sent;
  return 1;
}

static void write_some(struct connection *connection, double now) {
  int result = 1;
  if (line_count) {
    const char *line = lines[connection->number % line_count];
    size_t length = strlen(line);
    if (connection->greeted < length) {
      result = push(connection, line + connection->greeted, length - connection->greeted, &connection->greeted);
    }
    if (result > 0 && connection->greeted == length) result = push(connection, "\n", 1, &connection->greeted);
    if (result > 0 && connection->greeted <= length) return;
  }
  if (result > 0 && partial_bytes && connection->flooded < partial_bytes) {
    size_t left = partial_bytes - connection->flooded;
    result = push(connection, block, left < block_used ? left : block_used, &connection->flooded);
  } else if (result > 0 && has_output(connection)) {
    result = push(connection, block + connection->flooded, block_used - connection->flooded, &connection->flooded);
    if (connection->flooded == block_used && !flood_limit) connection->flooded = 0;
  }
  if (result < 0) return close_connection(connection, now);
  if (!has_output(connection)) watch(connection, wanted_events(connection), EPOLL_CTL_MOD);
}

static int compare(const void *one, const void *other) {
  float a = *(const float *)one, b = *(const float *)other;
  return (a > b) - (a < b);
}

static void take_lateness(const char *line, double arrival) {
  const char *time = strstr(line, "\"time\":");
  if (!time) return;
  if (late_count == late_space) lateness = realloc(lateness, (late_space += 4096) * sizeof *lateness);
  lateness[late_count++] = (arrival - strtod(time + 7, NULL)) * 1000;
  double gap = (arrival - last_arrival) * 1000;
  if (last_arrival && gap > longest_gap) longest_gap = gap;
  last_arrival = arrival;
}

static void print_window(double now) {
  qsort(lateness, late_count, sizeof *lateness, compare);
  printf("%.3f %zu", now, late_count);
  if (late_count) {
    printf(" %.3f %.3f %.3f %.1f", lateness[late_count / 2], lateness[late_count * 99 / 100],
           lateness[late_count - 1], longest_gap);
  }
  puts("");
  fflush(stdout);
  late_count = 0;
  longest_gap = 0;
}

static void take_line(struct connection *connection, char *line, size_t length, double arrival) {
  static const char offset[] = "{\"class\":\"OFFSET\"", error[] = "{\"class\":\"ERROR\"";
  counts.lines++;
  if (!strncmp(line, offset, sizeof offset - 1)) {
    counts.offsets++;
    if (window) take_lateness(line, arrival);
    const char *dropped = strstr(line, "\"dropped\":");
    if (dropped) counts.dropped += strtoul(dropped + 10, NULL, 10);
  } else if (!strncmp(line, error, sizeof error - 1)) {
    counts.errors++;
  }
  if (output) fprintf(output, "%.6f %zu %.*s\n", arrival, connection->number, (int)length, line);
}

static void read_some(struct connection *connection, double now) {
  for (;;) {
    char *end = connection->buffer + connection->used;
    ssize_t count = recv(connection->descriptor, end, buffer_bytes - connection->used, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return close_connection(connection, now);
    double arrival = monotonic_seconds();
    counts.received += count;
    connection->used += count;
    char *line = connection->buffer, *limit = line + connection->used;
    for (char *feed; (feed = memchr(line, '\n', limit - line)); line = feed + 1) {
      *feed = 0;
      take_line(connection, line, feed - line, arrival);
    }
    connection->used = limit - line;
    memmove(connection->buffer, line, connection->used);
    // A longer line is of no interest here, only its end.
    if (connection->used == buffer_bytes) connection->used = 0;
    if (!pause_seconds) return;
  }
}

static void churn(void) {
  for (int turn = 0; turn < 64 && !stopped; turn++) {
    int descriptor = connect_now(SOCK_NONBLOCK);
    if (descriptor < 0) {
      counts.refused++;
      usleep(100);
      continue;
    }
    counts.connected++;
    close(descriptor);
  }
}

static void ask(void) {
  char answer[block_bytes];
  for (size_t index = 0; index < connection_count && !stopped; index++) {
    if (index) usleep(question_milliseconds * 1000);
    double begin = monotonic_seconds();
    int descriptor = connect_now(0);
    double connected = monotonic_seconds();
    if (descriptor < 0) {
      counts.refused++;
      continue;
    }
    counts.connected++;
    struct timeval limit = {.tv_sec = 10};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    send(descriptor, question, strlen(question), MSG_NOSIGNAL);
    send(descriptor, "\n", 1, MSG_NOSIGNAL);
    size_t used = 0;
    while (used < sizeof answer - 1) {
      ssize_t count = recv(descriptor, answer + used, sizeof answer - 1 - used, 0);
      if (count <= 0) break;
      used += count;
      if (memchr(answer, '\n', used)) break;
    }
    double answered = monotonic_seconds();
    answer[used] = 0;
    answer[strcspn(answer, "\n")] = 0;
    if (!quiet) printf("%.6f %.6f %s\n", connected - begin, answered - connected, used ? answer : "none");
    close(descriptor);
  }
}

static void fill_block(const char *line) {
  size_t length = strlen(line);
  size_t bytes = flood_limit ? flood_limit * (length + 1) : block_bytes;
  block = malloc(bytes + length + 1);
  while (block_used < bytes) {
    memcpy(block + block_used, line, length);
    block_used += length;
    if (!partial_bytes) block[block_used++] = '\n';
  }
}

static const char *contents(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return NULL;
  char *text = calloc(1, 2 << 20);
  fread(text, 1, (2 << 20) - 1, file) ? 0 : perror(path);
  fclose(file);
  return text;
}

static void serve(double end) {
  struct epoll_event ready[256];
  events = epoll_create1(EPOLL_CLOEXEC);
  connections = calloc(connection_count, sizeof *connections);
  for (size_t index = 0; index < connection_count; index++) {
    connections[index] = (struct connection){.descriptor = -1, .number = index, .buffer = malloc(buffer_bytes)};
  }
  int opens = 1;  // whether a connection may have to be opened
  double next_read = 0, next_print = monotonic_seconds() + window;
  while (!stopped) {
    double now = monotonic_seconds();
    if (now >= end) break;
    if (closing && closes_on_signal) {
      for (size_t index = 0; index < connection_count; index++) {
        if (connections[index].descriptor >= 0) close(connections[index].descriptor);
        connections[index].descriptor = -1;
      }
      closing = reconnects = opens = 0;
    }
    if (window && now >= next_print) {
      print_window(now);
      next_print += window;
    }
    if (churns) {
      churn();
      continue;
    }
    int pending = 0;
    for (size_t index = 0; opens && index < connection_count; index++) {
      if (connections[index].descriptor >= 0) continue;
      if (connections[index].retry <= now) open_connection(&connections[index], now);
      if (connections[index].descriptor < 0) pending = 1;
    }
    opens = pending;
    if (pause_seconds && now >= next_read) {
      for (size_t index = 0; index < connection_count; index++) {
        if (connections[index].descriptor >= 0) read_some(&connections[index], now);
      }
      next_read = now + pause_seconds;
    }
    int count = epoll_wait(events, ready, 256, opens || pause_seconds ? 2 : 50);
    now = monotonic_seconds();
    for (int index = 0; index < count; index++) {
      struct connection *connection = ready[index].data.ptr;
      if (connection->descriptor < 0) continue;
      if (ready[index].events & EPOLLIN) read_some(connection, now);
      if (connection->descriptor >= 0 && ready[index].events & EPOLLOUT) write_some(connection, now);
      if (connection->descriptor >= 0 && !(ready[index].events & (EPOLLIN | EPOLLOUT))) {
        close_connection(connection, now);
      }
      if (connection->descriptor < 0 && reconnects) opens = 1;
    }
  }
}

int main(int count, char **arguments) {
  const char *flood = NULL;
  double end = 1e18;
  for (int option; (option = getopt(count, arguments, "n:w:f:F:l:p:uz:rcgo:e:a:qi:t:")) != -1;) {
    switch (option) {
    case 'n': connection_count = strtoul(optarg, NULL, 10); break;
    case 'w': if (line_count < max_lines) lines[line_count++] = optarg; break;
    case 'f': flood = optarg; break;
    case 'F': flood = contents(optarg); break;
    case 'l': flood_limit = strtoul(optarg, NULL, 10); break;
    case 'p': partial_bytes = strtoul(optarg, NULL, 10); break;
    case 'u': reads = 0; break;
    case 'z': pause_seconds = strtod(optarg, NULL) / 1000; break;
    case 'r': reconnects = 1; break;
    case 'c': churns = 1; break;
    case 'g': closes_on_signal = 1; break;
    case 'o': output = fopen(optarg, "w"); break;
    case 'e': window = strtod(optarg, NULL); break;
    case 'a': question = optarg; break;
    case 'q': quiet = 1; break;
    case 'i': question_milliseconds = atoi(optarg); break;
    case 't': end = monotonic_seconds() + strtod(optarg, NULL); break;
    default: return 64;
    }
  }
  if (optind != count - 1) {
    fputs("usage: client [OPTION...] SOCKET; the options are listed in client.c\n", stderr);
    return 64;
  }
  socket_path = arguments[optind];
  if (output) setvbuf(output, NULL, _IOFBF, 1 << 20);
  if (flood || partial_bytes) fill_block(flood ? flood : "x");
  // Without SA_RESTART: a signal ends the wait.
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  if (question) {
    ask();
  } else {
    serve(end);
  }
  if (output) fclose(output);
  printf("{\"connected\":%lu,\"refused\":%lu,\"closed\":%lu,\"sent\":%lu,\"received\":%lu,\"lines\":%lu,"
         "\"offsets\":%lu,\"dropped\":%lu,\"errors\":%lu}\n",
         counts.connected, counts.refused, counts.closed, counts.sent, counts.received, counts.lines,
         counts.offsets, counts.dropped, counts.errors);
  return 0;
}
