// SPDX-License-Identifier: Apache-2.0

/// The versions of this build.
public enum ParallaxRelease {
  /// The release of every program and of the library.
  public static let version = "0.1.0"
  /// The major version of the protocol; increases when something is removed or changes its meaning.
  package static let protocolMajor = 1
  /// The minor version of the protocol; increases when something is added.
  package static let protocolMinor = 7
}
