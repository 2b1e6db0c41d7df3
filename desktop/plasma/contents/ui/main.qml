// SPDX-License-Identifier: Apache-2.0

import QtQuick
import QtQuick.Window
import org.kde.plasma.plasmoid
import Parallax

// Covers one screen with a picture whose layers follow the stream.
WallpaperItem {
    id: wallpaper

    readonly property real travel: configuration.Travel >= 0 ? configuration.Travel : picture.travel
    // The layer with this depth moves by the whole travel.
    readonly property real nearest: Math.max(0, ...Array.from(picture.layers, layer => Math.abs(layer.depth)))
    readonly property real margin: nearest > 0 ? travel * width : 0
    // Covers the screen and the margin on every side.
    readonly property real zoom: picture.size.width > 0 && picture.size.height > 0
        ? Math.max((width + 2 * margin) / picture.size.width, (height + 2 * margin) / picture.size.height) : 0

    ParallaxPicture {
        id: picture

        source: wallpaper.configuration.Picture
        output: wallpaper.Screen.name
    }

    ParallaxStream {
        id: parallax

        // Does not keep the sensor on for a picture that is not visible.
        enabled: wallpaper.visible && wallpaper.margin > 0
            && wallpaper.Window.visibility !== Window.Hidden && wallpaper.Window.visibility !== Window.Minimized
    }

    Rectangle {
        anchors.fill: parent
        color: picture.background
        clip: true

        Repeater {
            model: picture.layers

            Image {
                required property var modelData
                readonly property real reach: wallpaper.nearest > 0
                    ? wallpaper.margin * modelData.depth / wallpaper.nearest : 0

                width: picture.size.width * wallpaper.zoom
                height: picture.size.height * wallpaper.zoom
                x: (wallpaper.width - width) / 2 + Math.max(-1, Math.min(1, parallax.nx)) * reach
                y: (wallpaper.height - height) / 2 + Math.max(-1, Math.min(1, parallax.ny)) * reach
                source: modelData.image
                // SVG is drawn, and a larger image reduced, to the pixels of the screen.
                sourceSize.width: Math.ceil(width * Screen.devicePixelRatio)
                sourceSize.height: Math.ceil(height * Screen.devicePixelRatio)
                asynchronous: true
                // A changed file has the same name.
                cache: false
            }
        }

        Rectangle {
            visible: picture.error !== ""
            anchors.centerIn: parent
            width: Math.min(parent.width * 0.8, message.implicitWidth + 48)
            height: message.height + 32
            radius: 8
            color: "#d0202020"

            Text {
                id: message

                anchors.centerIn: parent
                width: parent.width - 48
                text: picture.error
                textFormat: Text.PlainText
                wrapMode: Text.Wrap
                horizontalAlignment: Text.AlignHCenter
                color: "white"
            }
        }
    }
}
