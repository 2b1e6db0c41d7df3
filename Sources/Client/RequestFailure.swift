// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDocuments
public import ParallaxProtocol

/// Why the daemon does not do what a request asked for.
public enum RequestFailure: Error, Equatable, Sendable {
  /// There is no connection to a daemon, or it has ended.
  case connection(ParallaxError)
  /// The daemon's ERROR, or the one with which this library refuses a request that has no form on the line.
  case refused(ErrorMessage)
}

extension RequestFailure: CustomStringConvertible {
  /// What is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .connection(let error): error.description
    case .refused(let error): error.message
    }
  }
}

// JSON has no numbers that are not finite.
extension RequestFailure {
  init(_ error: DocumentError) {
    self = .refused(ErrorMessage(message: error.description, code: .badDocument))
  }

  static func checkFinite(_ number: Double, _ name: String) throws(RequestFailure) {
    guard !number.isFinite else { return }
    throw .refused(
      ErrorMessage(message: "\(name): expected a finite number, got \(number)", code: .badRequest))
  }
}
