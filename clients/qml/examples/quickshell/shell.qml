// SPDX-License-Identifier: Apache-2.0

// A wallpaper for Quickshell: quickshell -p shell.qml, with hills.png and trees.png beside it.
import QtQuick
import Quickshell
import Quickshell.Wayland
import Parallax

ShellRoot {
    id: root

    ParallaxStream {
        id: parallax
    }

    Variants {
        model: Quickshell.screens

        PanelWindow {
            id: window

            required property var modelData
            // As far as the deepest layer moves to either side.
            readonly property real margin: 3 * Math.max(0, ...parallax.rangeX.map(Math.abs), ...parallax.rangeY.map(Math.abs))

            screen: modelData
            WlrLayershell.layer: WlrLayer.Background
            exclusionMode: ExclusionMode.Ignore
            anchors {
                left: true
                right: true
                top: true
                bottom: true
            }

            ParallaxLayer {
                stream: parallax
                depth: 1
                anchors.fill: parent
                anchors.margins: -window.margin

                Image {
                    anchors.fill: parent
                    source: "hills.png"
                    fillMode: Image.PreserveAspectCrop
                }
            }

            ParallaxLayer {
                stream: parallax
                depth: 3
                anchors.fill: parent
                anchors.margins: -window.margin

                Image {
                    anchors.fill: parent
                    source: "trees.png"
                    fillMode: Image.PreserveAspectCrop
                }
            }
        }
    }
}
