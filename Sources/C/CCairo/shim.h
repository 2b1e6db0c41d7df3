// SPDX-License-Identifier: Apache-2.0

#pragma once
// Cairo 1.16: SVG documents and images.
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
