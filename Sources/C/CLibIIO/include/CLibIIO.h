// SPDX-License-Identifier: Apache-2.0

#pragma once
// libiio 0.2x (soname libiio.so.0), loaded on first use: it needs some twenty other libraries, about
// 4 MB of memory that a program without a gyroscope never needs. Each function here calls the one
// with the same name after `parallax_`, with the types of <iio.h>.
#include <iio.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// The functions of libiio in use: their names after `iio_`.
#define PARALLAX_IIO_FUNCTIONS(X) \
  X(library_get_version)          \
  X(create_local_context)         \
  X(create_context_from_uri)      \
  X(context_destroy)              \
  X(context_get_devices_count)    \
  X(context_get_device)           \
  X(context_get_name)             \
  X(device_get_id)                \
  X(device_get_name)              \
  X(device_get_label)             \
  X(device_is_trigger)            \
  X(device_find_channel)          \
  X(device_find_attr)             \
  X(device_attr_read)             \
  X(device_attr_write)            \
  X(device_get_trigger)           \
  X(device_set_trigger)           \
  X(device_set_kernel_buffers_count) \
  X(device_get_channels_count)    \
  X(device_get_channel)           \
  X(device_create_buffer)         \
  X(channel_get_id)               \
  X(channel_is_scan_element)      \
  X(channel_find_attr)            \
  X(channel_attr_read)            \
  X(channel_attr_write)           \
  X(channel_enable)               \
  X(channel_disable)              \
  X(channel_get_data_format)      \
  X(channel_convert)              \
  X(buffer_destroy)               \
  X(buffer_cancel)                \
  X(buffer_get_poll_fd)           \
  X(buffer_set_blocking_mode)     \
  X(buffer_refill)                \
  X(buffer_start)                 \
  X(buffer_end)                   \
  X(buffer_step)                  \
  X(buffer_first)

struct parallax_iio_functions {
#define PARALLAX_IIO_MEMBER(name) __typeof__(&iio_##name) name;
  PARALLAX_IIO_FUNCTIONS(PARALLAX_IIO_MEMBER)
#undef PARALLAX_IIO_MEMBER
};

// Loads the library. May be called again, and from any thread. Returns NULL if it is loaded, which
// it remains, else the reason in dlopen's words, which is valid forever.
const char *parallax_iio_load(void);

// libiio reports its steps on stdio's `stderr`, among the program's own messages. Afterwards all
// output there is dropped; file descriptor 2 is not touched.
void parallax_iio_silence(void);

// Valid once `parallax_iio_load` returned NULL.
extern struct parallax_iio_functions parallax_iio;

// MARK: - Calls through the table, for Swift

