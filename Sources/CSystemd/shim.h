// SPDX-License-Identifier: Apache-2.0

#pragma once
// libsystemd, and the constants that Swift cannot import.
#include <stdint.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>

// MARK: - Flags of epoll as plain numbers; C has an enumeration and a macro of the same name

static const uint32_t PARALLAX_EPOLLIN = 0x001;
static const uint32_t PARALLAX_EPOLLOUT = 0x004;
static const uint32_t PARALLAX_EPOLLERR = 0x008;
static const uint32_t PARALLAX_EPOLLHUP = 0x010;
