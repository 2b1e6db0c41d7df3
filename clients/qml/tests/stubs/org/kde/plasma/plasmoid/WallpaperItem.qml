// SPDX-License-Identifier: Apache-2.0

import QtQuick

// As much of Plasma's as the example uses, to check and draw it without Plasma.
Item {
    property var configuration: ({ Image: "", Depth: 2 })

    width: 600
    height: 400
}