// Major version times 1000 plus minor.
static inline unsigned int parallax_iio_version(void) {
  unsigned int major = 0, minor = 0;
  char tag[8];
  parallax_iio.library_get_version(&major, &minor, tag);
  return 1000 * major + minor;
}
static inline struct iio_context *parallax_iio_create_context(const char *uri) {
  return uri ? parallax_iio.create_context_from_uri(uri) : parallax_iio.create_local_context();
}
static inline void parallax_iio_context_destroy(struct iio_context *context) {
  parallax_iio.context_destroy(context);
}
static inline unsigned int parallax_iio_context_get_devices_count(
    const struct iio_context *context) {
  return parallax_iio.context_get_devices_count(context);
}
static inline struct iio_device *parallax_iio_context_get_device(
    const struct iio_context *context, unsigned int index) {
  return parallax_iio.context_get_device(context, index);
}
static inline const char *parallax_iio_context_get_name(const struct iio_context *context) {
  return parallax_iio.context_get_name(context);
}
static inline const char *parallax_iio_device_get_id(const struct iio_device *device) {
  return parallax_iio.device_get_id(device);
}
static inline const char *parallax_iio_device_get_name(const struct iio_device *device) {
  return parallax_iio.device_get_name(device);
}
static inline const char *parallax_iio_device_get_label(const struct iio_device *device) {
  return parallax_iio.device_get_label(device);
}
static inline bool parallax_iio_device_is_trigger(const struct iio_device *device) {
  return parallax_iio.device_is_trigger(device);
}
static inline struct iio_channel *parallax_iio_device_find_input(
    const struct iio_device *device, const char *name) {
  return parallax_iio.device_find_channel(device, name, false);
}
static inline unsigned int parallax_iio_device_get_channels_count(
    const struct iio_device *device) {
  return parallax_iio.device_get_channels_count(device);
}
static inline struct iio_channel *parallax_iio_device_get_channel(
    const struct iio_device *device, unsigned int index) {
  return parallax_iio.device_get_channel(device, index);
}
static inline bool parallax_iio_device_has_attr(const struct iio_device *device, const char *name) {
  return parallax_iio.device_find_attr(device, name) != NULL;
}
static inline ssize_t parallax_iio_device_attr_read(
    const struct iio_device *device, const char *name, char *text, size_t size) {
  return parallax_iio.device_attr_read(device, name, text, size);
}
static inline ssize_t parallax_iio_device_attr_write(
    const struct iio_device *device, const char *name, const char *text) {
  return parallax_iio.device_attr_write(device, name, text);
}
static inline int parallax_iio_device_get_trigger(
    const struct iio_device *device, const struct iio_device **trigger) {
  return parallax_iio.device_get_trigger(device, trigger);
}
static inline int parallax_iio_device_set_trigger(
    const struct iio_device *device, const struct iio_device *trigger) {
  return parallax_iio.device_set_trigger(device, trigger);
}
static inline int parallax_iio_device_set_kernel_buffers_count(
    const struct iio_device *device, unsigned int count) {
  return parallax_iio.device_set_kernel_buffers_count(device, count);
}
static inline struct iio_buffer *parallax_iio_device_create_buffer(
    const struct iio_device *device, size_t scans) {
  return parallax_iio.device_create_buffer(device, scans, false);
}
static inline const char *parallax_iio_channel_get_id(const struct iio_channel *channel) {
  return parallax_iio.channel_get_id(channel);
}
static inline bool parallax_iio_channel_is_scan_element(const struct iio_channel *channel) {
  return parallax_iio.channel_is_scan_element(channel);
}
static inline bool parallax_iio_channel_has_attr(
    const struct iio_channel *channel, const char *name) {
  return parallax_iio.channel_find_attr(channel, name) != NULL;
}
static inline ssize_t parallax_iio_channel_attr_read(
    const struct iio_channel *channel, const char *name, char *text, size_t size) {
  return parallax_iio.channel_attr_read(channel, name, text, size);
}
static inline ssize_t parallax_iio_channel_attr_write(
    const struct iio_channel *channel, const char *name, const char *text) {
  return parallax_iio.channel_attr_write(channel, name, text);
}
static inline void parallax_iio_channel_enable(struct iio_channel *channel) {
  parallax_iio.channel_enable(channel);
}
static inline void parallax_iio_channel_disable(struct iio_channel *channel) {
  parallax_iio.channel_disable(channel);
}
// The bits of a value in a scan, and whether it is signed; 0 if there is no such value, or if its format
// is not one value within those bits. channel_convert writes `repeat` values of `length` bits, and sizes
// like 40 bits in 32 lead it out of its arrays (libiio 0.24, channel.c: sign_extend, shift_bits).
static inline unsigned int parallax_iio_channel_storage(
    const struct iio_channel *channel, bool *is_signed) {
  const struct iio_data_format *format = parallax_iio.channel_get_data_format(channel);
  if (!format) return 0;
  if (format->repeat != 1 || format->bits == 0 || format->bits > format->length ||
      format->shift > format->length - format->bits)
    return 0;
  *is_signed = format->is_signed;
  return format->length;
}
static inline void parallax_iio_channel_convert(
    const struct iio_channel *channel, void *value, const void *scanned) {
  parallax_iio.channel_convert(channel, value, scanned);
}
static inline void parallax_iio_buffer_destroy(struct iio_buffer *buffer) {
  parallax_iio.buffer_destroy(buffer);
}
static inline void parallax_iio_buffer_cancel(struct iio_buffer *buffer) {
  parallax_iio.buffer_cancel(buffer);
}
static inline int parallax_iio_buffer_get_poll_fd(struct iio_buffer *buffer) {
  return parallax_iio.buffer_get_poll_fd(buffer);
}
static inline int parallax_iio_buffer_set_nonblocking(struct iio_buffer *buffer) {
  return parallax_iio.buffer_set_blocking_mode(buffer, false);
}
static inline ssize_t parallax_iio_buffer_refill(struct iio_buffer *buffer) {
  return parallax_iio.buffer_refill(buffer);
}
static inline const void *parallax_iio_buffer_start(const struct iio_buffer *buffer) {
  return parallax_iio.buffer_start(buffer);
}
static inline const void *parallax_iio_buffer_end(const struct iio_buffer *buffer) {
  return parallax_iio.buffer_end(buffer);
}
static inline ptrdiff_t parallax_iio_buffer_step(const struct iio_buffer *buffer) {
  return parallax_iio.buffer_step(buffer);
}
static inline const void *parallax_iio_buffer_first(
    const struct iio_buffer *buffer, const struct iio_channel *channel) {
  return parallax_iio.buffer_first(buffer, channel);
}

#ifdef __cplusplus
}
#endif
