// SPDX-License-Identifier: Apache-2.0

// Client of parallaxd, the motion-parallax daemon: the stream of offsets, the offset at any instant, and samples of a
// gyroscope for the daemon. It fits any event loop, does not block and starts no thread. Call it from one thread at a
// time. docs/protocol.md of parallax defines the messages.

#ifndef PARALLAX_H
#define PARALLAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

enum {
  PARALLAX_MAX_LAYERS = 32,  // More layers of an OFFSET are left out.
  PARALLAX_MAX_NAME = 64,    // Bytes; layers with longer names are left out.
  PARALLAX_MAX_DEPTHS = 16,  // Of a request.
  PARALLAX_MAX_REASONS = 32,
};

// Which fields count.
enum {
  PARALLAX_VELOCITY = 1,
  PARALLAX_ROTATION = 2,
  PARALLAX_SCALE = 4,
  PARALLAX_OPACITY = 8,
  PARALLAX_DROPPED = 16,
  PARALLAX_SCALE_Y = 32,
};

// The position of one layer.
typedef struct parallax_layer {
  char name[PARALLAX_MAX_NAME + 1];
  double x, y;                       // px to the right and down
  double vx, vy;                     // px/s
  double rotation, scale, opacity;   // degrees clockwise, factor, 0...1; at rest 0, 1, 1
  unsigned has;
  double scale_y;                    // factor downward; as scale unless it differs
} parallax_layer;

// OFFSET, or the offset at an instant.
typedef struct parallax_offset {
  double x, y;                       // px to the right and down
  double nx, ny;                     // fraction of the range, -1...1
  double vx, vy;                     // px/s
  double rotation, scale, opacity;   // degrees clockwise, factor, 0...1; at rest 0, 1, 1
  unsigned has;
  uint64_t seq;                      // the daemon's frame number
  int64_t time_ns;                   // CLOCK_MONOTONIC
  uint64_t dropped;                  // OFFSETs not sent since the last one
  int layer_count;
  parallax_layer layers[PARALLAX_MAX_LAYERS];
  double scale_y;                    // factor downward; as scale unless it differs
} parallax_offset;

typedef enum parallax_kind {
  PARALLAX_MESSAGE_VERSION,
  PARALLAX_MESSAGE_DEVICE,
  PARALLAX_MESSAGE_GATE,
  PARALLAX_MESSAGE_OFFSET,
  PARALLAX_MESSAGE_ANIMATION,
  PARALLAX_MESSAGE_WATCH,  // A request was accepted.
  PARALLAX_MESSAGE_ERROR,
} parallax_kind;

// A message of the daemon. Texts are UTF-8, NULL if the daemon left them out, and end with the callback.
typedef struct parallax_message {
  parallax_kind kind;
  union {
    struct { const char *release; int64_t proto_major, proto_minor; } version;
    struct {
      const char *driver, *name, *state, *reason;
      double rate;                     // Hz; 0 if unknown
      bool has_range_x, has_range_y;
      double range_x[2], range_y[2];   // px: left and right, up and down
    } device;
    struct { bool open; double gain; int reason_count; const char *reasons[PARALLAX_MAX_REASONS]; } gate;
    const parallax_offset *offset;
    struct {
      const char *id, *event, *position;
      int64_t time_ns;                 // CLOCK_MONOTONIC; 0 if the daemon is older than protocol 1.7
    } animation;
    struct { const char *message, *code; } error;
  };
} parallax_message;

typedef enum parallax_state {
  PARALLAX_CONNECTING,
  PARALLAX_CONNECTED,  // A feed: the daemon has accepted it.
  PARALLAX_WAITING,  // No daemon answered; the stream waits before it tries again.
  PARALLAX_CLOSED,   // Final.
} parallax_state;

typedef enum parallax_error {
  PARALLAX_OK,
  PARALLAX_NO_DAEMON,     // No daemon accepted a connection.
  PARALLAX_ENDED,         // The daemon ended the connection.
  PARALLAX_INCOMPATIBLE,  // Another major version of the protocol.
  PARALLAX_REFUSED,       // The daemon has refused or ended the feed; on_message received its ERROR with the code.
} parallax_error;

// A request. Fields whose bit is not set keep their values; a new connection repeats all of them.
enum {
  PARALLAX_WATCH_ENABLE = 1,
  PARALLAX_WATCH_RATE = 2,
  PARALLAX_WATCH_LAYERS = 4,
  PARALLAX_WATCH_ON_CHANGE = 8,
  PARALLAX_WATCH_ORIENTATION = 16,
};
typedef struct parallax_watch {
  unsigned fields;            // PARALLAX_WATCH_...
  bool enable;
  double rate;                // Hz; above 60 counts as 60
  double on_change;           // px; 0: any change; below 0: every OFFSET
  char orientation[16];       // "normal", "left-up", "bottom-up", "right-up", "auto"
  int depth_count;            // -1: the daemon's layers again
  struct { char name[PARALLAX_MAX_NAME + 1]; double depth; } depths[PARALLAX_MAX_DEPTHS];
} parallax_watch;

typedef struct parallax_options {
  const char *socket_path;      // NULL: $PARALLAX_SOCKET, or else the user's socket, then the system's
  const parallax_watch *watch;  // NULL: none
  double first_wait;            // s, the bound of the first wait; 0: 0.1; below 0: do not connect again
  double longest_wait;          // s; 0: 5
  void (*on_message)(void *data, const parallax_message *message);
  void (*on_state)(void *data, parallax_state state);
  void *data;
} parallax_options;

