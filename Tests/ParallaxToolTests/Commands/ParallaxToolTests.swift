// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@Suite("parallax itself")
struct ParallaxToolTests {
  @Test func helpIntoAClosedPipeEndsQuietly() throws {
    let result = try Program(path: "/bin/sh").run([
      "-c", "{ '\(Program.parallax.path)' --help; echo $? >&2; } | true",
    ])
    #expect(result.errors == "0\n")
  }
}
