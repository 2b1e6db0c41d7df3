// SPDX-License-Identifier: Apache-2.0

import QtQml

QtObject {
    property bool left
    property bool right
    property bool top
    property bool bottom
}
