// SPDX-License-Identifier: Apache-2.0

public import ParallaxProtocol

/// Why the daemon does not do what a request asked for.
public enum RequestFailure: Error, Equatable, Sendable {
  /// There is no connection to a daemon, or it has ended.
  case connection(ParallaxError)
  /// The daemon's ERROR.
  case refused(ErrorMessage)
}
