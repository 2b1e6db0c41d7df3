// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

extension StatusMessage.Agent {
  /// What the agent reports, for the user: `reduced motion on, left-up`.
  var text: String {
    let motion = reduceMotion.map { $0 ? "reduced motion on" : "reduced motion off" }
    let parts = [motion, orientation?.rawValue].compactMap { $0 }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
