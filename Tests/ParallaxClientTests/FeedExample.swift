// SPDX-License-Identifier: Apache-2.0

import ParallaxClient

/// The example of docs/feed.md.
private func feedFromAController() {
  let feed = ParallaxFeed(.init(name: "My controller", rateHertz: 100))
  feed.send([.init(time: .now, x: 0.1, y: 0.5, z: 0)])
}
