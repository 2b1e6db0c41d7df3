// SPDX-License-Identifier: Apache-2.0

// libqrencode: QR codes.

#ifndef PARALLAX_QRENCODE_SHIM_H
#define PARALLAX_QRENCODE_SHIM_H

#include <qrencode.h>

#endif
