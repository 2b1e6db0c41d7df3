// SPDX-License-Identifier: Apache-2.0

// Three layers: qml examples/scene.qml
import QtQuick
import Parallax

Rectangle {
    width: 600
    height: 400
    color: "#10162b"

    ParallaxStream {
        id: parallax
    }

    Repeater {
        model: [[90, 60, 220, 1, "#3b4a7a"], [260, 130, 150, 3, "#7a6fd0"], [400, 220, 90, 6, "#ffb35c"]]

        ParallaxLayer {
            required property var modelData

            stream: parallax
            depth: modelData[3]

            Rectangle {
                x: parent.modelData[0]
                y: parent.modelData[1]
                width: parent.modelData[2]
                height: width
                radius: width / 2
                color: parent.modelData[4]
            }
        }
    }
}
