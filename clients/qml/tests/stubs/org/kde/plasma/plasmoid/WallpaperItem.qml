// SPDX-License-Identifier: Apache-2.0

import QtQuick

// As much of Plasma's as the wallpaper uses, to check and draw it without Plasma.
Item {
    property var configuration: ({ Picture: "", Travel: -1 })

    width: 600
    height: 400
}
