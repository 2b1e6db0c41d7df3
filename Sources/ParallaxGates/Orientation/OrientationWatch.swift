package import ParallaxMotion
package import ParallaxSystem

/// Follows how iio-sensor-proxy sees the device turned, while that is wanted: a claim of its
/// accelerometer and nothing else. See `OrientationClaim`.
package final class OrientationWatch {
  /// nil: not known, or not wanted.
  package var orientation: Orientation? { life.orientation }
  /// Whether the proxy has an accelerometer and does not listen to us.
  package var isForbidden: Bool { life.isForbidden }

  private let bus: Bus
  private let log: (Log.Level, String) -> Void
  private let changed: () -> Void
  private var life = OrientationClaim()
  private var timer: TimerSource?
  private var owner: BusSlot?
  private var proxy: String?
  private var changes: BusSlot?
  private var question: BusSlot?

  package static let name = "net.hadess.SensorProxy"
  package static let path = "/net/hadess/SensorProxy"
  /// It answers at once, or waits for somebody (polkit) that does.
  private static let timeoutMilliseconds = 5_000

  /// - Parameters:
  ///   - bus: the system bus; opened and closed by others.
  ///   - log: takes what whoever runs the program should know, a line each.
  ///   - changed: called when `orientation` or `isForbidden` has changed.
  package init(
    _ loop: EventLoop, _ bus: Bus, log: @escaping (Log.Level, String) -> Void,
    changed: @escaping () -> Void
  ) throws(SystemError) {
    self.bus = bus
    self.log = log
    self.changed = changed
    timer = try loop.timer { [weak self] in self?.take(.time) }
  }

  /// Whether anybody wants to know. Setting it again changes nothing; from false on, nothing of this
  /// wakes us.
  package var isWanted = false {
    didSet {
      guard isWanted != oldValue else { return }
      if isWanted {
        take(.wanted)
        owner = bus.followOwner(of: Self.name) { [weak self] in self?.ownerChanged($0) }
      } else {
        owner = nil
        take(.unwanted)
        proxy = nil
      }
    }
  }

  private func ownerChanged(_ name: String?) {
    proxy = name
    take(.owner(name))
  }

  private func take(_ event: OrientationClaim.Event) {
    for action in life.take(event, atNanoseconds: MonotonicClock.now()) { perform(action) }
    if let deadline = life.deadlineNanoseconds {
      timer?.arm(atNanoseconds: deadline)
    } else {
      timer?.disarm()
    }
  }

  private func perform(_ action: OrientationClaim.Action) {
    switch action {
    case .ask: read("HasAccelerometer")
    case .claim: claim()
    case .read: read("AccelerometerOrientation")
    case .release:
      forget()
      // A claim that is still on its way comes before this.
      if let proxy {
        _ = bus.call(proxy, Self.path, Self.name, "ReleaseAccelerometer") { _ in }
      }
    case .forget: forget()
    case .tell: changed()
    case .warn(let text): log(.warning, text)
    case .note(let text): log(.notice, text)
    }
  }

  private func forget() {
    changes = nil
    question = nil
  }

  private func read(_ property: String) {
    guard let proxy else { return }
    question = bus.property(
      proxy, Self.path, Self.name, property, timeoutMilliseconds: Self.timeoutMilliseconds
    ) { [weak self] answer in
      self?.question = nil
      switch answer {
      case .success(let value): self?.learn(property, value)
      case .failure(let error): self?.take(.refused(Self.refusal(error)))
      }
    }
  }

  private func claim() {
    guard let proxy else { return }
    changes = bus.follow(.propertiesChanged(of: Self.name, path: Self.path, sender: proxy)) {
      [weak self] in self?.propertiesChanged($0)
    }
    question = bus.call(
      proxy, Self.path, Self.name, "ClaimAccelerometer",
      timeoutMilliseconds: Self.timeoutMilliseconds
    ) { [weak self] answer in
      self?.question = nil
      switch answer {
      case .success: self?.take(.claimed)
      case .failure(let error): self?.take(.refused(Self.refusal(error)))
      }
    }
  }

  private func propertiesChanged(_ message: BusMessage) {
    // What is no dictionary is nothing that was promised.
    _ = try? message.nextString()
    var found: [(String, BusValue)] = []
    try? message.entries { key, value in
      found.append((key, value))
      return true
    }
    for (key, value) in found { learn(key, value) }
  }

  private func learn(_ property: String, _ value: BusValue) {
    switch (property, value) {
    case ("HasAccelerometer", .bool(let isThere)): take(.accelerometer(isThere))
    case ("AccelerometerOrientation", .string(let word)): take(.orientation(word))
    default: break
    }
  }

  private static let forbidding = [
    "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed",
    "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired",
    "org.freedesktop.PolicyKit1.Error.NotAuthorized",
  ]

  private static func refusal(_ error: BusError) -> OrientationClaim.Refusal {
    forbidding.contains(where: error.isRefusal)
      ? .forbidden : .failed("\(error)")
  }
}
