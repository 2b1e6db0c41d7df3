// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// The commands that talk to a daemon, session by session. `Session` has the notation.
@Suite("Sessions", .timeLimit(.minutes(10)))
struct SessionTests {
  @Test(arguments: [
    ("Files", 185), ("Files/Recordings", 50), ("Files/Options", 140), ("Files/Documents", 45),
  ])
  func everyFileIsRead(folder: String, count: Int) throws {
    #expect(try Session.all(in: folder).count >= count)
  }

  @Test(arguments: (try? Session.all(in: "Files")) ?? [])
  func theSessionGoesAsWritten(_ session: Session) throws { try session.check() }
}

/// Recordings that `parallax replay` refuses, or reads although they look bad.
@Suite("Sessions with recordings", .timeLimit(.minutes(10)))
struct RecordingSessionTests {
  @Test(arguments: (try? Session.all(in: "Files/Recordings")) ?? [])
  func theSessionGoesAsWritten(_ session: Session) throws { try session.check() }
}

/// Command lines, configurations and places for files.
@Suite("Sessions with options", .timeLimit(.minutes(10)))
struct OptionSessionTests {
  @Test(arguments: (try? Session.all(in: "Files/Options")) ?? [])
  func theSessionGoesAsWritten(_ session: Session) throws { try session.check() }
}

/// Animations.
@Suite("Sessions with documents", .timeLimit(.minutes(10)))
struct DocumentSessionTests {
  @Test(arguments: (try? Session.all(in: "Files/Documents")) ?? [])
  func theSessionGoesAsWritten(_ session: Session) throws { try session.check() }
}