typedef struct parallax parallax;

// Creates a stream; `options` may be NULL. The first dispatch connects. NULL, with errno, without memory or descriptors.
parallax *parallax_open(const parallax_options *options);
// Ends the stream and frees it; also in a callback.
void parallax_close(parallax *stream);
// Returns a descriptor, the same for the life of the stream, that is readable when there is something to dispatch.
int parallax_fd(const parallax *stream);
// Returns the ms until dispatch has something to do without the descriptor; -1: never. For loops that wait for a timeout
// anyway: the descriptor becomes readable at that time, too.
int parallax_timeout_ms(const parallax *stream);
// Connects, reads and writes what can be without waiting, and calls the callbacks. Returns -1 once the stream is closed.
int parallax_dispatch(parallax *stream);
parallax_state parallax_get_state(const parallax *stream);
// Returns why the stream, or its last connection, ended; `text`, if not NULL, gets a line about it.
parallax_error parallax_get_error(const parallax *stream, const char **text);
// Changes the request of a stream. The daemon answers with WATCH or ERROR.
void parallax_set_watch(parallax *stream, const parallax_watch *watch);
// Requests DEVICE, GATE and OFFSET once.
void parallax_poll(parallax *stream);

// A gyroscope whose samples this program sends: the daemon uses them like a sensor's. Only privileged users may
// send samples, and only one program at a time.
typedef struct parallax_feed {
  const char *name;          // 1 to 64 bytes, for DEVICE; the daemon stores a bias under this name
  const char *clock;         // NULL or "sender": timestamps of any clock that runs at about the right pace;
                             // "monotonic": of CLOCK_MONOTONIC of this machine
  double rate;               // samples per second, nominal; 0: unknown
  const char *mount_matrix;  // from the sender's frame to the device's, as in "1,0,0;0,1,0;0,0,1"; NULL: none
} parallax_feed;

#define PARALLAX_ARRIVAL INT64_MIN  // time_ns of a sample without a timestamp: the time of its arrival counts.

// Angular rates about x (right), y (up) and z (out of the screen).
typedef struct parallax_sample {
  int64_t time_ns;
  double x, y, z;  // rad/s
} parallax_sample;

// Creates a feed; dispatch and close it like a stream. `options` may be NULL; `watch` is ignored, and `socket_path` is
// the control socket (NULL: $PARALLAX_CONTROL, or else control.sock in the folder of $PARALLAX_SOCKET, or else the user's,
// then the system's). on_message receives each DEVICE and ERROR. An ERROR before the daemon has accepted the feed closes
// it with PARALLAX_REFUSED and the daemon's message, and so does `denied` or `unavailable` afterwards. Returns NULL with
// errno if memory or descriptors are missing; EINVAL: `rate` is not finite, or the texts exceed a few hundred bytes.
parallax *parallax_open_feed(const parallax_feed *feed, const parallax_options *options);
// Sends samples, the oldest first, without waiting and without allocating memory. Returns how many it has sent. If these
// are fewer than `count`, it drops the others and sets errno to the reason: ENOTCONN, the daemon has not accepted the feed;
// EAGAIN, the daemon does not read; EINVAL, a rate of the first dropped sample is not finite.
size_t parallax_send(parallax *feed, const parallax_sample *samples, size_t count);
// Returns whether the daemon needs samples. The daemon discards them while no subscriber needs motion.
bool parallax_is_wanted(const parallax *feed);

// Computes the offset at an instant of CLOCK_MONOTONIC, usually the one at which the picture is shown. Returns false
// before the first frame.
bool parallax_offset_at(const parallax *stream, int64_t instant_ns, parallax_offset *offset);
// The same for a picture that is drawn `ahead_ns` before that instant, 0 to 1 s: 1/60 s where a display of 60 Hz shows it
// at the next refresh. A frame that arrives meanwhile is too late for it, so each line is followed for as much longer.
bool parallax_offset_ahead(const parallax *stream, int64_t instant_ns, int64_t ahead_ns, parallax_offset *offset);
// Returns the instant, in ns, from which the offset stays the same until the next frame; ahead, it is that much later.
int64_t parallax_moving_until(const parallax *stream);
// Returns CLOCK_MONOTONIC in ns.
int64_t parallax_now(void);
// Returns the layer with that name; NULL if there is none.
const parallax_layer *parallax_find_layer(const parallax_offset *offset, const char *name);

// The last frames of a stream, for a program with a connection of its own. It has no clock.
typedef struct parallax_timeline parallax_timeline;
parallax_timeline *parallax_timeline_new(void);
void parallax_timeline_free(parallax_timeline *timeline);
// Takes a line of `length` bytes without its line feed. Returns whether it is a message.
bool parallax_timeline_add(parallax_timeline *timeline, const char *line, size_t length);
bool parallax_timeline_offset_at(const parallax_timeline *timeline, int64_t instant_ns, parallax_offset *offset);
bool parallax_timeline_offset_ahead(const parallax_timeline *timeline, int64_t instant_ns, int64_t ahead_ns,
                                    parallax_offset *offset);
int64_t parallax_timeline_moving_until(const parallax_timeline *timeline);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
