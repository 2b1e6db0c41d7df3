// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import Testing

@Suite struct AnimationDocumentTests {
  @Test func reducedMotionDefaultsToNothing() {
    #expect(AnimationDocument(animation: .delay(.seconds(1))).reducedMotion == .none)
  }
}
