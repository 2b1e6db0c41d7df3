// SPDX-License-Identifier: Apache-2.0

// A wallpaper for Plasma 6: kpackagetool6 -t Plasma/Wallpaper -i plasma
import QtQuick
import org.kde.plasma.plasmoid
import Parallax

WallpaperItem {
    id: wallpaper

    ParallaxStream {
        id: parallax
    }

    Rectangle {
        anchors.fill: parent
        color: "#10162b"
        clip: true

        ParallaxLayer {
            readonly property real margin: depth * Math.max(0, ...parallax.rangeX.map(Math.abs), ...parallax.rangeY.map(Math.abs))

            stream: parallax
            depth: wallpaper.configuration.Depth
            anchors.fill: parent
            anchors.margins: -margin

            Image {
                anchors.fill: parent
                source: wallpaper.configuration.Image
                fillMode: Image.PreserveAspectCrop
                asynchronous: true
            }
        }
    }
}
