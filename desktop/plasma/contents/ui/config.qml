// SPDX-License-Identifier: Apache-2.0

import QtQuick
import QtQuick.Controls as QQC2
import QtQuick.Dialogs
import QtQuick.Layouts
import org.kde.kirigami as Kirigami
import Parallax

// The settings of the wallpaper: the picture and how far it moves.
Kirigami.FormLayout {
    id: page

    property string cfg_Picture
    property string cfg_PictureDefault
    property double cfg_Travel
    property double cfg_TravelDefault
    // Set by the dialog, which has the same page for every wallpaper.
    property var configDialog
    property var wallpaperConfiguration

    readonly property var names: files.installed

    ParallaxPicture {
        id: files

        source: page.cfg_Picture
    }

    RowLayout {
        Kirigami.FormData.label: "Picture:"

        QQC2.ComboBox {
            id: choice

            readonly property bool isPath: page.cfg_Picture !== "" && !page.names.includes(page.cfg_Picture)

            Layout.preferredWidth: Kirigami.Units.gridUnit * 14
            // The names are as they are written on a command line, too.
            model: ["My choice (~/.config/parallax/wallpaper)", ...page.names].concat(isPath ? [page.cfg_Picture] : [])
            currentIndex: page.cfg_Picture === "" ? 0 : isPath ? count - 1 : page.names.indexOf(page.cfg_Picture) + 1
            onActivated: index => {
                if (index <= page.names.length)
                    page.cfg_Picture = index === 0 ? "" : page.names[index - 1];
            }
        }

        QQC2.Button {
            text: "Image…"
            icon.name: "document-open"
            onClicked: fileDialog.open()
        }

        QQC2.Button {
            text: "Folder…"
            icon.name: "document-open-folder"
            onClicked: folderDialog.open()
        }
    }

    Kirigami.InlineMessage {
        Layout.fillWidth: true
        visible: files.error !== ""
        type: Kirigami.MessageType.Error
        text: files.error
    }

    QQC2.CheckBox {
        id: own

        Kirigami.FormData.label: "Travel:"
        text: "As the picture says"
        checked: page.cfg_Travel < 0
        onToggled: page.cfg_Travel = checked ? -1 : files.travel
    }

    RowLayout {
        enabled: !own.checked

        QQC2.Slider {
            Layout.preferredWidth: Kirigami.Units.gridUnit * 14
            from: 0
            to: 0.1
            stepSize: 0.005
            value: page.cfg_Travel < 0 ? files.travel : page.cfg_Travel
            onMoved: page.cfg_Travel = value
        }

        QQC2.Label {
            text: ((page.cfg_Travel < 0 ? files.travel : page.cfg_Travel) * 100).toFixed(1) + " % of the width"
        }
    }

    FileDialog {
        id: fileDialog

        nameFilters: ["Images (*.png *.jpg *.jpeg *.webp *.svg *.avif *.heic)", "All files (*)"]
        onAccepted: page.cfg_Picture = files.localPath(selectedFile)
    }

    FolderDialog {
        id: folderDialog

        onAccepted: page.cfg_Picture = files.localPath(selectedFolder)
    }
}
