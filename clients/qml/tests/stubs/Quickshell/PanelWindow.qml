// SPDX-License-Identifier: Apache-2.0

import QtQuick
import Quickshell

// Not an item, as in Quickshell: its anchors are flags.
QtObject {
    id: panel

    property var screen
    property int exclusionMode: ExclusionMode.Auto
    property PanelAnchors anchors: PanelAnchors {}
    default property list<QtObject> content

    readonly property Item surface: Item {
        parent: Quickshell.root
        anchors.fill: parent
    }

    Component.onCompleted: {
        for (let k = 0; k < content.length; k += 1)
            content[k].parent = surface;
    }
}
