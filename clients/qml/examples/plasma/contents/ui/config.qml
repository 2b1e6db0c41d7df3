// SPDX-License-Identifier: Apache-2.0

import QtQuick
import QtQuick.Controls
import org.kde.kirigami as Kirigami

Kirigami.FormLayout {
    property alias cfg_Image: image.text
    property double cfg_Depth

    TextField {
        id: image

        Kirigami.FormData.label: "Picture:"
        placeholderText: "/path/of/a/picture.jpg"
    }

    Slider {
        Kirigami.FormData.label: "Depth:"
        from: -3
        to: 3
        value: parent.cfg_Depth
        onMoved: parent.cfg_Depth = value
    }
}
