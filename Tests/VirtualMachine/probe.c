// SPDX-License-Identifier: Apache-2.0

// probe: what the user who runs it gets from parallaxd's system sockets, in one line of four words: the
// stream, STATUS, INHIBIT and SET. Each is "yes", the code of the ERROR, or "none" without an answer. The
// stream is "still" if it is open and nothing moves. The inhibition ends with the program.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// Returns a connection on which receiving takes at most that many seconds; the first connection starts
// the service.
static int connect_to(const char *path, int seconds) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  struct timeval limit = {.tv_sec = seconds};
  int connection = socket(AF_UNIX, SOCK_STREAM, 0);
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
  perror(path);
  return -1;
}

// Reads a line without its line feed; returns 0 at the end of the connection and after its time limit.
static int read_line(int connection, char *line, size_t size) {
  size_t used = 0;
  while (used + 1 < size && recv(connection, line + used, 1, 0) == 1 && line[used] != '\n') used++;
  line[used] = 0;
  return used > 0;
}

static const char *result(const char *line) {
  static char code[64];
  const char *found = strstr(line, "\"code\":\"");
  if (!strstr(line, "\"class\":\"ERROR\"") || !found) return "yes";
  sscanf(found + 8, "%63[a-z-]", code);
  return code;
}

static void probe_stream(void) {
  static char line[1 << 12];
  int connection = connect_to("/run/parallax/parallax.sock", 20);
  const char *outcome = "none";
  struct timeval limit = {.tv_sec = 2};
  while (read_line(connection, line, sizeof line)) {
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (strcmp(result(line), "yes")) {
      outcome = result(line);
      break;
    }
    outcome = "still";
    if (!strstr(line, "\"class\":\"OFFSET\"") || strstr(line, "\"x\":0,\"y\":0,")) continue;
    outcome = "yes";
    break;
  }
  printf("%s", outcome);
  close(connection);
}

static void probe_control(void) {
  static const char *requests[] = {
      "{\"class\":\"STATUS\"}\n", "{\"class\":\"INHIBIT\",\"reason\":\"probe\"}\n",
      "{\"class\":\"SET\",\"key\":\"paused\",\"value\":\"off\"}\n"};
  static char line[1 << 16];
  int connection = connect_to("/run/parallax/control.sock", 20);
  const char *outcome = "none";
  for (int index = 0; index < 3; index++) {
    // A refused connection has one ERROR for all requests.
    if (send(connection, requests[index], strlen(requests[index]), MSG_NOSIGNAL) > 0 || index == 0)
      if (read_line(connection, line, sizeof line)) outcome = result(line);
    printf(" %s", outcome);
  }
  puts("");
}

int main(void) {
  probe_stream();
  probe_control();
  return 0;
}
