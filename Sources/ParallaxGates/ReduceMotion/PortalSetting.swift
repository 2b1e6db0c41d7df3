import ParallaxSystem

/// One key of the portal's settings (org.freedesktop.portal.Settings), at one owner of its name: read
/// once, then followed.
final class PortalSetting {
  enum Reading: Equatable {
    case value(BusValue)
    /// The portal does not have it.
    case absent
    /// It did not say.
    case unreadable
  }

  static let interface = "org.freedesktop.portal.Settings"
  static let path = "/org/freedesktop/portal/desktop"

  private let bus: Bus
  private let owner: String
  private let namespace: String
  private let key: String
  private let handler: (Reading) -> Void
  private var changes: BusSlot?
  private var question: BusSlot?

  init(
    _ bus: Bus, owner: String, namespace: String, key: String,
    handler: @escaping (Reading) -> Void
  ) {
    self.bus = bus
    self.owner = owner
    self.namespace = namespace
    self.key = key
    self.handler = handler
    changes = bus.follow(
      BusSignal(
        sender: owner, path: Self.path, interface: Self.interface, member: "SettingChanged",
        firstArgument: namespace)
    ) { [weak self] in self?.changed($0) }
    // Version 2 has ReadOne; version 1 Read alone, which wraps the value in one variant more.
    ask("ReadOne") { [weak self] answer in
      if answer == .absent {
        self?.ask("Read") { [weak self] in self?.handler($0) }
      } else {
        self?.handler(answer)
      }
    }
  }

  private func ask(_ method: String, answered: @escaping (Reading) -> Void) {
    question = bus.call(
      owner, Self.path, Self.interface, method, [.string(namespace), .string(key)]
    ) { [weak self] answer in
      self?.question = nil
      answered(Self.reading(answer))
    }
  }

  private static func reading(_ answer: Result<BusMessage, BusError>) -> Reading {
    do throws(BusError) {
      return .value(try answer.get().next())
    } catch {
      guard case .refused(let name, _) = error else { return .unreadable }
      return troubles.contains { name == "org.freedesktop.DBus.Error.\($0)" }
        ? .unreadable : .absent
    }
  }

  /// Errors that say nothing about the key. All others do: portals differ in how they call it.
  private static let troubles = [
    "AccessDenied", "Disconnected", "LimitsExceeded", "NameHasNoOwner", "NoMemory", "NoReply",
    "ServiceUnknown", "Timeout", "TimedOut",
  ]

  private func changed(_ message: BusMessage) {
    guard (try? message.nextString()) == namespace, (try? message.nextString()) == key,
      let value = try? message.next()
    else { return }
    // Newer than an answer on its way.
    question = nil
    handler(.value(value))
  }
}
