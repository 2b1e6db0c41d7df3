// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxLoop
import ParallaxProtocol

/// A connection to the daemon on an event loop. It never waits.
final class LoopConnection {
  private let loop: EventLoop
  private let handler: (LineConnection.Event) -> Void
  private var connection: LineConnection
  private var source: IOSource?
  private var timer: TimerSource?

  /// - Parameters:
  ///   - paths: The sockets to try, in this order.
  ///   - handler: Receives each event. It may call `send` and `leave`.
  init(
    to paths: [String], policy: ReconnectionPolicy, on loop: EventLoop,
    handler: @escaping (LineConnection.Event) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.handler = handler
    connection = LineConnection(to: paths, policy: policy)
    timer = try loop.timer { [weak self] in self?.update() }
  }

  /// Connects in the next turn of the loop.
  func start() { timer?.arm(at: .zero) }

  // The source must end before the descriptor closes.
  deinit { source?.cancel() }

  func send(_ request: ControlRequest) {
    connection.send(request.line())
    updateInterest()
  }

  /// Leaves the daemon, and connects again at an instant.
  func leave(until instant: MotionInstant) {
    unwatch()
    connection.leave(until: instant)
  }

  private func update() {
    while var event = connection.next() {
      switch event {
      case .connected:
        do throws(SystemError) {
          source = try loop.watch(descriptor: connection.descriptor, interest: .read) {
            [weak self] _ in self?.update()
          }
        } catch {
          event = connection.drop(.noResources(errno: error.number), at: .now)
        }
      case .lost, .ended: unwatch()
      case .connecting, .line: break
      }
      handler(event)
    }
    updateInterest()
    if let deadline = connection.deadline { timer?.arm(at: deadline) }
  }

  private func unwatch() {
    source?.cancel()
    source = nil
  }

  private func updateInterest() {
    source?.interest = connection.hasOutput ? [.read, .write] : .read
  }
}
