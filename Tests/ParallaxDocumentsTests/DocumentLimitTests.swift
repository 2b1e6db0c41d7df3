// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import Testing

/// Documents at the limits are read, larger ones are refused.
@Suite struct DocumentLimitTests {
  private func document(_ animation: String) -> String {
    #"{"parallax": 1, "animation": \#(animation)}"#
  }

  private func sequences(depth: Int) -> String {
    String(repeating: #"{"sequence": ["#, count: depth - 1) + #"{"delay": 1}"#
      + String(repeating: "]}", count: depth - 1)
  }

  private func steps(_ count: Int) -> String {
    let steps = Array(
      repeating: #"{"move":{"by":[1,0]},"duration":0.1,"curve":"ease"}"#, count: count)
    return #"{"sequence": ["# + steps.joined(separator: ",") + "]}"
  }

  private func error(_ text: String) -> String? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return withoutPosition(error)
    }
  }

  @Test func nestedAnimations() throws {
    let document = try read(document(sequences(depth: 64)))
    #expect(Timeline(document.animation).durationSeconds == 1)
    let message = try #require(error(self.document(sequences(depth: 65))))
    #expect(message.hasPrefix("test.json: $.animation.sequence[0].sequence[0]"))
    #expect(
      message.hasSuffix(": animations nested too deep; the limit is 64 levels"))
  }

  @Test func pointsInTheInnermostAnimation() throws {
    let innermost = #"{"fade": {"to": 0}, "curve": {"linear": [[0, 0], [1, 1]]}}"#
    let text =
      String(repeating: #"{"parallel": ["#, count: 63) + innermost
      + String(repeating: "]}", count: 63)
    #expect(error(document(text)) == nil)
  }

  @Test func nestedText() throws {
    let message = try #require(error(String(repeating: "[", count: 1 << 20)))
    #expect(message == "test.json:1:141: invalid JSON: nested too deep; the limit is 140 levels")
  }

  @Test func animationsAndKeyframes() throws {
    #expect(try Timeline(read(document(steps(9_999))).animation).durationSeconds > 999)
    #expect(
      error(document(steps(10_000)))
        == "test.json: $.animation.sequence[9999]: too many animations and keyframes; "
        + "the limit is 10000")
    let frames = Array(repeating: #"{"at":0,"fade":1}"#, count: 10_000)
    #expect(
      error(document(#"{"keyframes": [\#(frames.joined(separator: ","))]}"#))
        == "test.json: $.animation.keyframes[9999]: too many animations and keyframes; "
        + "the limit is 10000")
  }

  @Test func lengthOfTheText() throws {
    let text = document(#"{"delay": 1}"#)
    let full = text + String(repeating: " ", count: (1 << 20) - text.utf8.count)
    #expect(error(full) == nil)
    #expect(
      error(full + " ")
        == "test.json:1:1: invalid JSON: 1048577 bytes of JSON; the limit is 1048576")
  }

  @Test(arguments: ["1e400", "-1e400", "NaN", "Infinity", "99999999999999999999"])
  func numbersAreFinite(number: String) throws {
    let message = try #require(error(document(#"{"delay": \#(number)}"#)))
    #expect(message.hasPrefix("test.json:1:"))
  }
}
