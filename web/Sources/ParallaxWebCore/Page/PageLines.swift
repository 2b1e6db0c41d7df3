// SPDX-License-Identifier: Apache-2.0

/// The lines of the protocol between a page and the daemon.
package enum PageLines {
  /// The requests that a page may send to the control socket.
  package static let requests = ["STATUS", "SET", "RECENTER"]
  /// The bytes and the number of requests that a page may send at once.
  package static let (maxBytes, maxRequests) = (64 << 10, 64)

  /// Returns the lines of a body; nil if the daemon must not get them.
  ///
  /// Each line must begin with its class, in the form in which JSON.stringify writes it. The daemon refuses an
  /// object with a second class, so the class here is the one that it sees.
  package static func requests(_ body: [UInt8]) -> [ArraySlice<UInt8>]? {
    let lines = body.split(separator: UInt8(ascii: "\n"))
    guard (1...maxRequests).contains(lines.count), lines.allSatisfy({ isAllowed($0) }) else {
      return nil
    }
    return lines
  }

  private static func isAllowed(_ line: ArraySlice<UInt8>) -> Bool {
    requests.contains { name in
      let start = Array("{\"class\":\"\(name)\"".utf8)
      let next = line.dropFirst(start.count).first
      return line.starts(with: start) && (next == UInt8(ascii: ",") || next == UInt8(ascii: "}"))
    }
  }

  /// The request with which a page's stream begins: the frames that a picture needs. At rest no lines come, and no
  /// process wakes up.
  package static let watch = "{\"class\":\"WATCH\",\"rate\":60,\"on_change\":0.01}\n"

  /// Returns a CLOCK line for an instant of CLOCK_MONOTONIC.
  package static func clock(seconds: Int, nanoseconds: Int) -> String {
    let digits = String(nanoseconds)
    let padded = String(repeating: "0", count: 9 - digits.count) + digits
    return "{\"class\":\"CLOCK\",\"time\":\(seconds).\(padded)}"
  }

  /// Returns the ERROR line that says why no lines come.
  package static func unavailable(_ message: String) -> String {
    "{\"class\":\"ERROR\",\"message\":\(JSONText.quoted(message)),\"code\":\"unavailable\"}"
  }
}
