// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// What must hold between two events: gates, authority, the source, waiting lines.
extension ModelWorld {
  // MARK: - Gates

  var isInhibited: Bool {
    clients.contains {
      $0.inhibits && $0.isServed && $0.deniedSince == nil && expectations.mayInhibit($0.uid)
    }
  }

  var deviceState: String { daemon.core.hub.device.state.rawValue }

  /// The gate reasons of a user that hold now.
  func reasons(_ uid: UInt32) -> Set<String> {
    expectations.reasons(
      uid, isInhibited: isInhibited,
      reportsReduced: clients.contains { $0.uid == uid && $0.reportsReduced && $0.isServed },
      device: deviceState)
  }

  /// Takes note of the gains that hold from now on, and of whether anyone needs the source.
  func refresh() {
    let isInhibited = isInhibited
    if isInhibited != (inhibitedSince != nil) { inhibitedSince = isInhibited ? now : nil }
    let fade = max(expectations.fade, formerFade)
    var isNeeded = false
    for uid in ModelExpectations.users {
      guard clients.contains(where: { $0.uid == uid }) else { continue }
      var user = users[uid] ?? ModelUser()
      let reasons = reasons(uid)
      let gain = expectations.gain(under: reasons)
      if gain != user.gain {
        // A fade that is reversed runs back with the duration that it had, however often.
        let isReversed = now < user.boundFrom
        user.boundFrom = now + max(fade, user.fade)
        user.gain = gain
        user.fade = isReversed ? max(expectations.fade, user.fade) : expectations.fade
      }
      if !ModelExpectations.hidesAnimations(reasons) {
        user.hiddenFrom = nil
      } else if user.hiddenFrom == nil {
        user.hiddenFrom = now + max(fade, user.fade)
      }
      users[uid] = user
      let isOpen = expectations.gain(under: reasons.filter { !$0.hasPrefix("device") }) > 0
      for client in clients
      where client.uid == uid && client.isServed && !mustRefuse(client) {
        if client.isControl {
          let maySee = isOpen || ignoredRules.contains("record")
          isNeeded = isNeeded || (client.mayRecord && maySee)
        } else {
          isNeeded = isNeeded || (client.isEnabled && isOpen)
        }
      }
    }
    if isNeeded {
      unneededSince = nil
    } else if unneededSince == nil {
      unneededSince = now
    }
  }

  /// Takes note of a recording that ended when it began, as without a device: the source lingers again.
  func sourceWasNeeded(by client: ModelClient) {
    let reasons = reasons(client.uid).filter { !$0.hasPrefix("device") }
    if unneededSince != nil, expectations.gain(under: reasons) > 0 { unneededSince = now }
  }

  // MARK: - After each operation

  /// Checks everything that holds when the daemon has nothing left to do at this time.
  func checkAll() {
    check()
    checkSource()
    // A refused client no longer inhibits the others.
    for client in clients { checkAuthority(client) }
    refresh()
    for client in clients {
      if client.connection.isBlocked { client.lastBlocked = now }
      if client.reader != nil, !client.compared.isEmpty { comparePair(client) }
      checkClosed(client)
      guard client.isServed else { continue }
      checkState(client)
      if !client.connection.isBlocked { checkAnswers(client) }
    }
    clients.removeAll { $0.connection.isClosed }
  }

  /// Whether a connected client must leave: it would not be admitted, or what it does is not allowed.
  func mustRefuse(_ client: ModelClient) -> Bool {
    let uid = client.uid
    if !expectations.keeps(uid, onControl: client.isControl) { return true }
    if client.isRecording || client.isFeeding, !expectations.isPrivileged(uid) { return true }
    // An inhibition is suspended while its user's sessions are in the background.
    return client.inhibits && !expectations.mayInhibit(uid)
      && expectations.presence(uid) != .inactive
  }

  func mayRefuse(_ client: ModelClient) -> Bool {
    if client.deniedSince != nil || mustRefuse(client) { return true }
    let plays =
      client.playing.values.contains { $0 > 0 }
      || client.requests.contains {
        !$0.isOrdered && $0.kind != .sample && $0.wasPrivileged
      }
    return plays && !expectations.isPrivileged(client.uid)
  }

  /// A client that would not be admitted now has been refused.
  private func checkAuthority(_ client: ModelClient) {
    if client.connection.isBlocked, mayRefuse(client) { client.mayHaveBeenRefused = true }
    guard client.isServed, mustRefuse(client) else { return }
    // Its last line may wait for a full socket.
    if client.connection.wantsWritable {
      client.deniedSince = client.deniedSince ?? now
      return
    }
    fail("authority", "\(client.title) is still connected")
  }

  /// A connection that the daemon has closed had a reason.
  private func checkClosed(_ client: ModelClient) {
    let connection = client.connection
    if client.lastError != nil, !connection.isClosed, !connection.isBlocked {
      fail("close", "\(client.title) is open after its last error")
    }
    if connection.isClosed, client.lastError == nil {
      let isDone = client.isControl && client.hasSeenEnd
      let isStalled = now - connection.lastProgress >= Self.stallLimit
      if !isDone, !isStalled { fail("close", "\(client.title) was closed without an error") }
    }
    // A last error gets its own time.
    let limit = Self.stallLimit * 2
    if !connection.isClosed, connection.wantsWritable, now - connection.lastProgress > limit {
      fail("close", "\(client.title) has read nothing for \(now - connection.lastProgress)")
    }
  }

