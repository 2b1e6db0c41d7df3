// SPDX-License-Identifier: Apache-2.0

import ParallaxClient

/// How a connection ended, from the lines before its end.
struct StreamEnding: Equatable {
  private(set) var isGreeted = false
  private(set) var isShutDown = false
  private var refusal: ErrorMessage?

  /// - Throws: if no other connection could succeed either.
  mutating func note(_ message: StreamMessage?) throws(CommandFailure) {
    switch message {
    case .version(let version):
      isGreeted = true
      guard version.protoMajor == ParallaxRelease.protocolMajor else {
        throw CommandFailure(
          .incompatible(major: version.protoMajor, release: version.release))
      }
    case .device(let device):
      isShutDown = device.state == .ended && device.reason == "shutdown"
    case .error(let error):
      refusal = error
      // The only request that can be invalid is the WATCH.
      if error.code == .badRequest { throw CommandFailure(error) }
    default: break
    }
  }

  /// The reason why the daemon did not admit this client; nil if it did.
  var admissionError: ErrorMessage? { isGreeted ? nil : refusal }

  /// Returns the failure that the end means; nil for a daemon that was shut down.
  ///
  /// - Parameter isIncomplete: Whether more lines were requested.
  func failure(isIncomplete: Bool) -> CommandFailure? {
    if let refusal = admissionError { return CommandFailure(refusal) }
    return isShutDown && !isIncomplete ? nil : CommandFailure(.closed)
  }
}
