// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxLoop

/// One key of the portal's settings (org.freedesktop.portal.Settings) at one owner of the portal's
/// name: read, then followed. While the portal does not answer, it is asked again (`BusQuestion`).
final class PortalSetting {
  enum Reading: Equatable {
    case value(BusValue)
    /// The portal does not have the key.
    case absent
    /// The portal does not answer, or with an error that says nothing about the key.
    case silent
  }

  static let interface = "org.freedesktop.portal.Settings"
  static let path = "/org/freedesktop/portal/desktop"

  private let bus: Bus
  private let owner: String
  private let namespace: String
  private let key: String
  private let timing: BusQuestion.Timing
  private let handler: (Reading) -> Void
  private var question: BusQuestion?
  private var changes: BusSlot?
  private var request: BusSlot?

  init(
    _ bus: Bus, owner: String, namespace: String, key: String, timing: BusQuestion.Timing,
    handler: @escaping (Reading) -> Void
  ) {
    self.bus = bus
    self.owner = owner
    self.namespace = namespace
    self.key = key
    self.timing = timing
    self.handler = handler
    changes = bus.follow(
      BusSignal(
        sender: owner, path: Self.path, interface: Self.interface, member: "SettingChanged",
        firstArgument: namespace)
    ) { [weak self] in self?.changed($0) }
    question = BusQuestion(bus, timing) { [weak self] in
      self?.ask()
    } silence: { [weak self] in
      self?.handler(.silent)
    }
    question?.start()
  }

  private func ask() {
    // Version 2 has ReadOne; version 1 has only Read, which wraps the value in one more variant.
    read("ReadOne") { [weak self] reading in
      if reading == .absent {
        self?.read("Read") { [weak self] in self?.receive($0) }
      } else {
        self?.receive(reading)
      }
    }
  }

  private func receive(_ reading: Reading) {
    if reading == .silent {
      question?.failed()
    } else {
      question?.answered()
      handler(reading)
    }
  }

  private func read(_ method: String, completion: @escaping (Reading) -> Void) {
    request = bus.call(
      owner, Self.path, Self.interface, method, [.string(namespace), .string(key)],
      timeoutMilliseconds: timing.timeoutMilliseconds
    ) { [weak self] answer in
      self?.request = nil
      completion(Self.reading(answer))
    }
  }

  private static func reading(_ answer: Result<BusMessage, BusError>) -> Reading {
    do throws(BusError) {
      return .value(try answer.get().next())
    } catch {
      guard case .errorReply(let name, _) = error else { return .silent }
      return transientErrors.contains { name == "org.freedesktop.DBus.Error.\($0)" }
        ? .silent : .absent
    }
  }

  /// Errors that say nothing about the key. Every other error means that the portal does not have
  /// it: portals differ in its name.
  private static let transientErrors = [
    "AccessDenied", "Disconnected", "LimitsExceeded", "NameHasNoOwner", "NoMemory", "NoReply",
    "ServiceUnknown", "Timeout", "TimedOut",
  ]

  private func changed(_ message: BusMessage) {
    guard (try? message.nextString()) == namespace, (try? message.nextString()) == key,
      let value = try? message.next()
    else { return }
    // The signal is newer than an answer that is still to come.
    request = nil
    receive(.value(value))
  }
}
