// SPDX-License-Identifier: Apache-2.0

// SwiftPM builds a C target only if it has a source file; the header defines everything inline.
#include "CPlatform.h"
