// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "parallax.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// MARK: JSON

// No value of the protocol is near this. A line with a larger one is malformed; sums of smaller ones are finite.
static const double max_magnitude = 1e9;
enum { max_depth = 64, protocol_major = 1, message_ack = PARALLAX_MESSAGE_ERROR + 1 };

typedef enum { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_type;

// A value; those of an array, and the names and values of an object, come after it, up to `end`.
typedef struct {
  json_type type;
  size_t end;
  double number;
  const char *text;  // of a string without its escapes, or of a number
} json_value;

// Reads a line, in which it replaces the escapes.
typedef struct {
  char *at;
  char *end;
  json_value *values;
  size_t count, capacity;
  locale_t locale;  // "C": numbers have a point
} json_reader;

static bool json_read(json_reader *reader, int depth);

static void json_skip(json_reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n')) r->at++;
}

static bool json_take(json_reader *r, char c) {
  json_skip(r);
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static json_value *json_append(json_reader *r, json_type type) {
  if (r->count == r->capacity) {
    size_t capacity = r->capacity ? 2 * r->capacity : 128;
    json_value *values = realloc(r->values, capacity * sizeof *values);
    if (!values) return NULL;
    r->values = values;
    r->capacity = capacity;
  }
  json_value *value = &r->values[r->count++];
  *value = (json_value){.type = type, .end = r->count};
  return value;
}

static bool json_word(json_reader *r, const char *word, json_type type) {
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
  r->at += length;
  return json_append(r, type) != NULL;
}

static bool json_digits(json_reader *r) {
  char *begin = r->at;
  while (r->at < r->end && *r->at >= '0' && *r->at <= '9') r->at++;
  return r->at > begin;
}

static bool json_number(json_reader *r) {
  const char *begin = r->at;
  if (*r->at == '-') r->at++;
  if (r->at < r->end && *r->at == '0') r->at++;
  else if (!json_digits(r)) return false;
  if (r->at < r->end && *r->at == '.') {
    r->at++;
    if (!json_digits(r)) return false;
  }
  if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
    r->at++;
    if (r->at < r->end && (*r->at == '+' || *r->at == '-')) r->at++;
    if (!json_digits(r)) return false;
  }
  json_value *value = json_append(r, JSON_NUMBER);
  if (!value) return false;
  value->text = begin;
  value->number = strtod_l(begin, NULL, r->locale);  // The byte after the line is 0.
  return true;
}

// Returns the length of the UTF-8 sequence at `s`, 1 to 4; 0 if there is none.
static int utf8_length(const char *s, const char *end) {
  const unsigned char *u = (const unsigned char *)s;
  if (u[0] < 0x80) return 1;
  int length = u[0] >= 0xF0 ? 4 : u[0] >= 0xE0 ? 3 : 2;
  if (u[0] < 0xC2 || u[0] > 0xF4 || end - s < length) return 0;
  for (int k = 1; k < length; k++) if ((u[k] & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates and what is beyond Unicode.
  if ((u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xED && u[1] > 0x9F)) return 0;
  if ((u[0] == 0xF0 && u[1] < 0x90) || (u[0] == 0xF4 && u[1] > 0x8F)) return 0;
  return length;
}

static bool json_hex(json_reader *r, unsigned *code) {
  if (r->end - r->at < 4) return false;
  *code = 0;
  for (int k = 0; k < 4; k++) {
    char c = *r->at++;
    int digit = c >= '0' && c <= '9' ? c - '0' : -1;
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit < 0) return false;
    *code = *code * 16 + (unsigned)digit;
  }
  return true;
}

// After "\u": writes the character as UTF-8, at most as long as the escape. A surrogate alone becomes U+FFFD.
static bool json_unicode(json_reader *r, char **out) {
  unsigned code, low;
  if (!json_hex(r, &code)) return false;
  if (code >= 0xD800 && code < 0xDC00 && r->end - r->at >= 6 && r->at[0] == '\\' && r->at[1] == 'u') {
    char *before = r->at;
    r->at += 2;
    if (!json_hex(r, &low)) return false;
    if (low >= 0xDC00 && low < 0xE000) code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    else r->at = before;
  }
  if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
  char *o = *out;
  if (code < 0x80) *o++ = (char)code;
  else if (code < 0x800) *o++ = (char)(0xC0 | code >> 6);
  else {
    if (code < 0x10000) *o++ = (char)(0xE0 | code >> 12);
    else {
      *o++ = (char)(0xF0 | code >> 18);
      *o++ = (char)(0x80 | (code >> 12 & 63));
    }
    *o++ = (char)(0x80 | (code >> 6 & 63));
  }
  if (code >= 0x80) *o++ = (char)(0x80 | (code & 63));
  *out = o;
  return true;
}

static bool json_string(json_reader *r) {
  char *out = ++r->at;
  char *begin = out;
  while (r->at < r->end && *r->at != '"') {
    if ((unsigned char)*r->at < 0x20) return false;
    if (*r->at != '\\') {
      int length = utf8_length(r->at, r->end);
      if (length == 0) return false;
      while (length-- > 0) *out++ = *r->at++;
      continue;
    }
    if (++r->at == r->end) return false;
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = *r->at++;
    const char *found = c ? strchr(from, c) : NULL;
    if (found) *out++ = to[found - from];
    else if (c != 'u' || !json_unicode(r, &out)) return false;
  }
  if (r->at == r->end) return false;
  r->at++;
  *out = 0;
  json_value *value = json_append(r, JSON_STRING);
  if (value) value->text = begin;
  return value != NULL;
}

static bool json_group(json_reader *r, int depth, char close, json_type type) {
  size_t index = r->count;
  r->at++;
  if (!json_append(r, type)) return false;
  if (!json_take(r, close)) {
    do {
      if (type == JSON_OBJECT) {
        json_skip(r);
        if (r->at == r->end || *r->at != '"' || !json_string(r) || !json_take(r, ':')) return false;
      }
      if (!json_read(r, depth - 1)) return false;
    } while (json_take(r, ','));
    if (!json_take(r, close)) return false;
  }
  r->values[index].end = r->count;
  return true;
}

static bool json_read(json_reader *r, int depth) {
  json_skip(r);
  if (depth == 0 || r->at == r->end) return false;
  switch (*r->at) {
    case '{': return json_group(r, depth, '}', JSON_OBJECT);
    case '[': return json_group(r, depth, ']', JSON_ARRAY);
    case '"': return json_string(r);
    case 't': return json_word(r, "true", JSON_TRUE);
    case 'f': return json_word(r, "false", JSON_FALSE);
    case 'n': return json_word(r, "null", JSON_NULL);
    default: return json_number(r);
  }
}

// Reads a line that has an object, into values[0]. The byte at `line[length]` becomes 0.
static bool json_read_line(json_reader *r, char *line, size_t length) {
  line[length] = 0;
  r->at = line;
  r->end = line + length;
  r->count = 0;
  if (!json_read(r, max_depth) || r->values[0].type != JSON_OBJECT) return false;
  json_skip(r);
  return r->at == r->end;
}

// Returns a field of an object; NULL if it is absent or null. Of two with one name, the last one counts.
static const json_value *json_field(const json_reader *r, const json_value *object, const char *name) {
  const json_value *found = NULL;
  for (size_t at = (size_t)(object - r->values) + 1; at < object->end; at = r->values[at + 1].end) {
    if (strcmp(r->values[at].text, name) == 0) found = &r->values[at + 1];
  }
  return found && found->type != JSON_NULL ? found : NULL;
}

// MARK: Messages

// Reads the fields of an object; a wrong type, or the absence of a field that must be there, sets `failed`.
typedef struct {
  const json_reader *reader;
  const json_value *object;
  bool failed;
} field_reader;

static const json_value *typed(field_reader *f, const char *name, json_type type, bool must) {
  const json_value *value = json_field(f->reader, f->object, name);
  if (value ? value->type != type : must) f->failed = true;
  return value && value->type == type ? value : NULL;
}

static const char *text(field_reader *f, const char *name, bool must) {
  const json_value *value = typed(f, name, JSON_STRING, must);
  return value ? value->text : NULL;
}

static bool is_sane(const json_value *value) {
  return value->type == JSON_NUMBER && fabs(value->number) <= max_magnitude;
}

// Returns whether the field is there.
static bool number(field_reader *f, const char *name, bool must, double *result) {
  const json_value *value = typed(f, name, JSON_NUMBER, must);
  if (!value) return false;
  if (!is_sane(value)) f->failed = true;
  *result = value->number;
  return true;
}

static bool count(field_reader *f, const char *name, bool must, uint64_t *result) {
  const json_value *value = typed(f, name, JSON_NUMBER, must);
  if (!value) return false;
  double number = value->number;
  if (!(number >= 0 && number < 18446744073709551616.0) || number != floor(number)) return f->failed = true, false;
  // All digits, where a double would not have them.
  *result = number < 9007199254740992.0 ? (uint64_t)number : strtoull(value->text, NULL, 10);
  return true;
}

static void pose(field_reader *f, unsigned *has, double *rotation, double *scale, double *scale_y, double *opacity) {
  *rotation = 0;
  *scale = *opacity = 1;
  if (number(f, "rotation", false, rotation)) *has |= PARALLAX_ROTATION;
  if (number(f, "scale", false, scale)) *has |= PARALLAX_SCALE;
  *scale_y = *scale;
  if (number(f, "scale_y", false, scale_y)) *has |= PARALLAX_SCALE_Y;
  if (number(f, "opacity", false, opacity)) *has |= PARALLAX_OPACITY;
}

static bool velocity(field_reader *f, unsigned *has, double *vx, double *vy) {
  *vx = *vy = 0;
  bool has_vx = number(f, "vx", false, vx), has_vy = number(f, "vy", false, vy);
  if (has_vx && has_vy) *has |= PARALLAX_VELOCITY;
  else *vx = *vy = 0;
  return !f->failed;
}

static void read_layers(field_reader *f, parallax_offset *offset) {
  const json_value *layers = typed(f, "layers", JSON_OBJECT, false);
  if (!layers) return;
  const json_value *values = f->reader->values;
  for (size_t at = (size_t)(layers - values) + 1; at < layers->end; at = values[at + 1].end) {
    field_reader place = {f->reader, &values[at + 1], values[at + 1].type != JSON_OBJECT};
    parallax_layer layer = {.has = 0};
    if (!place.failed) {
      number(&place, "x", true, &layer.x);
      number(&place, "y", true, &layer.y);
      velocity(&place, &layer.has, &layer.vx, &layer.vy);
      pose(&place, &layer.has, &layer.rotation, &layer.scale, &layer.scale_y, &layer.opacity);
    }
    f->failed |= place.failed;
    size_t length = strlen(values[at].text);
    if (place.failed || length > PARALLAX_MAX_NAME || offset->layer_count == PARALLAX_MAX_LAYERS) continue;
    memcpy(layer.name, values[at].text, length);
    offset->layers[offset->layer_count++] = layer;
  }
}

static void read_offset(field_reader *f, parallax_offset *offset) {
  double time = 0;
  offset->has = 0;
  offset->layer_count = 0;
  offset->dropped = 0;
  count(f, "seq", true, &offset->seq);
  number(f, "time", true, &time);
  number(f, "x", true, &offset->x);
  number(f, "y", true, &offset->y);
  number(f, "nx", true, &offset->nx);
  number(f, "ny", true, &offset->ny);
  velocity(f, &offset->has, &offset->vx, &offset->vy);
  pose(f, &offset->has, &offset->rotation, &offset->scale, &offset->scale_y, &offset->opacity);
  if (count(f, "dropped", false, &offset->dropped)) offset->has |= PARALLAX_DROPPED;
  read_layers(f, offset);
  if (!f->failed) offset->time_ns = llround(time * 1e9);
}

// A range without 0, which no daemon has, counts as absent.
static bool read_range(field_reader *f, const char *name, double range[2]) {
  const json_value *ends = typed(f, name, JSON_ARRAY, false);
  if (!ends) return false;
  size_t first = (size_t)(ends - f->reader->values) + 1;
  for (size_t at = first; at < ends->end; at = f->reader->values[at].end) {
    if (!is_sane(&f->reader->values[at])) return f->failed = true, false;
  }
  if (ends->end - first != 2) return false;
  for (size_t k = 0; k < 2; k++) range[k] = f->reader->values[first + k].number;
  return range[0] <= 0 && range[1] >= 0;
}

static void read_gate(field_reader *f, parallax_message *message) {
  const json_value *open = json_field(f->reader, f->object, "open");
  f->failed |= !open || (open->type != JSON_TRUE && open->type != JSON_FALSE);
  message->gate.open = open && open->type == JSON_TRUE;
  number(f, "gain", true, &message->gate.gain);
  const json_value *reasons = typed(f, "reasons", JSON_ARRAY, true), *values = f->reader->values;
  if (!reasons) return;
  for (size_t at = (size_t)(reasons - values) + 1; at < reasons->end; at = values[at].end) {
    f->failed |= values[at].type != JSON_STRING;
    if (!f->failed && message->gate.reason_count < PARALLAX_MAX_REASONS) {
      message->gate.reasons[message->gate.reason_count++] = values[at].text;
    }
  }
}

// Reads a line; false for an unknown class or a malformed line.
static bool read_message(json_reader *r, char *line, size_t length, parallax_message *message, parallax_offset *offset) {
  if (!json_read_line(r, line, length)) return false;
  field_reader f = {r, r->values, false};
  const char *name = text(&f, "class", true);
  if (!name) return false;
  memset(message, 0, sizeof *message);
  double whole = 0;
  if (strcmp(name, "OFFSET") == 0) {
    message->kind = PARALLAX_MESSAGE_OFFSET;
    message->offset = offset;
    read_offset(&f, offset);
  } else if (strcmp(name, "VERSION") == 0) {
    message->kind = PARALLAX_MESSAGE_VERSION;
    message->version.release = text(&f, "release", true);
    if (number(&f, "proto_major", true, &whole)) f.failed |= whole != floor(whole);
    message->version.proto_major = f.failed ? 0 : (int64_t)whole;
    if (number(&f, "proto_minor", true, &whole)) f.failed |= whole != floor(whole);
    message->version.proto_minor = f.failed ? 0 : (int64_t)whole;
  } else if (strcmp(name, "DEVICE") == 0) {
    message->kind = PARALLAX_MESSAGE_DEVICE;
    message->device.driver = text(&f, "driver", true);
    message->device.state = text(&f, "state", true);
    message->device.name = text(&f, "name", false);
    message->device.reason = text(&f, "reason", false);
    number(&f, "rate", false, &message->device.rate);
    message->device.has_range_x = read_range(&f, "range_x", message->device.range_x);
    message->device.has_range_y = read_range(&f, "range_y", message->device.range_y);
  } else if (strcmp(name, "GATE") == 0) {
    message->kind = PARALLAX_MESSAGE_GATE;
    read_gate(&f, message);
  } else if (strcmp(name, "ANIMATION") == 0) {
    message->kind = PARALLAX_MESSAGE_ANIMATION;
    message->animation.id = text(&f, "id", true);
    message->animation.event = text(&f, "event", true);
    message->animation.position = text(&f, "position", false);
    if (number(&f, "time", false, &whole)) message->animation.time_ns = f.failed ? 0 : llround(whole * 1e9);
  } else if (strcmp(name, "WATCH") == 0) {
    message->kind = PARALLAX_MESSAGE_WATCH;
  } else if (strcmp(name, "ERROR") == 0) {
    message->kind = PARALLAX_MESSAGE_ERROR;
    message->error.message = text(&f, "message", true);
    message->error.code = text(&f, "code", false);
  } else if (strcmp(name, "ACK") == 0) {
    message->kind = (parallax_kind)message_ack;  // Only a feed sees it.
  } else {
    return false;
  }
  return !f.failed;
}

// MARK: The offset at any instant

enum { max_frames = 8 };                            // A quarter of a second at 30 Hz.
static const int64_t reach = 50 * 1000 * 1000;      // How long a velocity is followed, ns.
static const int64_t max_ahead = 1000000000;        // ns
static const double largest_rounding = 0.00005;     // Fractions of the range have 4 decimals.

typedef struct {
  parallax_offset offset;
  bool is_live;  // Whether the gate was open and the device streamed when it came.
} frame;

struct parallax_timeline {
  frame frames[max_frames];
  int count;
  bool is_live;
  bool has_range[2];
  double range[2][2];
  const parallax_watch *watch;  // The stream's request; NULL: none.
  bool is_answered;             // Whether the daemon has answered a request of this connection.
  json_reader reader;
};

static double clamp(double value, double low, double high) { return fmin(fmax(value, low), high); }

static double *axis_of(parallax_offset *offset, int axis) { return axis ? &offset->y : &offset->x; }

static double place(const parallax_offset *offset, int axis) { return axis ? offset->y : offset->x; }

static double fraction_of(const parallax_offset *offset, int axis) { return axis ? offset->ny : offset->nx; }

static double layer_place(const parallax_layer *layer, int axis) { return axis ? layer->y : layer->x; }

static double speed(const parallax_offset *offset, int axis) {
  return !(offset->has & PARALLAX_VELOCITY) ? 0 : axis ? offset->vy : offset->vx;
}

static double layer_speed(const parallax_offset *offset, const parallax_layer *layer, int axis) {
  return !(offset->has & layer->has & PARALLAX_VELOCITY) ? 0 : axis ? layer->vy : layer->vx;
}

// Whether nothing is displaced, as when a gate has closed.
static bool is_zero(const parallax_offset *offset) {
  for (int k = 0; k < offset->layer_count; k++) {
    if (offset->layers[k].x != 0 || offset->layers[k].y != 0) return false;
  }
  return offset->x == 0 && offset->y == 0;
}

const parallax_layer *parallax_find_layer(const parallax_offset *offset, const char *name) {
  for (int k = 0; k < offset->layer_count; k++) {
    if (strcmp(offset->layers[k].name, name) == 0) return &offset->layers[k];
  }
  return NULL;
}

static void timeline_reset(parallax_timeline *t) {
  t->count = 0;
  t->is_live = true;
  t->has_range[0] = t->has_range[1] = false;
  t->is_answered = false;
}

// The motion without what an animation adds; a frame without a velocity may be of one.
static double motion_of(const parallax_timeline *t, const parallax_offset *offset, int axis) {
  double fraction = fraction_of(offset, axis);
  if (offset->has & PARALLAX_VELOCITY || !t->has_range[axis]) return place(offset, axis);
  return fraction * (fraction < 0 ? -t->range[axis][0] : t->range[axis][1]);
}

// Gives an OFFSET the requested layers if it does not have them. Until the daemon has answered the request, its frames
// have other layers, maybe with the same names.
static void complete(const parallax_timeline *t, parallax_offset *offset) {
  const parallax_watch *watch = t->watch;
  if (!watch || !(watch->fields & PARALLAX_WATCH_LAYERS) || watch->depth_count < 0) return;
  bool has_all = t->is_answered;
  for (int k = 0; has_all && k < watch->depth_count; k++) has_all = parallax_find_layer(offset, watch->depths[k].name);
  if (has_all) return;
  double x = motion_of(t, offset, 0), y = motion_of(t, offset, 1);
  offset->layer_count = watch->depth_count;
  for (int k = 0; k < watch->depth_count; k++) {
    double depth = watch->depths[k].depth;
    // A layer moves by its depth, and an animation adds as much to each.
    parallax_layer layer = {
      .x = offset->x + (depth - 1) * x, .y = offset->y + (depth - 1) * y, .vx = depth * offset->vx,
      .vy = depth * offset->vy, .scale = 1, .scale_y = 1, .opacity = 1, .has = offset->has & PARALLAX_VELOCITY,
    };
    memcpy(layer.name, watch->depths[k].name, sizeof layer.name);
    offset->layers[k] = layer;
  }
}

static void timeline_take(parallax_timeline *t, const parallax_message *message) {
  switch (message->kind) {
    case PARALLAX_MESSAGE_VERSION: timeline_reset(t); break;
    case PARALLAX_MESSAGE_WATCH: t->is_answered = true; break;
    case PARALLAX_MESSAGE_GATE: t->is_live = message->gate.open; break;
    case PARALLAX_MESSAGE_DEVICE:
      t->is_live = strcmp(message->device.state, "streaming") == 0;
      t->has_range[0] = message->device.has_range_x;
      t->has_range[1] = message->device.has_range_y;
      memcpy(t->range[0], message->device.range_x, sizeof t->range[0]);
      memcpy(t->range[1], message->device.range_y, sizeof t->range[1]);
      break;
    case PARALLAX_MESSAGE_OFFSET: {
      const parallax_offset *offset = message->offset;
      if (offset->time_ns < 0) return;
      const parallax_offset *last = t->count ? &t->frames[t->count - 1].offset : NULL;
      // The first frame of a new stream, for example of a restarted daemon.
      if (last && (offset->time_ns <= last->time_ns || offset->seq <= last->seq)) t->count = 0;
      if (t->count == max_frames) memmove(t->frames, t->frames + 1, --t->count * sizeof *t->frames);
      t->frames[t->count++] = (frame){*offset, t->is_live};
      break;
    }
    default: break;
  }
}

// The shortest interval between the kept frames, ns; 0 for a single one.
static int64_t period_of(const parallax_timeline *t) {
  int64_t shortest = 0;
  for (int k = 1; k < t->count; k++) {
    int64_t interval = t->frames[k].offset.time_ns - t->frames[k - 1].offset.time_ns;
    if (k == 1 || interval < shortest) shortest = interval;
  }
  return shortest;
}

static int64_t reach_of(const frame *of, int64_t ahead) { return of->is_live ? reach + ahead : 0; }

// The range on one axis, as magnitudes: as DEVICE gave it, or else as far as the frames of an older daemon show it.
static bool find_ends(const parallax_timeline *t, int axis, double ends[2]) {
  if (t->has_range[axis]) {
    ends[0] = -t->range[axis][0];
    ends[1] = t->range[axis][1];
    return true;
  }
  ends[0] = ends[1] = 0;
  for (int k = 0; k < t->count; k++) {
    const parallax_offset *offset = &t->frames[k].offset;
    double value = place(offset, axis), fraction = fraction_of(offset, axis);
    if (!(offset->has & PARALLAX_VELOCITY) || !(value * fraction > 0)) continue;
    double *end = &ends[value > 0];
    *end = fmax(*end, fmax(fabs(value), fabs(value) / (fabs(fraction) + largest_rounding)));
  }
  // An end that no frame was on the side of counts as far as the other.
  if (ends[0] == 0) ends[0] = ends[1];
  if (ends[1] == 0) ends[1] = ends[0];
  return ends[0] > 0;
}

static double mix(double from, double to, double fraction) { return from + (to - from) * fraction; }

// A value that only one of the two has is at rest in the other, as it was read.
static void mix_pose(unsigned *has, double *rotation, double *scale, double *scale_y, double *opacity,
                     unsigned has_before, const double before[4], double fraction) {
  *has |= has_before & (PARALLAX_ROTATION | PARALLAX_SCALE | PARALLAX_SCALE_Y | PARALLAX_OPACITY);
  *rotation = mix(before[0], *rotation, fraction);
  *scale = mix(before[1], *scale, fraction);
  *opacity = clamp(mix(before[2], *opacity, fraction), 0, 1);
  *scale_y = mix(before[3], *scale_y, fraction);
}

// The offset on the line through two.
static void interpolate(const parallax_offset *from, const parallax_offset *to, double along_x, double along_y,
                        parallax_offset *result) {
  double both = fmin(along_x, along_y);
  *result = *to;
  result->x = mix(from->x, to->x, along_x);
  result->y = mix(from->y, to->y, along_y);
  result->nx = mix(from->nx, to->nx, along_x);
  result->ny = mix(from->ny, to->ny, along_y);
  mix_pose(&result->has, &result->rotation, &result->scale, &result->scale_y, &result->opacity, from->has,
           (double[]){from->rotation, from->scale, from->opacity, from->scale_y}, both);
  for (int k = 0; k < result->layer_count; k++) {
    parallax_layer *layer = &result->layers[k];
    const parallax_layer *before = parallax_find_layer(from, layer->name);
    if (!before) continue;
    layer->x = mix(before->x, layer->x, along_x);
    layer->y = mix(before->y, layer->y, along_y);
    mix_pose(&layer->has, &layer->rotation, &layer->scale, &layer->scale_y, &layer->opacity, before->has,
             (double[]){before->rotation, before->scale, before->opacity, before->scale_y}, both);
  }
}

// How far a step from one fraction of the range to another can continue, in steps.
static double limited(double steps, double from, double to) {
  double step = to - from;
  return step == 0 ? steps : fmin(steps, fmax(0, (step > 0 ? 1 - to : 1 + to) / fabs(step)));
}

// The way from a frame to an instant after it.
typedef struct {
  double seconds;         // How long the frame's velocity has been followed.
  double missed_seconds;  // How long the velocity of the frame before had been followed when this one arrived.
  double first_seconds;   // How long the frame's velocity is followed in the first picture that shows it.
  double missed_share;    // The share of the miss that is left, 0...1.
} step;

// On the frame's line, with the rest of what the line of the frame before missed.
static double follow(step s, double offset, double velocity, bool has_before, double before, double velocity_before) {
  double first = offset + velocity * s.first_seconds;
  double miss = has_before ? before + velocity_before * s.missed_seconds - first : 0;
  return offset + velocity * s.seconds + miss * s.missed_share;
}

static int64_t sooner(int64_t a, int64_t b) { return a < b ? a : b; }

static void follow_frame(const parallax_timeline *t, int64_t instant, int64_t ahead, parallax_offset *result) {
  const frame *last = &t->frames[t->count - 1], *before = t->count > 1 ? last - 1 : NULL;
  const parallax_offset *now = &last->offset, *old = before ? &before->offset : NULL;
  *result = *now;
  if (!last->is_live && is_zero(now)) return;
  int64_t elapsed = instant - now->time_ns;
  step s = {.seconds = (double)sooner(elapsed, reach_of(last, ahead)) * 1e-9};
  if (before) {
    s.missed_seconds = (double)sooner(now->time_ns - old->time_ns + ahead, reach_of(before, ahead)) * 1e-9;
    s.first_seconds = (double)sooner(ahead, reach_of(last, ahead)) * 1e-9;
    s.missed_share = clamp(1 - (double)(elapsed - ahead) / (0.75 * (double)period_of(t)), 0, 1);
  }
  for (int axis = 0; axis < 2; axis++) {
    double ends[2], start = place(now, axis);
    double free = follow(s, start, speed(now, axis), old, old ? place(old, axis) : 0, old ? speed(old, axis) : 0);
    double end = free;
    if (find_ends(t, axis, ends)) {
      end = clamp(free, -ends[0], ends[1]);
      double width = ends[end >= 0];
      *(axis ? &result->ny : &result->nx) = width > 0 ? clamp(end / width, -1, 1) : 0;
    }
    *axis_of(result, axis) = end;
    for (int k = 0; k < now->layer_count; k++) {
      const parallax_layer *layer = &now->layers[k], *was = old ? parallax_find_layer(old, layer->name) : NULL;
      double from = layer_place(layer, axis);
      double to = follow(s, from, layer_speed(now, layer, axis), was, was ? layer_place(was, axis) : 0,
                         was ? layer_speed(old, was, axis) : 0);
      // What the range takes from the motion, it takes from the layers.
      if (end != free && free != start) to = from + (to - from) * (end - start) / (free - start);
      *(axis ? &result->layers[k].y : &result->layers[k].x) = to;
    }
  }
}

static void extrapolate(const parallax_timeline *t, int64_t instant, int64_t ahead, parallax_offset *result) {
  const parallax_offset *last = &t->frames[t->count - 1].offset;
  if (last->has & PARALLAX_VELOCITY) {
    follow_frame(t, instant, ahead, result);
    return;
  }
  *result = *last;
  if (!t->is_live || is_zero(last) || t->count < 2) return;
  const parallax_offset *before = &t->frames[t->count - 2].offset;
  int64_t period = period_of(t), interval = last->time_ns - before->time_ns, elapsed = instant - last->time_ns;
  if (interval > 2 * period) return;
  double beyond = (double)sooner(elapsed, period) / (double)interval;
  interpolate(before, last, 1 + limited(beyond, before->nx, last->nx), 1 + limited(beyond, before->ny, last->ny), result);
}

bool parallax_timeline_offset_at(const parallax_timeline *t, int64_t instant, parallax_offset *result) {
  return parallax_timeline_offset_ahead(t, instant, 0, result);
}

bool parallax_timeline_offset_ahead(const parallax_timeline *t, int64_t instant, int64_t ahead,
                                    parallax_offset *result) {
  if (t->count == 0) return false;
  int k = 0;
  while (k < t->count && t->frames[k].offset.time_ns < instant) k++;
  if (k == 0) {
    *result = t->frames[0].offset;
  } else if (instant >= t->frames[t->count - 1].offset.time_ns) {
    extrapolate(t, instant, sooner(ahead > 0 ? ahead : 0, max_ahead), result);
  } else {
    const parallax_offset *before = &t->frames[k - 1].offset, *after = &t->frames[k].offset;
    int64_t interval = after->time_ns - before->time_ns, period = period_of(t);
    // Frames that are far apart: at rest, or lost. The earlier offset holds until a period before the later.
    int64_t ramp = interval > 2 * period ? period : interval;
    double fraction = 1 - (double)(after->time_ns - instant) / (double)ramp;
    if (fraction <= 0) *result = *before;
    else interpolate(before, after, fraction, fraction, result);
  }
  result->time_ns = instant;
  result->dropped = 0;
  result->vx = result->vy = 0;
  result->has &= ~(unsigned)(PARALLAX_VELOCITY | PARALLAX_DROPPED);
  for (k = 0; k < result->layer_count; k++) {
    result->layers[k].vx = result->layers[k].vy = 0;
    result->layers[k].has &= ~(unsigned)PARALLAX_VELOCITY;
  }
  return true;
}

int64_t parallax_timeline_moving_until(const parallax_timeline *t) {
  if (t->count == 0) return 0;
  const frame *last = &t->frames[t->count - 1];
  int64_t period = period_of(t), after = 0;
  if (!(last->offset.has & PARALLAX_VELOCITY)) {
    after = period;
  } else if (last->is_live || !is_zero(&last->offset)) {
    after = reach_of(last, 0);
    if (after < period * 3 / 4) after = period * 3 / 4;
  }
  return last->offset.time_ns + after;
}

parallax_timeline *parallax_timeline_new(void) {
  parallax_timeline *t = calloc(1, sizeof *t);
  if (!t) return NULL;
  t->reader.locale = newlocale(LC_ALL_MASK, "C", NULL);
  if (!t->reader.locale) {
    free(t);
    return NULL;
  }
  timeline_reset(t);
  return t;
}

void parallax_timeline_free(parallax_timeline *t) {
  if (!t) return;
  freelocale(t->reader.locale);
  free(t->reader.values);
  free(t);
}

bool parallax_timeline_add(parallax_timeline *t, const char *line, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy) return false;
  memcpy(copy, line, length);
  parallax_message message;
  parallax_offset offset;
  bool is_message = read_message(&t->reader, copy, length, &message, &offset) && (int)message.kind != message_ack;
  if (is_message) timeline_take(t, &message);
  free(copy);
  return is_message;
}

// MARK: The connection

enum { chunk = 16384, max_line = 1 << 20, max_request = 4096, max_feed = 768, samples_per_line = 32 };

struct parallax {
  parallax_options options;
  char paths[2][sizeof((struct sockaddr_un *)0)->sun_path + 1];
  int path_count;
  int epoll, timer, socket;
  parallax_state state;
  parallax_error error;
  char error_text[512];
  int failures;
  int64_t due;           // When to connect; 0: not.
  int64_t connected_at;
  uint64_t random;
  char *input;
  size_t begin, length, capacity, searched;
  char output[max_request];
  size_t output_length;  // Above the size: a request that is too long.
  bool must_watch, must_poll, is_dispatching, must_free;
  bool is_wanted;        // A feed: a subscriber needs motion.
  char feed[max_feed];   // The request that begins each connection of a feed; empty: a stream.
  parallax_watch watch;
  parallax_timeline *timeline;
};

int64_t parallax_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Adds the first `length` bytes of `folder`, or all if it is below 0, with `rest`.
static void add_path(parallax *p, const char *folder, int length, const char *rest) {
  char *path = p->paths[p->path_count++];
  // One byte more than fits a socket's name is enough to see that it is too long.
  snprintf(path, sizeof p->paths[0], "%.*s%s", length, folder, rest);
}

// Returns a variable of the environment; NULL if it is absent or empty.
static const char *environment(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

static void find_paths(parallax *p, bool is_control) {
  const char *stream = environment("PARALLAX_SOCKET"), *control = environment("PARALLAX_CONTROL");
  const char *only = p->options.socket_path;
  if (!only) only = is_control ? control : stream;
  if (only) {
    add_path(p, only, -1, "");
  } else if (stream) {
    const char *slash = strrchr(stream, '/');
    add_path(p, stream, slash ? (int)(slash + 1 - stream) : 0, "control.sock");
  } else {
    const char *runtime = environment("XDG_RUNTIME_DIR");
    const char *rest = is_control ? "/parallax/control.sock" : "/parallax/parallax.sock";
    char folder[32];
    snprintf(folder, sizeof folder, "/run/user/%u", (unsigned)getuid());
    add_path(p, runtime ? runtime : folder, -1, rest);
    add_path(p, "/run", -1, rest);
  }
}

static void set_due(parallax *p, int64_t due) {
  p->due = due;
  struct itimerspec at = {.it_value = {due / 1000000000, due % 1000000000}};
  timerfd_settime(p->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void set_state(parallax *p, parallax_state state) {
  if (p->state == state || p->must_free) return;
  p->state = state;
  if (p->options.on_state) p->options.on_state(p->options.data, state);
}

static bool prepare_feed(parallax *p, const parallax_feed *feed);

// Creates a stream, or a feed if `feed` is not NULL.
static parallax *open_socket(const parallax_options *options, const parallax_feed *feed) {
  parallax *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  if (options) p->options = *options;
  if (p->options.first_wait == 0) p->options.first_wait = 0.1;
  if (p->options.longest_wait == 0) p->options.longest_wait = 5;
  if (p->options.longest_wait < p->options.first_wait) p->options.longest_wait = p->options.first_wait;
  find_paths(p, feed != NULL);
  p->options.socket_path = NULL;
  p->options.watch = NULL;
  p->socket = -1;
  p->random = (uint64_t)parallax_now() ^ (uint64_t)getpid() << 32;
  p->timeline = parallax_timeline_new();
  p->epoll = epoll_create1(EPOLL_CLOEXEC);
  p->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN};
  if (!p->timeline || p->epoll < 0 || p->timer < 0 || epoll_ctl(p->epoll, EPOLL_CTL_ADD, p->timer, &event) < 0 ||
      (feed && !prepare_feed(p, feed))) {
    int number = errno;
    parallax_close(p);
    errno = number;
    return NULL;
  }
  p->timeline->watch = &p->watch;
  if (!feed && options && options->watch) parallax_set_watch(p, options->watch);
  set_due(p, 1);  // At once.
  return p;
}

parallax *parallax_open(const parallax_options *options) { return open_socket(options, NULL); }

parallax *parallax_open_feed(const parallax_feed *feed, const parallax_options *options) {
  return open_socket(options, feed);
}

void parallax_close(parallax *p) {
  if (!p) return;
  if (p->is_dispatching) {
    p->must_free = true;
    return;
  }
  if (p->socket >= 0) close(p->socket);
  if (p->timer >= 0) close(p->timer);
  if (p->epoll >= 0) close(p->epoll);
  parallax_timeline_free(p->timeline);
  free(p->input);
  free(p);
}

// The connection has ended, or no daemon accepted one.
static void lose(parallax *p, parallax_error error, const char *message) {
  if (p->socket >= 0) close(p->socket);
  p->socket = -1;
  p->is_wanted = false;
  p->error = error;
  if (message) snprintf(p->error_text, sizeof p->error_text, "%s", message);
  if (error == PARALLAX_INCOMPATIBLE || error == PARALLAX_REFUSED || p->options.first_wait < 0) {
    set_due(p, 0);
    set_state(p, PARALLAX_CLOSED);
    return;
  }
  int64_t now = parallax_now();
  // A daemon that accepts a connection and ends it at once counts as a failed attempt.
  if (p->connected_at && (double)(now - p->connected_at) * 1e-9 > p->options.longest_wait) p->failures = 0;
  p->connected_at = 0;
  double bound = fmin(ldexp(p->options.first_wait, p->failures), p->options.longest_wait);
  if (p->failures < 30) p->failures++;
  // xorshift64: the clients of a restarted daemon do not connect all at once.
  p->random ^= p->random << 13;
  p->random ^= p->random >> 7;
  p->random ^= p->random << 17;
  double share = 0.5 + 0.5 * (double)(p->random >> 11) * 0x1p-53;
  set_due(p, now + (int64_t)(bound * share * 1e9) + 1);
  set_state(p, PARALLAX_WAITING);
}

static void try_connect(parallax *p) {
  set_due(p, 0);
  set_state(p, PARALLAX_CONNECTING);
  size_t length = (size_t)snprintf(p->error_text, sizeof p->error_text, "no daemon answers");
  for (int k = 0; k < p->path_count && !p->must_free; k++) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int number = ENAMETOOLONG;
    if (strlen(p->paths[k]) < sizeof address.sun_path) {
      memcpy(address.sun_path, p->paths[k], strlen(p->paths[k]));
      p->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      struct epoll_event event = {.events = EPOLLIN};
      if (p->socket >= 0 && connect(p->socket, (struct sockaddr *)&address, sizeof address) == 0 &&
          epoll_ctl(p->epoll, EPOLL_CTL_ADD, p->socket, &event) == 0) {
        p->begin = p->length = p->searched = 0;
        p->output_length = strlen(p->feed);
        memcpy(p->output, p->feed, p->output_length);
        p->must_watch = p->watch.fields != 0;
        p->must_poll = false;
        p->connected_at = parallax_now();
        if (!*p->feed) set_state(p, PARALLAX_CONNECTED);
        return;
      }
      number = errno;
      if (p->socket >= 0) close(p->socket);
      p->socket = -1;
    }
    if (length < sizeof p->error_text) {
      length += (size_t)snprintf(p->error_text + length, sizeof p->error_text - length, "; %s: %s", p->paths[k],
                                 strerror(number));
    }
  }
  lose(p, PARALLAX_NO_DAEMON, NULL);
}

// Returns whether a feed ends with this message. A wrong sample is dropped, and the feed continues; after other errors
// the daemon ends the connection itself.
static bool is_refusal(const parallax *p, const parallax_message *message) {
  if (!*p->feed || message->kind != PARALLAX_MESSAGE_ERROR) return false;
  const char *code = message->error.code ? message->error.code : "";
  return p->state != PARALLAX_CONNECTED || strcmp(code, "denied") == 0 || strcmp(code, "unavailable") == 0;
}

// Handles the whole lines that have arrived.
static void take_lines(parallax *p) {
  while (p->socket >= 0 && !p->must_free) {
    char *from = p->input + p->begin;
    char *end = memchr(from + p->searched, '\n', p->length - p->searched);
    if (!end) {
      p->searched = p->length;
      return;
    }
    size_t length = (size_t)(end - from);
    p->begin += length + 1;
    p->length -= length + 1;
    p->searched = 0;
    parallax_message message;
    parallax_offset offset;
    if (!read_message(&p->timeline->reader, from, length, &message, &offset)) continue;
    if ((int)message.kind == message_ack) {
      if (*p->feed) set_state(p, PARALLAX_CONNECTED);
      continue;
    }
    // Another driver streams until the first sample of a feed.
    if (message.kind == PARALLAX_MESSAGE_DEVICE) p->is_wanted = strcmp(message.device.state, "idle") != 0;
    if (message.kind == PARALLAX_MESSAGE_OFFSET) complete(p->timeline, &offset);
    timeline_take(p->timeline, &message);
    if (p->options.on_message) p->options.on_message(p->options.data, &message);
    if (is_refusal(p, &message)) lose(p, PARALLAX_REFUSED, message.error.message);
    if (message.kind == PARALLAX_MESSAGE_VERSION && message.version.proto_major != protocol_major) {
      char text[200];
      snprintf(text, sizeof text, "the daemon (release %.60s) speaks protocol %lld, this program %d; update the older",
               message.version.release, (long long)message.version.proto_major, protocol_major);
      lose(p, PARALLAX_INCOMPATIBLE, text);
    }
  }
}

// Reads some of what has arrived: a server that never stops does not hold up the loop.
static void receive(parallax *p) {
  for (int round = 0; round < 16 && p->socket >= 0 && !p->must_free; round++) {
    if (p->begin > 0) {
      memmove(p->input, p->input + p->begin, p->length);
      p->begin = 0;
    }
    if (p->length > max_line) {
      lose(p, PARALLAX_ENDED, "the program on the socket is not parallaxd");
      return;
    }
    if (p->capacity < p->length + chunk) {
      size_t size = p->length + chunk > 2 * p->capacity ? p->length + chunk : 2 * p->capacity;
      char *input = realloc(p->input, size);
      if (!input) {
        lose(p, PARALLAX_ENDED, "no memory");
        return;
      }
      p->input = input;
      p->capacity = size;
    }
    ssize_t count = recv(p->socket, p->input + p->length, chunk, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      lose(p, PARALLAX_ENDED, count < 0 ? strerror(errno) : "the daemon ended the connection");
      return;
    }
    p->length += (size_t)count;
    take_lines(p);
  }
}

// MARK: Requests

void parallax_set_watch(parallax *p, const parallax_watch *watch) {
  if (watch->fields & PARALLAX_WATCH_ENABLE) p->watch.enable = watch->enable;
  if (watch->fields & PARALLAX_WATCH_RATE) p->watch.rate = watch->rate;
  if (watch->fields & PARALLAX_WATCH_ON_CHANGE) p->watch.on_change = watch->on_change;
  if (watch->fields & PARALLAX_WATCH_ORIENTATION) {
    snprintf(p->watch.orientation, sizeof p->watch.orientation, "%.15s", watch->orientation);
  }
  if (watch->fields & PARALLAX_WATCH_LAYERS) {
    p->watch.depth_count = watch->depth_count < PARALLAX_MAX_DEPTHS ? watch->depth_count : PARALLAX_MAX_DEPTHS;
    memcpy(p->watch.depths, watch->depths, sizeof watch->depths);
  }
  p->watch.fields |= watch->fields;
  for (int k = 0; k < p->timeline->count; k++) complete(p->timeline, &p->timeline->frames[k].offset);
  p->must_watch = true;
  if (p->socket >= 0) set_due(p, 1);  // The next dispatch sends it.
}

void parallax_poll(parallax *p) {
  p->must_poll = true;
  if (p->socket >= 0) set_due(p, 1);
}

static void put(parallax *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(parallax *p, const char *format, ...) {
  va_list list;
  va_start(list, format);
  size_t used = p->output_length < sizeof p->output ? p->output_length : sizeof p->output;
  int length = vsnprintf(p->output + used, sizeof p->output - used, format, list);
  va_end(list);
  p->output_length += length > 0 ? (size_t)length : 0;
}

static void put_string(parallax *p, const char *text, size_t limit) {
  put(p, "\"");
  for (size_t k = 0; k < limit && text[k]; k++) {
    unsigned char c = (unsigned char)text[k];
    if (c == '"' || c == '\\' || c < 0x20) put(p, "\\u%04x", c);
    else put(p, "%c", c);
  }
  put(p, "\"");
}

static void put_watch(parallax *p) {
  const parallax_watch *watch = &p->watch;
  put(p, "{\"class\":\"WATCH\"");
  if (watch->fields & PARALLAX_WATCH_ENABLE) put(p, ",\"enable\":%s", watch->enable ? "true" : "false");
  if (watch->fields & PARALLAX_WATCH_RATE) put(p, ",\"rate\":%.9g", watch->rate);
  if (watch->fields & PARALLAX_WATCH_ON_CHANGE) {
    if (watch->on_change > 0) put(p, ",\"on_change\":%.9g", watch->on_change);
    else put(p, ",\"on_change\":%s", watch->on_change == 0 ? "true" : "false");
  }
  if (watch->fields & PARALLAX_WATCH_ORIENTATION) {
    put(p, ",\"orientation\":");
    put_string(p, watch->orientation, sizeof watch->orientation);
  }
  if (watch->fields & PARALLAX_WATCH_LAYERS) {
    put(p, watch->depth_count < 0 ? ",\"layers\":null" : ",\"layers\":{");
    for (int k = 0; k < watch->depth_count; k++) {
      if (k > 0) put(p, ",");
      put_string(p, watch->depths[k].name, sizeof watch->depths[k].name);
      put(p, ":%.9g", watch->depths[k].depth);
    }
    if (watch->depth_count >= 0) put(p, "}");
  }
  put(p, "}\n");
}

static void transmit(parallax *p) {
  if (p->socket < 0) return;
  bool was_waiting = p->output_length > 0;
  if (!was_waiting && (p->must_watch || p->must_poll)) {
    // Numbers have a point in any locale of the program.
    locale_t before = uselocale(p->timeline->reader.locale);
    if (p->must_watch) put_watch(p);
    if (p->must_poll) put(p, "{\"class\":\"POLL\"}\n");
    uselocale(before);
    p->must_watch = p->must_poll = false;
    // Only with names that no layer has.
    if (p->output_length >= sizeof p->output) p->output_length = 0;
  }
  if (p->output_length == 0) return;
  ssize_t count = send(p->socket, p->output, p->output_length, MSG_NOSIGNAL);
  // Reading reports a connection that has ended.
  if (count < 0 && errno != EAGAIN && errno != EINTR) count = (ssize_t)p->output_length;
  if (count > 0) {
    p->output_length -= (size_t)count;
    memmove(p->output, p->output + count, p->output_length);
  }
  if (was_waiting || p->output_length > 0) {
    bool is_waiting = p->output_length > 0 || p->must_watch || p->must_poll;
    struct epoll_event event = {.events = is_waiting ? EPOLLIN | EPOLLOUT : EPOLLIN};
    epoll_ctl(p->epoll, EPOLL_CTL_MOD, p->socket, &event);
  }
}

// MARK: Samples

// Writes the request that begins each connection of a feed.
static bool prepare_feed(parallax *p, const parallax_feed *feed) {
  locale_t before = uselocale(p->timeline->reader.locale);
  put(p, "{\"class\":\"FEED\",\"name\":");
  put_string(p, feed->name, max_feed);
  if (feed->clock) {
    put(p, ",\"clock\":");
    put_string(p, feed->clock, max_feed);
  }
  if (feed->rate != 0) put(p, ",\"rate\":%.17g", feed->rate);
  if (feed->mount_matrix) {
    put(p, ",\"mount_matrix\":");
    put_string(p, feed->mount_matrix, max_feed);
  }
  put(p, "}\n");
  uselocale(before);
  if (p->output_length >= sizeof p->feed || !isfinite(feed->rate)) return errno = EINVAL, false;
  memcpy(p->feed, p->output, p->output_length);
  return true;
}

static bool is_finite(const parallax_sample *sample) {
  return isfinite(sample->x) && isfinite(sample->y) && isfinite(sample->z);
}

// Writes all digits, where a double would not keep them.
static void put_time(parallax *p, int64_t time_ns) {
  uint64_t size = time_ns < 0 ? -(uint64_t)time_ns : (uint64_t)time_ns;
  put(p, "%s%llu.%09llu", time_ns < 0 ? "-" : "", (unsigned long long)(size / 1000000000),
      (unsigned long long)(size % 1000000000));
}

// Writes a line with the first samples. Returns their number; 0 if the first one is not finite.
static size_t put_samples(parallax *p, const parallax_sample *samples, size_t count) {
  size_t length = 0;
  while (length < count && length < samples_per_line && samples[length].time_ns != PARALLAX_ARRIVAL &&
         is_finite(&samples[length])) length++;
  if (length > 1) {
    put(p, "{\"class\":\"SAMPLES\",\"samples\":");
    for (size_t k = 0; k < length; k++) {
      put(p, k ? ",[" : "[[");
      put_time(p, samples[k].time_ns);
      put(p, ",%.17g,%.17g,%.17g]", samples[k].x, samples[k].y, samples[k].z);
    }
    put(p, "]}\n");
    return length;
  }
  if (!is_finite(samples)) return 0;
  put(p, "{\"class\":\"SAMPLE\"");
  if (samples->time_ns != PARALLAX_ARRIVAL) {
    put(p, ",\"time\":");
    put_time(p, samples->time_ns);
  }
  put(p, ",\"x\":%.17g,\"y\":%.17g,\"z\":%.17g}\n", samples->x, samples->y, samples->z);
  return 1;
}

size_t parallax_send(parallax *p, const parallax_sample *samples, size_t count) {
  int reason = *p->feed && p->state == PARALLAX_CONNECTED && p->socket >= 0 ? 0 : ENOTCONN;
  size_t sent = 0;
  locale_t before = uselocale(p->timeline->reader.locale);
  while (sent < count && reason == 0) {
    // Bytes that did not fit before.
    transmit(p);
    size_t length = p->output_length > 0 ? 0 : put_samples(p, samples + sent, count - sent);
    if (length == 0) reason = p->output_length > 0 ? EAGAIN : EINVAL;
    sent += length;
  }
  transmit(p);
  uselocale(before);
  if (reason) errno = reason;
  return sent;
}

bool parallax_is_wanted(const parallax *p) { return p->is_wanted; }

// MARK: The loop

int parallax_dispatch(parallax *p) {
  if (p->state == PARALLAX_CLOSED) return -1;
  p->is_dispatching = true;
  if (p->due && parallax_now() >= p->due) {
    if (p->socket < 0) try_connect(p);
    else set_due(p, 0);
  }
  if (!p->must_free) transmit(p);
  if (!p->must_free && p->socket >= 0) receive(p);
  if (!p->must_free) transmit(p);
  p->is_dispatching = false;
  if (p->must_free) {
    parallax_close(p);
    return -1;
  }
  return p->state == PARALLAX_CLOSED ? -1 : 0;
}

int parallax_fd(const parallax *p) { return p->epoll; }

int parallax_timeout_ms(const parallax *p) {
  if (p->due == 0) return -1;
  int64_t left = p->due - parallax_now();
  return left <= 0 ? 0 : left > INT32_MAX * INT64_C(1000000) ? INT32_MAX : (int)((left + 999999) / 1000000);
}

parallax_state parallax_get_state(const parallax *p) { return p->state; }

parallax_error parallax_get_error(const parallax *p, const char **text) {
  if (text) *text = p->error_text;
  return p->error;
}

bool parallax_offset_at(const parallax *p, int64_t instant_ns, parallax_offset *offset) {
  return parallax_timeline_offset_at(p->timeline, instant_ns, offset);
}

bool parallax_offset_ahead(const parallax *p, int64_t instant_ns, int64_t ahead_ns, parallax_offset *offset) {
  return parallax_timeline_offset_ahead(p->timeline, instant_ns, ahead_ns, offset);
}

int64_t parallax_moving_until(const parallax *p) { return parallax_timeline_moving_until(p->timeline); }
