// SPDX-License-Identifier: Apache-2.0

// Small clients of parallaxd for guest scripts; starting a program there takes up to 0.3 s.
//
// client record FILE SOCKET [LINE...]   connects (for up to 15 s), sends the LINEs and writes each
//   received line to FILE after its time of arrival in seconds of CLOCK_MONOTONIC. The first line is
//   CONNECTED, the last EOF. Standard output, for scripts that wait, gets all lines except OFFSET, and
//   OFFSETS for the first offset after any other line, ZERO when the offset reaches (0, 0), and EOF.
// client ask FILE SOCKET MILLISECONDS   requests STATUS at this interval over one connection and writes
//   to FILE the time of each request, the seconds until the answer, and the answer. Ends with EOF.
//
// client feed FILE SOCKET HZ AMPLITUDE   feeds HZ samples per second by a clock of its own, a sine of 0.5 Hz and
//   AMPLITUDE rad/s about x, and writes to FILE what the daemon sends.
//
// All end when the daemon closes the connection, or with SIGTERM.
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;
static void stop(int signal) { stopped = signal; }

static double monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static void pause_milliseconds(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static int connect_to(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  for (double end = monotonic_seconds() + 15; monotonic_seconds() < end && !stopped;) {
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
    close(connection);
    pause_milliseconds(20);
  }
  fprintf(stderr, "client: %s: %s\n", path, strerror(errno));
  exit(1);
}

// Returns the next line without its line feed, or NULL at the end of the connection.
static char *next_line(int connection) {
  static char buffer[1 << 16];
  static size_t used, consumed;
  for (;;) {
    char *end = memchr(buffer + consumed, '\n', used - consumed);
    if (end) {
      char *line = buffer + consumed;
      *end = 0;
      consumed = end + 1 - buffer;
      return line;
    }
    memmove(buffer, buffer + consumed, used - consumed);
    used -= consumed;
    consumed = 0;
    ssize_t count = recv(connection, buffer + used, sizeof buffer - used, 0);
    if (count <= 0) return NULL;
    used += count;
  }
}

static void send_line(int connection, const char *text) {
  send(connection, text, strlen(text), MSG_NOSIGNAL);
  send(connection, "\n", 1, MSG_NOSIGNAL);
}

static void record(FILE *file, int connection, char **lines) {
  static const char offset[] = "{\"class\":\"OFFSET\"";
  int announce = 1, was_zero = 1;
  fprintf(file, "%.6f CONNECTED\n", monotonic_seconds());
  for (; *lines; lines++) send_line(connection, *lines);
  for (char *line; (line = next_line(connection));) {
    fprintf(file, "%.6f %s\n", monotonic_seconds(), line);
    if (strncmp(line, offset, sizeof offset - 1)) {
      puts(line);
      announce = 1;
      continue;
    }
    int is_zero = strstr(line, "\"x\":0,\"y\":0,") || strstr(line, "\"x\":0,\"y\":0}");
    if (is_zero && !was_zero) puts("ZERO");
    if (!is_zero && announce) puts("OFFSETS");
    if (!is_zero) announce = 0;
    was_zero = is_zero;
  }
}

static void ask(FILE *file, int connection, long milliseconds) {
  for (;;) {
    double asked = monotonic_seconds();
    send_line(connection, "{\"class\":\"STATUS\"}");
    const char *answer = next_line(connection);
    if (!answer) return;
    fprintf(file, "%.6f %.6f %s\n", asked, monotonic_seconds() - asked, answer);
    pause_milliseconds(milliseconds);
    if (stopped) return;
  }
}

static void feed(FILE *file, int connection, double hertz, double amplitude) {
  char line[256];
  snprintf(line, sizeof line, "{\"class\":\"FEED\",\"name\":\"guest\",\"rate\":%g}", hertz);
  send_line(connection, line);
  double start = monotonic_seconds();
  for (long sample = 0; !stopped; sample++) {
    double time = sample / hertz;
    snprintf(line, sizeof line, "{\"class\":\"SAMPLE\",\"time\":%.9f,\"x\":%.9f,\"y\":0,\"z\":0}", 1000 + time,
             amplitude * sin(M_PI * time));
    send_line(connection, line);
    ssize_t received = recv(connection, line, sizeof line, MSG_DONTWAIT);
    if (received == 0) return;
    if (received > 0) fwrite(line, 1, received, file);
    long left = (start + time + 1 / hertz - monotonic_seconds()) * 1000;
    if (left > 0) pause_milliseconds(left);
  }
}

int main(int count, char **arguments) {
  int asks = count == 5 && !strcmp(arguments[1], "ask"), feeds = count == 6 && !strcmp(arguments[1], "feed");
  if (!asks && !feeds && (count < 4 || strcmp(arguments[1], "record"))) {
    fputs("usage: client record FILE SOCKET [LINE...] | ask FILE SOCKET MILLISECONDS | feed FILE SOCKET HZ AMPLITUDE\n",
          stderr);
    return 64;
  }
  // Without SA_RESTART, so recv returns EINTR, which ends the program as the daemon does.
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGPIPE, SIG_IGN);
  FILE *file = fopen(arguments[2], "w");
  if (!file) {
    perror(arguments[2]);
    return 1;
  }
  int connection = connect_to(arguments[3]);
  if (asks) ask(file, connection, atol(arguments[4]));
  else if (feeds) feed(file, connection, atof(arguments[4]), atof(arguments[5]));
  else record(file, connection, arguments + 4);
  fprintf(file, "%.6f %s\n", monotonic_seconds(), stopped ? "STOPPED" : "EOF");
  fclose(file);
  puts(stopped ? "STOPPED" : "EOF");
  return 0;
}
