// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import Testing

/// Lottie files read by `DocumentReader`.
@Suite struct LottieDocumentTests {
  /// Layers `left` and `right` move 10 px to the left and to the right in 1 s; `still` does not
  /// move.
  private let file = """
    {"v": "5.7.0", "fr": 30, "ip": 0, "op": 30, "layers": [
      {"ty": 3, "ind": 1, "nm": "still", "ip": 0, "op": 30, "st": 0, "ks": {"p": {"a": 0, "k": [5, 5]}}},
      {"ty": 3, "ind": 2, "nm": "left", "ip": 0, "op": 30, "st": 0, "ks": {"p": {"a": 1, "k": [
        {"t": 0, "s": [0, 0], "o": {"x": 0, "y": 0}, "i": {"x": 1, "y": 1}}, {"t": 30, "s": [-10, 0]}]}}},
      {"ty": 3, "ind": 3, "nm": "right", "ip": 0, "op": 30, "st": 0, "ks": {"p": {"a": 1, "k": [
        {"t": 0, "s": [0, 0], "o": {"x": 0, "y": 0}, "i": {"x": 1, "y": 1}}, {"t": 30, "s": [10, 0]}]}}}]}
    """

  @Test(arguments: [(nil, -5.0), ("left", -5), ("right", 5)] as [(String?, Double)])
  func namedOrFirstAnimatedLayerPlays(driver: String?, x: Double) throws {
    let document = try DocumentReader.read(Array(file.utf8), name: "f.json", driver: driver)
    let timeline = Timeline(document.animation)
    #expect(timeline.durationSeconds == 1)
    #expect(abs(timeline.pose(at: 0.5).offset.x - x) < 1e-9)
  }

  @Test func unknownLayerIsLayerOfTheStream() throws {
    let document = try DocumentReader.read(Array(file.utf8), name: "f.json", driver: "card")
    #expect(abs(Timeline(document.animation).pose(at: 0.5).offset.x + 5) < 1e-9)
    #expect(
      document.unsupportedFeatures.first
        == #"layer "card": not in the file; its layers are "still", "left", "right""#)
  }

  @Test func errorsHaveAPath() {
    let wrong = #"{"fr": 30, "ip": 0, "op": 0, "layers": []}"#
    do throws(DocumentError) {
      _ = try DocumentReader.read(Array(wrong.utf8), name: "f.json")
      Issue.record("read")
    } catch {
      #expect(error.description.hasPrefix("f.json:1:27: $.op: "))
    }
  }

  @Test func nestingIsLimited() throws {
    func nested(_ depth: Int) -> [UInt8] {
      let shapes = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return Array((String(file.dropLast(1)) + #", "shapes": \#(shapes)}"#).utf8)
    }
    #expect(try DocumentReader.read(nested(63), name: "f.json").layer == nil)
    do throws(DocumentError) {
      _ = try DocumentReader.read(nested(64), name: "f.json")
      Issue.record("read")
    } catch {
      #expect(error.description == "f.json:1:1: $: nested too deep; the limit is 64 levels")
    }
  }
}
