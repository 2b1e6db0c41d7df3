// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxLoop
package import ParallaxMotion

/// Follows the device's orientation as iio-sensor-proxy reports it, while it is requested: performs
/// the actions of `OrientationClaimStateMachine` on the bus.
package final class OrientationWatch {
  /// The device's orientation; nil while it is unknown or not requested.
  package var orientation: Orientation? { claim.orientation }
  /// Whether the proxy has an accelerometer that this session may not claim.
  package var isForbidden: Bool { claim.isForbidden }

  private let bus: Bus
  private let log: (Log.Level, String) -> Void
  private let changed: () -> Void
  private var claim = OrientationClaimStateMachine()
  private var timer: TimerSource?
  private var ownerWatch: BusSlot?
  private var owner: String?
  private var changes: BusSlot?
  private var request: BusSlot?

  package static let name = "net.hadess.SensorProxy"
  package static let path = "/net/hadess/SensorProxy"
  /// The proxy answers at once, or asks polkit first.
  private static let timeoutMilliseconds = 5_000

  /// - Parameters:
  ///   - bus: the system bus; the caller opens and closes it.
  ///   - log: takes messages for the log, one line each.
  ///   - changed: called when `orientation` or `isForbidden` has changed.
  package init(
    _ loop: EventLoop, _ bus: Bus, log: @escaping (Log.Level, String) -> Void,
    changed: @escaping () -> Void
  ) throws(SystemError) {
    self.bus = bus
    self.log = log
    self.changed = changed
    timer = try loop.timer { [weak self] in self?.handle(.time) }
  }

  /// Whether to follow the orientation. While false, nothing here wakes the process.
  package var isRequested = false {
    didSet {
      guard isRequested != oldValue else { return }
      if isRequested {
        handle(.requested)
        ownerWatch = bus.followOwner(of: Self.name) { [weak self] in self?.ownerChanged($0) }
      } else {
        ownerWatch = nil
        handle(.unrequested)
        owner = nil
      }
    }
  }

  private func ownerChanged(_ name: String?) {
    owner = name
    handle(.owner(name))
  }

  private func handle(_ event: OrientationClaimStateMachine.Event) {
    for action in claim.handle(event, at: MonotonicClock.now()) { perform(action) }
    if let deadline = claim.deadline {
      timer?.arm(at: deadline)
    } else {
      timer?.disarm()
    }
  }

  private func perform(_ action: OrientationClaimStateMachine.Action) {
    switch action {
    case .readHasAccelerometer: read("HasAccelerometer")
    case .claim: sendClaim()
    case .readOrientation: read("AccelerometerOrientation")
    case .release:
      cancel()
      // The bus delivers it after a claim that is still on its way.
      if let owner {
        _ = bus.call(owner, Self.path, Self.name, "ReleaseAccelerometer") { _ in }
      }
    case .cancel: cancel()
    case .notify: changed()
    case .warn(let text): log(.warning, text)
    case .note(let text): log(.notice, text)
    }
  }

  private func cancel() {
    changes = nil
    request = nil
  }

  private func read(_ property: String) {
    guard let owner else { return }
    request = bus.property(
      owner, Self.path, Self.name, property, timeoutMilliseconds: Self.timeoutMilliseconds
    ) { [weak self] answer in
      self?.request = nil
      switch answer {
      case .success(let value): self?.receive(property, value)
      case .failure(let error): self?.handle(.failed(Self.claimError(error)))
      }
    }
  }

  private func sendClaim() {
    guard let owner else { return }
    changes = bus.follow(.propertiesChanged(of: Self.name, path: Self.path, sender: owner)) {
      [weak self] in self?.propertiesChanged($0)
    }
    request = bus.call(
      owner, Self.path, Self.name, "ClaimAccelerometer",
      timeoutMilliseconds: Self.timeoutMilliseconds
    ) { [weak self] answer in
      self?.request = nil
      switch answer {
      case .success: self?.handle(.claimed)
      case .failure(let error): self?.handle(.failed(Self.claimError(error)))
      }
    }
  }

  private func propertiesChanged(_ message: BusMessage) {
    // A malformed message contributes the entries before the error.
    _ = try? message.nextString()
    var found: [(String, BusValue)] = []
    try? message.entries { key, value in
      found.append((key, value))
      return true
    }
    for (key, value) in found { receive(key, value) }
  }

  private func receive(_ property: String, _ value: BusValue) {
    switch (property, value) {
    case ("HasAccelerometer", .bool(let isPresent)): handle(.accelerometer(isPresent))
    case ("AccelerometerOrientation", .string(let word)): handle(.orientation(word))
    default: break
    }
  }

  private static let permissionErrors = [
    "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.AuthFailed",
    "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired",
    "org.freedesktop.PolicyKit1.Error.NotAuthorized",
  ]

  private static func claimError(_ error: BusError) -> OrientationClaimStateMachine.ClaimError {
    permissionErrors.contains(where: error.hasName) ? .forbidden : .other("\(error)")
  }
}
