// SPDX-License-Identifier: Apache-2.0

import CLibIIO
import Glibc

/// The devices that libiio sees at one moment; later ones are only in later contexts.
///
/// Creating one reads every device's folder, or waits for another machine (`ip:`, `usb:`): use a
/// thread that may block. Devices, channels and buffers hold their context.
package final class IIOContext {
  let raw: OpaquePointer

  /// - Parameter uri: `local:`, `ip:HOST`, `usb:`, `serial:`, `xml:FILE`; nil: this machine.
  /// - Throws: ENOENT if this kernel has no IIO.
  package init(uri: String?) throws(DriverError) {
    errno = 0
    guard let context = parallax_iio_create_context(uri) else {
      throw .last("opening \(uri ?? "local:")")
    }
    raw = context
  }

  deinit {
    parallax_iio_context_destroy(raw)
  }

  /// `local`, `network`, `usb`, `serial` or `xml`.
  package var backend: String { String(cString: parallax_iio_context_get_name(raw)) }

  /// Whether its devices belong to this machine, with sysfs folders and device nodes.
  package var isLocal: Bool { backend == "local" }

  /// Devices and triggers, in libiio's order.
  package var devices: [IIODevice] {
    (0..<parallax_iio_context_get_devices_count(raw)).compactMap { index in
      parallax_iio_context_get_device(raw, index).map { IIODevice(context: self, raw: $0) }
    }
  }
}
