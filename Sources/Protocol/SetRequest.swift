// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// SET, as it is sent: a key and a value that only the daemon interprets.
package struct SetRequest: Equatable, Sendable {
  package var key: String
  package var value: Value

  package enum Value: Equatable, Sendable {
    /// As on the command line: `ema:0.1`, but also `5` and `on`.
    case text(String)
    case number(Double)
    case boolean(Bool)

    /// The value as on the command line.
    package var text: String {
      switch self {
      case .text(let text): text
      case .number(let number): SettingText.text(number)
      case .boolean(let flag): flag ? "on" : "off"
      }
    }
  }

  package init(key: String, value: Value) {
    self.key = key
    self.value = value
  }
}

extension OutputBuffer {
  package mutating func append(_ value: SetRequest.Value) {
    switch value {
    case .text(let text): append(jsonString: text)
    case .number(let number): append(jsonNumber: number)
    case .boolean(let flag): append(jsonBool: flag)
    }
  }
}
