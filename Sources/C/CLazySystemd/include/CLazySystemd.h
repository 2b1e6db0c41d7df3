// SPDX-License-Identifier: Apache-2.0

// Defines the functions of libsystemd that parallax calls: a program with this module loads libsystemd at
// the first call instead of at its start. See functions.c.
#pragma once
