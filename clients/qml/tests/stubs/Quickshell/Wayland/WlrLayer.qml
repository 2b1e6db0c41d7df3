// SPDX-License-Identifier: Apache-2.0

import QtQml

QtObject {
    enum Layer { Background, Bottom, Top, Overlay }
}
