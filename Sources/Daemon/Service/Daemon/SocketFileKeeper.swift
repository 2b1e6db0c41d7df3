// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxLoop

/// Binds a socket again when its file has been deleted while the daemon runs. Not for the service
/// manager's sockets.
///
/// The kernel reports the deletion: an idle daemon is not woken by anything else.
final class SocketFileKeeper {
  private let loop: EventLoop
  private let path: String
  private let isInPlace: () -> Bool
  private let bind: () throws(ListenError) -> Void
  private let clock: () -> MotionInstant
  private let log: Log
  private var watch: FolderWatch?
  private var timer: TimerSource?
  private var backoff = Backoff()

  /// - Parameters:
  ///   - isInPlace: Whether the socket's file is there.
  ///   - bind: Creates the folder if necessary, and binds and serves a new socket.
  init(
    _ loop: EventLoop, path: String, isInPlace: @escaping () -> Bool,
    clock: @escaping () -> MotionInstant, log: Log, bind: @escaping () throws(ListenError) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.path = path
    self.isInPlace = isInPlace
    self.bind = bind
    self.clock = clock
    self.log = log
    timer = try loop.timer { [weak self] in self?.check() }
    follow()
  }

  private func follow() {
    let folder = UnixListener.parentFolder(of: path)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    watch = nil
    do throws(SystemError) {
      watch = try FolderWatch(loop, folder: folder, file: name) { [weak self] in self?.check() }
    } catch {
      log.notice("cannot notice if \(path) is deleted: \(error)")
    }
    // It may have been deleted before the watch began.
    if !isInPlace() { timer?.arm(at: clock()) }
  }

  private func check() {
    guard !isInPlace() else { return }
    do throws(ListenError) {
      try bind()
      log.notice("\(path) had been deleted; listening on it again")
      backoff.reset()
      follow()
    } catch {
      log.warning("\(path) has been deleted: \(error)")
      switch error {
      // Something else is there. The watch reports when it goes.
      case .alreadyRunning, .belongsToAnother, .notASocket: break
      default: timer?.arm(at: clock() + backoff.next())
      }
    }
  }
}
