// SPDX-License-Identifier: Apache-2.0
// The functions of libsystemd (soname libsystemd.so.0) that the modules of `parallax` call, under their own
// names: each loads the library if necessary and calls the function there. libsystemd brings six other
// libraries, 0.8 MB of memory at every start, and only `agent` and `doctor` use it. parallaxd always does
// and is linked with it.
//
// If the library cannot be loaded, a function returns -ELIBACC, or NULL where it returns a pointer. `parallax`
// cannot be linked if it calls a function that is missing here.

#include "CLazySystemd.h"

#include <CLibrary.h>
#include <errno.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-login.h>

// CODE(name, parameters, arguments): returns 0 or more, or a negative errno.
// POINTER(type, name, parameters, arguments)
#define FUNCTIONS(CODE, POINTER)                                                                   \
  CODE(sd_bus_add_match_async,                                                                     \
    (sd_bus *bus, sd_bus_slot **slot, const char *match, sd_bus_message_handler_t callback,        \
      sd_bus_message_handler_t install, void *data),                                               \
    (bus, slot, match, callback, install, data))                                                   \
  CODE(sd_bus_attach_event, (sd_bus *bus, sd_event *event, int priority), (bus, event, priority))  \
  CODE(sd_bus_call_async,                                                                          \
    (sd_bus *bus, sd_bus_slot **slot, sd_bus_message *message, sd_bus_message_handler_t callback,  \
      void *data, uint64_t microseconds),                                                          \
    (bus, slot, message, callback, data, microseconds))                                            \
  POINTER(sd_bus *, sd_bus_close_unref, (sd_bus *bus), (bus))                                      \
  CODE(sd_bus_message_append_basic, (sd_bus_message *message, char type, const void *value),       \
    (message, type, value))                                                                        \
  CODE(sd_bus_message_enter_container, (sd_bus_message *message, char type, const char *contents), \
    (message, type, contents))                                                                     \
  CODE(sd_bus_message_exit_container, (sd_bus_message *message), (message))                        \
  POINTER(const sd_bus_error *, sd_bus_message_get_error, (sd_bus_message *message), (message))    \
  POINTER(const char *, sd_bus_message_get_sender, (sd_bus_message *message), (message))           \
  CODE(sd_bus_message_new_method_call,                                                             \
    (sd_bus *bus, sd_bus_message **message, const char *destination, const char *path,             \
      const char *interface, const char *member),                                                  \
    (bus, message, destination, path, interface, member))                                          \
  CODE(sd_bus_message_peek_type, (sd_bus_message *message, char *type, const char **contents),     \
    (message, type, contents))                                                                     \
  CODE(sd_bus_message_read_basic, (sd_bus_message *message, char type, void *value),               \
    (message, type, value))                                                                        \
  POINTER(sd_bus_message *, sd_bus_message_ref, (sd_bus_message *message), (message))              \
  CODE(sd_bus_message_set_auto_start, (sd_bus_message *message, int starts), (message, starts))    \
  CODE(sd_bus_message_skip, (sd_bus_message *message, const char *types), (message, types))        \
  POINTER(sd_bus_message *, sd_bus_message_unref, (sd_bus_message *message), (message))            \
  CODE(sd_bus_new, (sd_bus **bus), (bus))                                                          \
  CODE(sd_bus_open_system, (sd_bus **bus), (bus))                                                  \
  CODE(sd_bus_open_user, (sd_bus **bus), (bus))                                                    \
  CODE(sd_bus_set_address, (sd_bus *bus, const char *address), (bus, address))                     \
  CODE(sd_bus_set_bus_client, (sd_bus *bus, int is_client), (bus, is_client))                      \
  CODE(sd_bus_set_close_on_exit, (sd_bus *bus, int closes), (bus, closes))                         \
  POINTER(sd_bus_slot *, sd_bus_slot_unref, (sd_bus_slot *slot), (slot))                           \
  CODE(sd_bus_start, (sd_bus *bus), (bus))                                                         \
  CODE(sd_event_add_defer,                                                                         \
    (sd_event *event, sd_event_source **source, sd_event_handler_t callback, void *data),          \
    (event, source, callback, data))                                                               \
  CODE(sd_event_add_inotify,                                                                       \
    (sd_event *event, sd_event_source **source, const char *path, uint32_t mask,                   \
      sd_event_inotify_handler_t callback, void *data),                                            \
    (event, source, path, mask, callback, data))                                                   \
  CODE(sd_event_add_io,                                                                            \
    (sd_event *event, sd_event_source **source, int descriptor, uint32_t events,                   \
      sd_event_io_handler_t callback, void *data),                                                 \
    (event, source, descriptor, events, callback, data))                                           \
  CODE(sd_event_add_signal,                                                                        \
    (sd_event *event, sd_event_source **source, int number, sd_event_signal_handler_t callback,    \
      void *data),                                                                                 \
    (event, source, number, callback, data))                                                       \
  CODE(sd_event_add_time,                                                                          \
    (sd_event *event, sd_event_source **source, clockid_t clock, uint64_t microseconds,            \
      uint64_t accuracy, sd_event_time_handler_t callback, void *data),                            \
    (event, source, clock, microseconds, accuracy, callback, data))                                \
  CODE(sd_event_exit, (sd_event *event, int code), (event, code))                                  \
  CODE(sd_event_get_exit_code, (sd_event *event, int *code), (event, code))                        \
  CODE(sd_event_get_state, (sd_event *event), (event))                                             \
  CODE(sd_event_new, (sd_event **event), (event))                                                  \
  CODE(sd_event_run, (sd_event *event, uint64_t microseconds), (event, microseconds))              \
  POINTER(sd_event_source *, sd_event_source_disable_unref, (sd_event_source *source), (source))   \
  CODE(sd_event_source_set_enabled, (sd_event_source *source, int enabled), (source, enabled))     \
  CODE(sd_event_source_set_io_events, (sd_event_source *source, uint32_t events),                  \
    (source, events))                                                                              \
  CODE(sd_event_source_set_priority, (sd_event_source *source, int64_t priority),                  \
    (source, priority))                                                                            \
  CODE(sd_event_source_set_time, (sd_event_source *source, uint64_t microseconds),                 \
    (source, microseconds))                                                                        \
  POINTER(sd_event *, sd_event_unref, (sd_event *event), (event))                                  \
  CODE(sd_listen_fds_with_names, (int unsets, char ***names), (unsets, names))                     \
  CODE(sd_login_monitor_flush, (sd_login_monitor *monitor), (monitor))                             \
  CODE(sd_login_monitor_get_fd, (sd_login_monitor *monitor), (monitor))                            \
  CODE(sd_login_monitor_new, (const char *category, sd_login_monitor **monitor),                   \
    (category, monitor))                                                                           \
  POINTER(sd_login_monitor *, sd_login_monitor_unref, (sd_login_monitor *monitor), (monitor))      \
  CODE(sd_notify, (int unsets, const char *state), (unsets, state))                                \
  CODE(sd_seat_get_sessions,                                                                       \
    (const char *seat, char ***sessions, uid_t **users, unsigned int *count),                      \
    (seat, sessions, users, count))                                                                \
  CODE(sd_session_get_state, (const char *session, char **state), (session, state))                \
  CODE(sd_session_get_uid, (const char *session, uid_t *user), (session, user))                    \
  CODE(sd_watchdog_enabled, (int unsets, uint64_t *microseconds), (unsets, microseconds))

static struct {
#define MEMBER(name, ...) __typeof__(&name) name;
#define POINTER_MEMBER(type, name, ...) MEMBER(name)
  FUNCTIONS(MEMBER, POINTER_MEMBER)
} loaded;

static const struct parallax_symbol symbols[] = {
#define SYMBOL(name, ...) {#name, (void **)&loaded.name},
#define POINTER_SYMBOL(type, name, ...) SYMBOL(name)
  FUNCTIONS(SYMBOL, POINTER_SYMBOL)
};

static struct parallax_library library = {
  .file = "libsystemd.so.0",
  .symbols = symbols,
  .count = sizeof symbols / sizeof *symbols,
  .lock = PTHREAD_MUTEX_INITIALIZER,
};

#define DEFINITION(type, failure, name, parameters, arguments)                  \
  __attribute__((visibility("hidden"))) type name parameters {                  \
    return parallax_library_load(&library) ? failure : loaded.name arguments;   \
  }
#define CODE(name, parameters, arguments) DEFINITION(int, -ELIBACC, name, parameters, arguments)
#define POINTER(type, name, parameters, arguments) DEFINITION(type, NULL, name, parameters, arguments)
FUNCTIONS(CODE, POINTER)
