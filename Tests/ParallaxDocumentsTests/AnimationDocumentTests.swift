import ParallaxAnimation
import ParallaxDocuments
import Testing

@Suite struct AnimationDocumentTests {
  @Test func `without a word about reduced motion nothing plays then`() {
    #expect(AnimationDocument(animation: .delay(1)).reducedMotion == .none)
  }
}
