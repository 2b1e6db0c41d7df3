// SPDX-License-Identifier: Apache-2.0

import ParallaxClient
import ParallaxProtocol
import Synchronization

/// Keeps an inhibition until the process ends, on its own thread.
///
/// The inhibition lasts as long as its connection. If the daemon restarts, it is requested again:
/// what is typed into the command must not move a picture.
enum InhibitKeeper {
  static let reconnection = ReconnectionPolicy.exponential(
    from: .milliseconds(50), to: .seconds(1))

  /// - Parameters:
  ///   - connection: The connection with the inhibition.
  ///   - request: The request that renews it.
  static func keep(
    _ connection: consuming LineConnection, request: ControlRequest
  ) throws(CommandFailure) {
    do throws(ParallaxError) {
      try start(ConnectionThread(connection), request)
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func start(
    _ thread: ConnectionThread, _ request: ControlRequest
  ) throws(ParallaxError) {
    let isReported = Atomic(false)
    try thread.start { event in
      switch event {
      case .connected: thread.send(request.line(tag: .integer(1)))
      case .line(let line):
        switch ControlAnswer(line: line) {
        case .ack?: isReported.store(false, ordering: .relaxed)
        case .error(let error, _)?:
          Console.report("the inhibition is not renewed: \(error.message)")
          thread.close()
        default: break
        }
      case .lost:
        // Once, until it is renewed.
        guard !isReported.exchange(true, ordering: .relaxed) else { return }
        Console.report("the daemon is gone; the inhibition is renewed when one answers again")
      case .connecting, .ended: break
      }
    }
  }
}
