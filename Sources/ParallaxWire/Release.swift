/// What this build calls itself.
public enum ParallaxRelease {
  /// The release of every program and of the library.
  public static let version = "0.1.0"
  /// Raised when something is taken away from the protocol or changes its meaning.
  public static let protocolMajor = 1
  /// Raised when something is added to the protocol.
  public static let protocolMinor = 0
}
