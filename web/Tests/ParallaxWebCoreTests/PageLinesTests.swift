// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxWebCore

@Suite("The lines between a page and the daemon")
struct PageLinesTests {
  private func requests(_ text: String) -> [String]? {
    PageLines.requests(Array(text.utf8))?.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    "{\"class\":\"STATUS\"}", "{\"class\":\"RECENTER\"}",
    "{\"class\":\"SET\",\"key\":\"scale\",\"value\":8}",
    // For the daemon to refuse.
    "{\"class\":\"SET\",",
  ])
  func allowed(line: String) {
    #expect(requests(line) == [line])
    #expect(requests(line + "\n") == [line])
    #expect(requests(line + "\n\n" + line) == [line, line])
  }

  @Test(arguments: [
    "", "\n", "x", "{}", "[]", "{\"class\":\"PLAY\"}", "{\"class\":\"RELOAD\"}",
    "{\"class\":\"SETS\"}", "{\"class\":\"SE\"}", "{\"class\":\"STATUS\"",
    "{\"class\":\"STATUS\" }",
    "{\"class\": \"STATUS\"}", " {\"class\":\"STATUS\"}", "{\"key\":\"a\",\"class\":\"SET\"}",
    "\u{FEFF}{\"class\":\"STATUS\"}", "{\"CLASS\":\"STATUS\"}", "{\"class\":\"status\"}",
  ])
  func refused(line: String) {
    #expect(requests(line) == nil)
    if !line.isEmpty && line != "\n" {
      #expect(requests("{\"class\":\"STATUS\"}\n" + line) == nil)
    }
  }

  @Test func theirNumberIsBounded() {
    let line = "{\"class\":\"STATUS\"}\n"
    #expect(requests(String(repeating: line, count: PageLines.maxRequests)) != nil)
    #expect(requests(String(repeating: line, count: PageLines.maxRequests + 1)) == nil)
  }

  @Test func ownLines() {
    #expect(
      PageLines.clock(seconds: 12, nanoseconds: 5_000_001)
        == "{\"class\":\"CLOCK\",\"time\":12.005000001}")
    #expect(
      PageLines.unavailable("a \"b\"\n\u{1}")
        == #"{"class":"ERROR","message":"a \"b\"\n\u0001","code":"unavailable"}"#)
  }
}

@Suite("The daemon's sockets")
struct DaemonSocketsTests {
  private func sockets(
    _ stream: String? = nil, _ control: String? = nil, _ variables: [String: String] = [:]
  ) -> DaemonSockets {
    DaemonSockets(stream: stream, control: control, variable: { variables[$0] }, uid: 1000)
  }

  @Test func withoutOptions() {
    let found = sockets()
    #expect(
      found.stream == ["/run/user/1000/parallax/parallax.sock", "/run/parallax/parallax.sock"])
    #expect(
      found.control == ["/run/user/1000/parallax/control.sock", "/run/parallax/control.sock"])
    #expect(sockets(nil, nil, ["XDG_RUNTIME_DIR": "/r"]).stream[0] == "/r/parallax/parallax.sock")
    #expect(found.options.isEmpty)
  }

  /// What the user names is the only one: the offsets of another daemon would mislead.
  @Test func named() {
    let both = ["PARALLAX_SOCKET": "/e/s", "PARALLAX_CONTROL": "/f/c"]
    #expect(sockets(nil, nil, both).stream == ["/e/s"])
    #expect(sockets(nil, nil, both).control == ["/f/c"])
    #expect(sockets(nil, nil, ["PARALLAX_SOCKET": "/e/s"]).control == ["/e/control.sock"])
    #expect(sockets("/a/s", nil, both).stream == ["/a/s"])
    #expect(sockets("/a/s", nil, both).control == ["/a/control.sock"])
    #expect(sockets("s", nil).control == ["control.sock"])
    #expect(sockets("/a/s", "/b/c", both).control == ["/b/c"])
    #expect(sockets("/a/s", "/b/c").options == ["--socket", "/a/s", "--control", "/b/c"])
  }
}
