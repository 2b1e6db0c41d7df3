// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// What each line means, and whether its client may get it now.
extension ModelWorld {
  /// Reads the lines that have arrived, then takes note of what has changed.
  func check() {
    // A device that streams again may give its first frame in the same event.
    if deviceState != lastDeviceState {
      lastDeviceState = deviceState
      refresh()
    }
    while let client = unchecked.popLast() {
      let bytes = client.connection.take()
      client.bytes += bytes.count
      if client.connection.isBlocked { client.lastBlocked = now }
      bytes.withUnsafeBytes { read($0, client) }
      client.connection.reuse(bytes)
    }
    refresh()
  }

  private func read(_ bytes: UnsafeRawBufferPointer, _ client: ModelClient) {
    var rest = bytes
    while let start = rest.baseAddress, let end = memchr(start, 10, rest.count) {
      let length = UnsafeRawPointer(end) - start + 1
      handle(UnsafeRawBufferPointer(rebasing: rest.prefix(length)), client)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length))
    }
  }

  private func handle(_ bytes: UnsafeRawBufferPointer, _ client: ModelClient) {
    client.lines += 1
    if client.hasHungUp { return }
    if client.lastError != nil {
      fail("last", "\(client.title): a line after its last error: \(Self.text(bytes))")
    }
    switch ModelLine(bytes) {
    case .offset(let frame): handle(frame, client)
    case .sample(let time): handle(sampleAt: time, client)
    case .other(let message): handle(message, client)
    case .garbage: fail("line", "\(client.title): \(Self.text(bytes))")
    }
  }

  static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix(300), as: UTF8.self)
  }

  // MARK: - Frames

  private func handle(_ frame: ModelFrame, _ client: ModelClient) {
    count(frame)
    client.frames += 1
    checkLateness(client)
    if client.isControl || client.lines < 4 {
      fail("greeting", "\(client.title): OFFSET is line \(client.lines)")
    }
    checkOrder(frame, client)
    checkMotion(frame, client)
    if !client.isEnabled {
      client.polls -= 1
      if client.polls < 0 { fail("enable", "\(client.title): frame \(frame.seq) though disabled") }
    }
    client.lastFrame = frame
    checkRate(frame, client.uid)
    if let since = client.deniedSince, frame.time > since {
      fail("authority", "\(client.title): frame \(frame.seq) after it was denied")
    }
    if client.reader != nil {
      client.compared.append((frame.seq, frame.dropped))
    } else if client.number < 0, let first = clients.first(where: { $0.reader === client }) {
      if frame.dropped != 0 { fail("dropped", "\(client.title) lost frames, and it reads") }
      first.offered.append(frame.seq)
    }
  }

  private func checkOrder(_ frame: ModelFrame, _ client: ModelClient) {
    if let last = client.lastFrame {
      if frame.seq < last.seq { fail("order", "\(client.title): \(last.seq), then \(frame.seq)") }
      if frame.seq > last.seq, frame.time < last.time {
        fail("time", "\(client.title): frame \(frame.seq) is earlier than \(last.seq)")
      }
    }
    if frame.time > now { fail("time", "\(client.title): frame \(frame.seq) is in the future") }
    let place = frame.seq % frameTimes.count
    if frame.seq > newestFrame {
      for seq in (newestFrame + 1)...frame.seq { frameTimes[seq % frameTimes.count] = -1 }
      newestFrame = frame.seq
    }
    guard frame.seq > newestFrame - frameTimes.count else { return }
    let known = frameTimes[place]
    if known >= 0, known != frame.time.nanoseconds {
      fail("time", "frame \(frame.seq) has two times")
    }
    frameTimes[place] = frame.time.nanoseconds
  }

  /// A daemon that was held up does not send what it has missed.
  private func checkLateness(_ client: ModelClient) {
    if client.burst.time != now { client.burst = (now, 0) }
    client.burst.frames += 1
    if client.burst.frames > 6 {
      fail("late", "\(client.title) got \(client.burst.frames) frames at once")
    }
  }

  /// Whether this frame shows more than the gates allow.
  private func checkMotion(_ frame: ModelFrame, _ client: ModelClient) {
    let most = max(abs(frame.nx), abs(frame.ny))
    if most > 1 { fail("range", "\(client.title): \(frame)") }
    if !hasPlayed, abs(frame.x - frame.nx * 5) > 0.006 || abs(frame.y - frame.ny * 5) > 0.006 {
      fail("range", "\(client.title): x and y do not follow nx and ny: \(frame)")
    }
    guard let user = users[client.uid] else { return }
    if frame.time > user.boundFrom, most > (user.gain == 0 ? 0 : user.gain + 0.0006) {
      fail(
        "gate",
        "\(client.title): motion \(most) under gain \(user.gain), \(reasons(client.uid)), \(frame)")
    }
    if let since = inhibitedSince {
      // A frame that was waiting for a slow reader; it may be of the instant of the INHIBIT, and before it.
      let isOld = client.lastBlocked >= since && frame.time <= since
      if !isOld, frame.showsMotion || frame.x != 0 || frame.y != 0 {
        fail("inhibit", "\(client.title): \(frame)")
      }
    }
    if let hidden = user.hiddenFrom, frame.time > hidden, frame.x != 0 || frame.y != 0 {
      fail("gate", "\(client.title): a picture under \(reasons(client.uid)): \(frame)")
    }
  }

  /// The frames of all clients of a user together: at most 60 per second, and a few at once.
  private func checkRate(_ frame: ModelFrame, _ uid: UInt32) {
    // (0, 0) through a closed gate reveals nothing.
    let isRest = !frame.showsMotion && frame.x == 0 && frame.y == 0
    guard var user = users[uid], user.gain > 0 || !isRest else { return }
    defer { users[uid] = user }
    var place = user.frames.count
    while place > 0, user.frames[place - 1].seq > frame.seq { place -= 1 }
    if place > 0, user.frames[place - 1].seq == frame.seq { return }
    user.frames.insert((frame.seq, frame.time), at: place)
    if user.frames.count > 150 { user.frames.removeFirst(70) }
    guard place == user.frames.count - 1 else { return }
    var count = 0
    for earlier in user.frames.reversed() {
      count += 1
      let seconds = (frame.time - earlier.time).seconds
      if seconds > 1 { break }
      // The last (0, 0) of a closing gate always goes out.
      if Double(count) > 6 + 61.2 * seconds {
        let times = user.frames.suffix(count).map { ($0.time - earlier.time).nanoseconds / 1_000 }
        fail("rate", "user \(uid) got \(count) frames in \(seconds) s, after us: \(times)")
      }
    }
  }

  /// Compares what the blocked client of a pair got with what its reader got.
  func comparePair(_ client: ModelClient) {
    // A reader that was refused shows nothing more.
    guard client.reader?.isServed == true else { return client.reader = nil }
    for (seq, dropped) in client.compared {
      guard let place = client.offered.firstIndex(of: seq) else {
        fail("dropped", "\(client.title): frame \(seq) is not one of \(client.offered)")
        break
      }
      let skipped = client.offered[..<place]
      // A POLL repeats a frame, which counts or not.
      let least = Set(skipped).subtracting([seq, client.lastCompared]).count
      if !(least...max(least, skipped.count)).contains(dropped) {
        fail(
          "dropped",
          "\(client.title): frame \(seq) reports \(dropped) dropped after \(client.lastCompared);"
            + " these were: \(Array(skipped))")
      }
      client.lastCompared = seq
      client.offered.removeSubrange(...place)
    }
    client.compared = []
  }

  // MARK: - Samples

  private func handle(sampleAt time: MotionInstant, _ client: ModelClient) {
    if !client.isRecording { fail("record", "\(client.title): a sample without a recording") }
    if time <= client.lastSample { fail("record", "\(client.title): samples out of order") }
    client.lastSample = time
    guard client.lastBlocked < now else { return }
    if !expectations.isPrivileged(client.uid) {
      fail("record", "\(client.title): a sample, and it may not record")
    }
    // Samples from before a device was lost may follow: the kernel had them already.
    let reasons = reasons(client.uid).filter { !$0.hasPrefix("device:") }
    if expectations.gain(under: reasons) == 0 {
      fail("record", "\(client.title): a sample under \(reasons)")
    }
  }

  // MARK: - Messages

  private func handle(_ message: ModelMessage, _ client: ModelClient) {
    if !expectations.isPrivileged(client.uid), !client.wasPrivileged,
      message.text.contains(ModelGyro.secret)
    {
      fail("secret", "\(client.title): \(message.text)")
    }
    switch (message.name, client.lines) {
    case ("ERROR", _): handleError(message, client)
    case ("VERSION", 1) where !client.isControl: break
    case ("DEVICE", let line)
    where client.isControl ? client.mayRecord || client.isFeeding : line > 1:
      client.device = message["state"]
    case ("GATE", let line)
    where client.isControl ? client.mayRecord || client.mayPlay : line > 2:
      client.gate = (
        message.bool("open") ?? false, message.number("gain") ?? -1,
        Set(ModelMessage.texts(message.object["reasons"]))
      )
    case ("WATCH", _) where !client.isControl: answered(message, client)
    case ("ANIMATION", _): handleAnimation(message, client)
    case ("ACK", _) where client.isControl: answered(message, client)
    case ("STATUS", _) where client.isControl: answered(message, client)
    case ("WANTED", _) where client.isControl: break
    default: fail("line", "\(client.title), line \(client.lines): \(message.text)")
    }
  }

  private func handleAnimation(_ message: ModelMessage, _ client: ModelClient) {
    hasPlayed = true
    let key = (message["id"] ?? "") + (message.tag ?? "")
    switch message["event"] {
    case "started": client.playing[key, default: 0] += 1
    case "step": break
    default:
      client.playing[key, default: 0] -= 1
      // A client that connects while an animation plays gets only its end.
      if client.isControl, client.playing[key, default: 0] < 0 {
        fail("animation", "\(client.title): an end without a start: \(message.text)")
      }
    }
  }

  private func handleError(_ message: ModelMessage, _ client: ModelClient) {
    let code = message["code"] ?? ""
    let tag = message.tag
    let isAnswer =
      if tag == nil {
        code == "bad-request"
          && client.requests.first(where: \.isOrdered).map { $0.tag == nil } == true
      } else {
        client.requests.contains { $0.tag == tag }
      }
    guard !isAnswer else { return answered(message, client) }
    client.lastError = code
    switch code {
    case "denied":
      // The first line refuses the connection, or already what it has asked for since.
      let isFirst = client.lines == 1 && client.deniedSince == nil
      let isAdmitted = !isFirst || expectations.admits(client.uid, toControl: client.isControl)
      if isAdmitted, !mayRefuse(client), !client.mayHaveBeenRefused {
        fail("denied", "\(client.title) is refused: \(message.text)")
      }
    case "too-many":
      // Refused on connecting, which `connect` checks, or for a flood.
      if client.lines > 1, cost(client.uid) < Self.requestBurst - 5 {
        fail("flood", "\(client.title) is refused after \(cost(client.uid)): \(message.text)")
      }
      let cost = min(cost(client.uid), Self.requestBurst)
      users[client.uid]?.cost = cost
      users[client.uid]?.costTime = now
    case "behind", "too-long", "unavailable": break
    default: fail("line", "\(client.title): \(message.text)")
    }
  }

  // MARK: - Answers

  private func answered(_ message: ModelMessage, _ client: ModelClient) {
    guard let place = place(of: message, client.requests) else {
      return fail("answer", "\(client.title): not an answer to a request: \(message.text)")
    }
    let request = client.requests.remove(at: place)
    let isError = message.name == "ERROR"
    switch request.kind {
    case .bad:
      if !isError { fail("answer", "\(client.title): \(request), answered \(message.text)") }
    case .watch:
      isError
        ? fail("answer", "\(client.title): \(request), answered \(message.text)")
        : apply(request.message, client)
    case .poll: fail("answer", "\(client.title): POLL, answered \(message.text)")
    case .status: checkStatus(message, client)
    case .sample:
      if !isError || client.isFeeding {
        fail("answer", "\(client.title): SAMPLE, answered \(message.text)")
      }
    case .plain, .record, .play: checkControl(request, message, client)
    }
  }

  /// Returns the place of the request that a message answers.
  private func place(of message: ModelMessage, _ requests: [ModelRequest]) -> Int? {
    let tag = message.tag
    if let tag, let place = requests.firstIndex(where: { !$0.isOrdered && $0.tag == tag }) {
      return place
    }
    guard let place = requests.firstIndex(where: \.isOrdered) else { return nil }
    return requests[place].tag == tag || message.name == "WATCH" ? place : nil
  }

  /// Takes note of a WATCH that was accepted.
  private func apply(_ watch: ModelMessage?, _ client: ModelClient) {
    guard let watch else { return }
    if let enable = watch.bool("enable") {
      client.isEnabled = enable
      client.polls = enable ? 0 : client.polls
    }
    if let rate = watch.number("rate") { client.rateHertz = rate }
    if let onChange = watch.object["on_change"] {
      client.sendsEveryFrame = onChange == .bool(false)
    }
  }

  /// Takes note of a control request that was answered, and checks who may make it.
  private func checkControl(
    _ request: ModelRequest, _ answer: ModelMessage, _ client: ModelClient
  ) {
    guard let message = request.message else { return }
    let isError = answer.name == "ERROR"
    let isDenied = isError && answer["code"] == "denied"
    let mayAsk =
      switch message.name {
      case "AGENT": true
      case "INHIBIT": expectations.mayInhibit(client.uid)
      // A RELOAD may take the privilege of its own user, and is answered first.
      case "RELOAD": request.wasPrivileged
      default: expectations.isPrivileged(client.uid)
      }
    // An answer from before its user lost the privilege may wait for a slow reader.
    let mayBeOld =
      request.wasPrivileged && !expectations.isPrivileged(client.uid) && client.lastBlocked >= now
    if isDenied == mayAsk, !mayBeOld {
      fail("authority", "\(client.title): \(message.text) \(answer.text)")
    }
    if message.name == "RECORD" {
      if !isError { client.isRecording = true }
      if isError, !isDenied { sourceWasNeeded(by: client) }
    }
    guard !isError else { return }
    switch message.name {
    case "SET": expectations.set[message["key"] ?? ""] = message["value"]
    case "INHIBIT": client.inhibits = true
    case "FEED": client.isFeeding = true
    case "AGENT":
      if let reduced = message.bool("reduce_motion") { client.reportsReduced = reduced }
    case "PLAY": hasPlayed = true
    default: break
    }
  }

  private func checkStatus(_ status: ModelMessage, _ client: ModelClient) {
    guard status.name == "STATUS" else {
      return fail("answer", "\(client.title): STATUS, answered \(status.text)")
    }
    let seesAll = expectations.isPrivileged(client.uid)
    let visible = clients.filter {
      !$0.isControl && $0.isOpen && (seesAll || $0.uid == client.uid)
    }
    let count = Int(status.number("subscribers") ?? -1)
    if !(visible.count { $0.lastError == nil }...visible.count).contains(count) {
      fail("status", "\(client.title): \(count) subscribers, there are \(visible.count)")
    }
    guard !client.connection.isClosed, case .array(let values)? = status.object("gate")?["reasons"]
    else { return }
    let reasons = Set(ModelMessage.texts(.array(values)))
    if client.lastBlocked < now, reasons != self.reasons(client.uid) {
      fail("status", "\(client.title): \(reasons), expected \(self.reasons(client.uid))")
    }
  }
}
