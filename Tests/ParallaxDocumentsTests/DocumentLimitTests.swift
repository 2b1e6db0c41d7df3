import ParallaxAnimation
import ParallaxDocuments
import Testing

/// Documents as large as they may be are read; the next larger ones are told apart.
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
      return error.description
    }
  }

  @Test func `64 animations inside one another`() throws {
    let document = try read(document(sequences(depth: 64)))
    #expect(Timeline(document.animation).durationSeconds == 1)
    let message = try #require(error(self.document(sequences(depth: 65))))
    #expect(message.hasPrefix("test.json: $.animation.sequence[0].sequence[0]"))
    #expect(
      message.hasSuffix(": animations inside one another more than 64 deep, which is not allowed"))
  }

  @Test func `a curve of points in the innermost of them`() throws {
    let innermost = #"{"fade": {"to": 0}, "curve": {"linear": [[0, 0], [1, 1]]}}"#
    let text =
      String(repeating: #"{"parallel": ["#, count: 63) + innermost
      + String(repeating: "]}", count: 63)
    #expect(error(document(text)) == nil)
  }

  @Test func `deeper text is refused before anything is built of it`() throws {
    let message = try #require(error(String(repeating: "[", count: 1 << 20)))
    #expect(message == "test.json:1:141: nested more than 140 deep, which is not allowed")
  }

  @Test func `10,000 animations and keyframes`() throws {
    #expect(try Timeline(read(document(steps(9_999))).animation).durationSeconds > 999)
    #expect(
      error(document(steps(10_000)))
        == "test.json: $.animation.sequence[9999]: more than 10000 animations and keyframes, "
        + "which is not allowed")
    let frames = Array(repeating: #"{"at":0,"fade":1}"#, count: 10_000)
    #expect(
      error(document(#"{"keyframes": [\#(frames.joined(separator: ","))]}"#))
        == "test.json: $.animation.keyframes[9999]: more than 10000 animations and keyframes, "
        + "which is not allowed")
  }

  @Test func `one MiB of text`() throws {
    let text = document(#"{"delay": 1}"#)
    let full = text + String(repeating: " ", count: (1 << 20) - text.utf8.count)
    #expect(error(full) == nil)
    #expect(
      error(full + " ")
        == "test.json:1:1: 1048577 bytes of JSON, at most 1048576 are allowed")
  }

  @Test(arguments: ["1e400", "-1e400", "NaN", "Infinity", "99999999999999999999"])
  func `every number is finite`(number: String) throws {
    let message = try #require(error(document(#"{"delay": \#(number)}"#)))
    #expect(message.hasPrefix("test.json:1:"))
  }
}