  private static let stallLimit: MotionDuration = .seconds(10)

  /// The lines of state that a reading client has are those that hold.
  private func checkState(_ client: ModelClient) {
    guard !client.isControl, !client.connection.isBlocked, client.lines > 2 else { return }
    if client.device != deviceState {
      fail("state", "\(client.title): DEVICE \(client.device ?? ""), it is \(deviceState)")
    }
    let expected = reasons(client.uid)
    let gain = expectations.gain(under: expected)
    guard let gate = client.gate, gate.reasons == expected, gate.gain == gain,
      gate.open == (gain > 0)
    else {
      return fail("state", "\(client.title): GATE \(client.gate as Any), it is \(expected) \(gain)")
    }
    if client.reader?.isServed == true, !client.offered.isEmpty,
      client.offered != [client.lastCompared]
    {
      fail("dropped", "\(client.title): it reads, and did not get \(client.offered)")
    }
  }

  /// Every request of a reading client is answered.
  private func checkAnswers(_ client: ModelClient) {
    guard client.connection.input.isEmpty else { return }
    client.requests.removeAll { $0.kind == .poll || $0.kind == .sample }
    if let request = client.requests.first(where: \.isOrdered) {
      fail("answer", "\(client.title): no answer to \(request)")
    }
    let isLimited = !client.wasPrivileged && !expectations.isPrivileged(client.uid)
    if isLimited, cost(client.uid) > Self.requestBurst + 20 {
      fail("flood", "\(client.title) has sent \(cost(client.uid)) requests too many")
    }
  }

  /// The source runs only while someone needs it, and a little longer.
  private func checkSource() {
    guard let since = unneededSince, let held = gyro.heldSince else { return }
    // The linger, the longest fade, and the time to see the last frame.
    // A loop that was held up has no time to do so before it goes on.
    let late = max(
      since + .seconds(7), held + .milliseconds(100), lastStall + .milliseconds(500))
    if now > late { fail("source", "on for no one for \((now - since).seconds) s") }
  }

  /// What waited for a client that has just read everything is little.
  func checkWaiting(_ bytes: Int, of client: ModelClient) {
    if client.isRecording { return }
    if bytes > Self.maxWaitingBytes {
      fail("memory", "\(bytes) bytes waited for \(client.title)")
    }
  }

  private static let maxWaitingBytes = 96 << 10

  // MARK: - Time

  /// Passes the time; every open subscriber gets its frames meanwhile.
  func passCalmly(_ duration: MotionDuration) {
    let wasStreaming = deviceState == "streaming"
    let begin = now
    for client in clients { client.frames = 0 }
    pass(duration)
    settle()
    guard wasStreaming, deviceState == "streaming", gyro.heldSince.map({ $0 < begin }) ?? false
    else { return }
    let actual = daemon.core.hub.pace.actualHertz
    for client in clients where !client.isControl && client.isServed {
      guard client.isEnabled, client.sendsEveryFrame, !client.connection.isBlocked,
        let user = users[client.uid], user.gain > 0, user.boundFrom <= begin
      else { continue }
      let rate = min(client.rateHertz ?? 60, 60, actual)
      let expected = rate * duration.seconds
      // A frame that an animation or a fade needs between the samples of a slow gyroscope may take the place of
      // the next.
      let moves = hasPlayed || max(expectations.fade, formerFade) > .zero
      let isSlow = moves && gyro.rateHertz * 1.5 < actual
      // A rate picks from the frames of the user's highest, which are uneven on the grid of a third.
      let isShared = clients.contains {
        !$0.isControl && $0.uid == client.uid && $0.isServed && $0.isEnabled
          && min($0.rateHertz ?? 60, 60) > min(client.rateHertz ?? 60, 60)
      }
      let least =
        (isSlow ? min(rate, gyro.rateHertz) : rate) * (isShared ? 0.75 : 1) * duration.seconds
      if Double(client.frames) < least * 0.8 - 2 || Double(client.frames) > expected * 1.1 + 4 {
        fail(
          "frames",
          "\(client.title) got \(client.frames) frames, expected \(expected) of \(actual) Hz")
      }
    }
  }

  // MARK: - End

  /// Everyone leaves; then nothing is left.
  package func finish() {
    for client in clients { perform(.read(client.number)) }
    gyro.failure = nil
    gyro.slowness = .milliseconds(1)
    perform(.documentsAreSlow(false))
    perform(.answerDocuments)
    perform(.control(1_000_000, uid: 0))
    perform(.send(1_000_000, #"{"class":"STOP","tag":"last"}"#))
    perform(.pass(milliseconds: 100))
    for client in clients { perform(.hangUp(client.number)) }
    perform(.pass(milliseconds: 60_000))
    let hub = daemon.core.hub
    if daemon.core.deadline != nil { fail("end", "something is scheduled without clients") }
    if gyro.heldSince != nil { fail("source", "on without clients") }
    if !hub.isIdle || !daemon.core.stream.subscribers.isEmpty
      || !daemon.core.control.clients.isEmpty
    {
      fail("end", "clients are left")
    }
    if daemon.sessionWatches != 0 { fail("end", "the sessions are watched for no client") }
  }
}
