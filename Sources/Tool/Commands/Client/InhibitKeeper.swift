// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient

/// Keeps an inhibition until the process ends, on its own thread.
///
/// The inhibition lasts as long as its connection. If the daemon restarts, it is requested again:
/// what is typed into the command must not move a picture.
///
/// Not checked: once the thread runs, no other thread uses the keeper.
final class InhibitKeeper: @unchecked Sendable {
  private var client: ControlClient
  private let request: ControlRequest
  private let paths: [String]

  private init(_ client: consuming ControlClient, _ request: ControlRequest, _ paths: [String]) {
    self.client = client
    self.request = request
    self.paths = paths
  }

  /// - Parameters:
  ///   - client: The connection with the inhibition.
  ///   - request: The request that renews it.
  ///   - paths: The control sockets to try after the daemon is gone, in this order.
  static func keep(_ client: consuming ControlClient, request: ControlRequest, paths: [String]) {
    let keeper = InhibitKeeper(client, request, paths)
    do {
      try DetachedThread.start { keeper.run() }
    } catch {
      // Without a thread, a reference that is never released keeps the connection open.
      _ = Unmanaged.passRetained(keeper)
    }
  }

  private func run() {
    while true {
      do {
        while try client.next() != nil {}
      } catch {
        // A connection that failed has ended.
      }
      Console.report("the daemon is gone; the inhibition is renewed when one answers again")
      guard renew() else { return }
    }
  }

  /// Tries until a daemon accepts the inhibition, or refuses it.
  private func renew() -> Bool {
    var pauseMilliseconds: Int32 = 50
    while true {
      do {
        var next = try ControlClient(toFirstOf: paths)
        _ = try next.ask(request).accepted()
        client = next
        return true
      } catch let failure as CommandFailure {
        Console.report("the inhibition is not renewed: \(failure.message)")
        return false
      } catch {
        _ = poll(nil, 0, pauseMilliseconds)
        pauseMilliseconds = min(pauseMilliseconds * 2, 1_000)
      }
    }
  }
}
