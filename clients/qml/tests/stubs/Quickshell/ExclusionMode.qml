// SPDX-License-Identifier: Apache-2.0

import QtQml

QtObject {
    enum Mode { Normal, Ignore, Auto }
}
