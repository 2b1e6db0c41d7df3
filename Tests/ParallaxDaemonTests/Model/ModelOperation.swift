// SPDX-License-Identifier: Apache-2.0

/// One event that the daemon meets: a client's, the device's, the system's, or the time's.
///
/// A sequence of them is a script, one line each. A client has a number of its own, so that a script
/// with lines left out still means something.
package enum ModelOperation: Equatable {
  /// Connects to the stream socket.
  case subscribe(Int, uid: UInt32)
  /// Connects twice to the stream socket. The second connection, the reader, gets the same requests
  /// and is never blocked: it shows which lines the first one should have been sent.
  case pair(Int, uid: UInt32)
  /// Connects to the control socket.
  case control(Int, uid: UInt32)
  /// Sends a line.
  case send(Int, String)
  /// Sends a line that many times at once.
  case flood(Int, count: Int, String)
  /// Sends bytes of a line without its end.
  case part(Int, String)
  case hangUp(Int)
  case endInput(Int)
  /// Its socket accepts that many more bytes, at most `atOnce` in one call.
  case room(Int, bytes: Int, atOnce: Int)
  /// It reads everything again.
  case read(Int)
  /// The time passes, and everything happens when it is due.
  case pass(milliseconds: Int)
  /// As `pass`, and every open subscriber gets its frames.
  case calm(milliseconds: Int)
  /// The daemon is held up: the time passes, and nothing happens meanwhile.
  case stall(milliseconds: Int)
  /// A user's sessions on the configured seat, and whether one is in the foreground.
  case session(UInt32, ModelPresence)
  /// A gate reason that a bus reports.
  case reason(String, Bool)
  /// The orientation that iio-sensor-proxy reports; nil: none.
  case proxy(String?)
  /// The machine resumes from suspend.
  case resume
  case device(ModelDeviceEvent)
  /// Changes a key of the configuration file.
  case configure(String)
  /// Reads the configuration again, as for SIGHUP.
  case reload
  /// Whether documents are found at once, or when `answerDocuments` allows it.
  case documentsAreSlow(Bool)
  case answerDocuments
}

package enum ModelPresence: String, CaseIterable {
  case none, inactive, active
}

/// What happens to the gyroscope.
package enum ModelDeviceEvent: Equatable {
  case plug, unplug
  /// Opening it fails from now on; nil: it succeeds.
  case failure(String?)
  /// Reading it fails once.
  case readError
  /// Its driver takes so long for each job.
  case slowness(milliseconds: Int)
  /// It turns so fast that the picture is at the end of its range.
  case turning
  /// It turns there and back.
  case shaking
  case still
}

// MARK: - Text

extension ModelOperation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .subscribe(let id, let uid): "subscribe \(id) \(uid)"
    case .pair(let id, let uid): "pair \(id) \(uid)"
    case .control(let id, let uid): "control \(id) \(uid)"
    case .send(let id, let text): "send \(id) \(text)"
    case .flood(let id, let count, let text): "flood \(id) \(count) \(text)"
    case .part(let id, let text): "part \(id) \(text)"
    case .hangUp(let id): "hang-up \(id)"
    case .endInput(let id): "end-input \(id)"
    case .room(let id, let bytes, let atOnce): "room \(id) \(bytes) \(atOnce)"
    case .read(let id): "read \(id)"
    case .pass(let time): "pass \(time)"
    case .calm(let time): "calm \(time)"
    case .stall(let time): "stall \(time)"
    case .session(let uid, let presence): "session \(uid) \(presence.rawValue)"
    case .reason(let name, let applies): "reason \(name) \(applies ? "on" : "off")"
    case .proxy(let orientation): "proxy \(orientation ?? "none")"
    case .resume: "resume"
    case .device(let event): "device \(event)"
    case .configure(let setting): "configure \(setting)"
    case .reload: "reload"
    case .documentsAreSlow(let slow): "documents \(slow ? "slow" : "fast")"
    case .answerDocuments: "documents answer"
    }
  }

  /// Reads a line of a script; nil if it is not one.
  package init?(_ line: some StringProtocol) {
    let words = Substring(line).split(separator: " ", maxSplits: 2).map(String.init)
    let number = words.count > 1 ? Int(words[1]) : nil
    let rest = words.count > 2 ? words[2] : ""
    switch (words.first, number) {
    case ("subscribe", let id?): self = .subscribe(id, uid: UInt32(rest) ?? 0)
    case ("pair", let id?): self = .pair(id, uid: UInt32(rest) ?? 0)
    case ("control", let id?): self = .control(id, uid: UInt32(rest) ?? 0)
    case ("send", let id?): self = .send(id, rest)
    case ("flood", let id?):
      let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2, let count = Int(parts[0]) else { return nil }
      self = .flood(id, count: count, parts[1])
    case ("part", let id?): self = .part(id, rest)
    case ("hang-up", let id?): self = .hangUp(id)
    case ("end-input", let id?): self = .endInput(id)
    case ("room", let id?):
      let numbers = rest.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { return nil }
      self = .room(id, bytes: numbers[0], atOnce: numbers[1])
    case ("read", let id?): self = .read(id)
    case ("pass", let time?): self = .pass(milliseconds: time)
    case ("calm", let time?): self = .calm(milliseconds: time)
    case ("stall", let time?): self = .stall(milliseconds: time)
    case ("session", let uid?):
      guard let presence = ModelPresence(rawValue: rest) else { return nil }
      self = .session(UInt32(uid), presence)
    case ("reason", nil): self = .reason(words[1], rest == "on")
    case ("proxy", nil): self = .proxy(words[1] == "none" ? nil : words[1])
    case ("resume", nil): self = .resume
    case ("device", nil):
      guard let event = ModelDeviceEvent(words.dropFirst().joined(separator: " ")) else {
        return nil
      }
      self = .device(event)
    case ("configure", nil): self = .configure(words.dropFirst().joined(separator: " "))
    case ("reload", nil): self = .reload
    case ("documents", nil):
      self = words[1] == "answer" ? .answerDocuments : .documentsAreSlow(words[1] == "slow")
    default: return nil
    }
  }
}

extension ModelDeviceEvent: CustomStringConvertible {
  package var description: String {
    switch self {
    case .plug: "plug"
    case .unplug: "unplug"
    case .failure(let kind): "failure \(kind ?? "-")"
    case .readError: "read-error"
    case .slowness(let time): "slowness \(time)"
    case .turning: "turning"
    case .shaking: "shaking"
    case .still: "still"
    }
  }

  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    switch (words.first, words.count > 1 ? words[1] : "") {
    case ("plug", _): self = .plug
    case ("unplug", _): self = .unplug
    case ("failure", let kind): self = .failure(kind == "-" ? nil : kind)
    case ("read-error", _): self = .readError
    case ("slowness", let time): self = .slowness(milliseconds: Int(time) ?? 0)
    case ("turning", _): self = .turning
    case ("shaking", _): self = .shaking
    case ("still", _): self = .still
    default: return nil
    }
  }
}
