// SPDX-License-Identifier: Apache-2.0

import CLibIIO

/// libiio, which is loaded when it is first needed.
package enum IIOLibrary {
  /// Loads it: some milliseconds the first time, nothing later.
  ///
  /// - Throws: `.none`, with the package to install.
  package static func load() throws(DeviceError) {
    guard let why = parallax_iio_load() else { return }
    throw .none(
      "libiio cannot be loaded (\(String(cString: why))); install it, on Debian: apt install libiio0"
    )
  }

  /// As in `0.24`. Only after `load`.
  package static var version: String {
    let number = parallax_iio_version()
    return "\(number / 1000).\(number % 1000)"
  }

  /// Suppresses libiio's own messages, whose content comes as errors anyway. Everything else that uses
  /// stdio's standard error is suppressed, too, so only a program should call this.
  package static func silence() { parallax_iio_silence() }
}
