// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon

/// A client, and what it has seen.
final class ModelClient {
  let number: Int
  let uid: UInt32
  let isControl: Bool
  let connection: ModelConnection
  weak var events: (any ClientEvents)?
  /// Whether it was privileged when it connected.
  let wasPrivileged: Bool

  /// The second connection of a pair, which is never blocked.
  var reader: ModelClient?
  /// For a pair: the frames that the reader got and this client has not, and those that this client got
  /// and that were not compared yet.
  var offered: [Int] = []
  var compared: [(seq: Int, dropped: Int)] = []
  /// The last frame that was compared.
  var lastCompared = -1

  /// The number of lines that it got.
  var lines = 0
  /// The code of the error after which nothing follows.
  var lastError: String?
  var hasHungUp = false
  var requests: [ModelRequest] = []
  /// The beginning of a line that it has sent.
  var unfinished = ""
  /// Whether the daemon has seen the end of its input.
  var hasSeenEnd = false
  /// The bytes of its lines.
  var bytes = 0
  /// Since when it would not be admitted; nil: it would.
  var deniedSince: MotionInstant?
  /// Whether a refusal may be among what it has not read yet.
  var mayHaveBeenRefused = false
  /// When it last was unable to read everything.
  var lastBlocked = MotionInstant.distantPast

  // On the stream.
  var lastFrame: ModelFrame?
  var gate: (open: Bool, gain: Double, reasons: Set<String>)?
  var device: String?
  var isEnabled = true
  var rateHertz: Double?
  var sendsEveryFrame = true
  /// POLLs whose OFFSET may still come.
  var polls = 0
  /// When the newest lines arrived, and the number of frames among them that no POLL asked for.
  var burst: (time: MotionInstant, frames: Int) = (.distantPast, 0)
  /// Frames since `calm` began.
  var frames = 0
  /// Animations whose start it saw, but not their end.
  var playing: [String: Int] = [:]

  // On the control socket.
  var inhibits = false
  var reportsReduced = false
  var isRecording = false
  var isFeeding = false
  var lastSample = MotionInstant.distantPast

  init(
    number: Int, uid: UInt32, isControl: Bool, wasPrivileged: Bool, connection: ModelConnection
  ) {
    self.number = number
    self.uid = uid
    self.isControl = isControl
    self.wasPrivileged = wasPrivileged
    self.connection = connection
  }

  var isOpen: Bool { !connection.isClosed && !hasHungUp }

  /// Whether it may still get lines other than an error.
  var isServed: Bool { isOpen && lastError == nil }

  /// Whether the daemon would read something of it.
  var mayDeliver: Bool {
    connection.awaits.contains(.input)
      && (!connection.input.isEmpty || (connection.inputHasEnded && !hasSeenEnd))
  }

  /// Whether it records, or has asked to.
  var mayRecord: Bool { isRecording || requests.contains { $0.kind == .record } }

  /// Whether an animation of its own plays, or it has asked for one: GATE then says why nothing may move.
  var mayPlay: Bool {
    playing.values.contains { $0 > 0 } || requests.contains { $0.kind == .play }
  }

  var title: String { "\(isControl ? "control" : "stream") client \(number) of user \(uid)" }
}

/// A request that was not answered yet.
struct ModelRequest {
  enum Kind {
    case watch, poll
    case status, plain
    /// Answered later than the requests after it.
    case record, play
    /// Answered only if it is refused.
    case sample
    /// Malformed.
    case bad
  }

  var kind: Kind
  var message: ModelMessage?
  var tag: String?
  /// Whether its user was privileged when it was sent.
  var wasPrivileged = false

  /// - Parameter line: As the client sends it.
  init(_ line: String, isControl: Bool) {
    message = ModelMessage(line)
    tag = message?.tag
    let tagIsFine = (tag?.utf8.count ?? 0) <= 64
    if !tagIsFine { tag = nil }
    switch (isControl, message?.name ?? "") {
    case (false, "WATCH"): kind = .watch
    case (false, "POLL"): kind = .poll
    case (true, "STATUS"): kind = .status
    case (true, "RECORD"): kind = .record
    case (true, "PLAY"): kind = .play
    case (true, "SAMPLE"): kind = .sample
    case (true, "FEED"), (true, "SET"), (true, "RECENTER"), (true, "RELOAD"), (true, "INHIBIT"),
      (true, "AGENT"),
      (true, "STOP"):
      kind = .plain
    default: kind = .bad
    }
    if !tagIsFine || line.contains("wrong") { kind = .bad }
  }

  /// Whether it is answered before the requests after it.
  var isOrdered: Bool {
    switch kind {
    case .record, .play, .sample: false
    case .watch, .poll, .status, .plain, .bad: true
    }
  }
}

/// What all clients of a user share.
struct ModelUser {
  /// The gain when no fade is under way; -1: no client of the user has connected yet.
  var gain = -1.0
  /// Frames from this time on show no more than `gain`.
  var boundFrom = MotionInstant.distantPast
  /// The duration of the fade that began last.
  var fade = MotionDuration.zero
  /// Frames from this time on show no animation; nil: they may.
  var hiddenFrom: MotionInstant?
  /// The requests that it has sent and the connections that it has made, less what it may send per
  /// second, and when that was counted.
  var cost = 0.0
  var costTime = MotionInstant.distantPast
  /// The last frames that any client of the user got, by their number.
  var frames: [(seq: Int, time: MotionInstant)] = []
}
