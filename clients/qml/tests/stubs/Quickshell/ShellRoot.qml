// SPDX-License-Identifier: Apache-2.0

import QtQuick
import Quickshell

// As much of Quickshell's types as the example uses, to check and draw it without Quickshell.
Item {
    id: root

    width: 600
    height: 400
    Component.onCompleted: Quickshell.root = root
}
