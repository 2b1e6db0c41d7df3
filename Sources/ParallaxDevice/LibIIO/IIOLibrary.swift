import CLibIIO

/// libiio itself, which is loaded when it is first needed.
package enum IIOLibrary {
  /// Loads it; takes some milliseconds the first time and nothing later.
  ///
  /// - Throws: `.none`, with what to install.
  package static func load() throws(DeviceTrouble) {
    guard let why = parallax_iio_load() else { return }
    throw .none(
      "libiio cannot be loaded (\(String(cString: why))); install it, on Debian: apt install libiio0"
    )
  }

  /// As in `0.24`; behind `load`.
  package static var version: String {
    let number = parallax_iio_version()
    return "\(number / 1000).\(number % 1000)"
  }

  /// Ends libiio's own messages: what matters comes as an error anyway. Everything that goes through
  /// stdio's standard error ends with them, so this is for a program to decide, not for a library.
  package static func silence() { parallax_iio_silence() }
}
