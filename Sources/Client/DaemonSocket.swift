// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

extension UnixStream {
  /// Connects to the first of the paths on which a daemon listens.
  ///
  /// - Parameter connected: Called with that path.
  /// - Throws: `ParallaxError.noDaemon` with the reason for each path.
  static func connect(
    toFirstOf paths: [String], connected: (String) -> Void = { _ in }
  ) throws(ParallaxError) -> UnixStream {
    var attempts: [ParallaxError.Attempt] = []
    for path in paths {
      do {
        let stream = try connect(to: path)
        connected(path)
        return stream
      } catch {
        // `connect` reports ENAMETOOLONG for an empty path, which would mislead; the kernel reports
        // ECONNREFUSED.
        attempts.append(.init(path: path, errno: path.isEmpty ? ECONNREFUSED : error.number))
      }
    }
    throw .noDaemon(attempts: attempts)
  }
}
