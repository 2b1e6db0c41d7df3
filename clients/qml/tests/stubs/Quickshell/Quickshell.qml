// SPDX-License-Identifier: Apache-2.0

pragma Singleton
import QtQml

QtObject {
    readonly property var screens: ["one"]
    property var root
}
