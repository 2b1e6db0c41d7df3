// SPDX-License-Identifier: Apache-2.0

import QtQuick
import Parallax

// Moves what is in it by the depth times the stream's offset, in logical px. With `layerName` it follows the stream's layer
// of that name instead.
Item {
    id: root

    property ParallaxStream stream
    property real depth: 1
    property real depthX: depth
    property real depthY: depth
    property string layerName

    readonly property var place: stream && layerName ? stream.layerOffsets[layerName] : undefined
    readonly property real offsetX: place ? place.x : stream ? depthX * stream.x : 0
    readonly property real offsetY: place ? place.y : stream ? depthY * stream.y : 0

    rotation: stream ? stream.rotation : 0
    scale: stream ? stream.scale : 1
    opacity: stream ? stream.opacity : 1
    transform: [
        // `scale` and `rotation` follow; this one adds what the axes differ by.
        Scale {
            origin.x: root.width / 2
            origin.y: root.height / 2
            yScale: root.stream && root.stream.scale !== 0 ? root.stream.scaleY / root.stream.scale : 1
        },
        Translate {
            x: root.offsetX
            y: root.offsetY
        }
    ]
}
