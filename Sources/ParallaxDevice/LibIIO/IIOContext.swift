import CLibIIO
import Glibc

/// The devices that libiio sees at one moment: what comes later is in a later context only.
///
/// Making one reads every device's folder; with an `ip:` or `usb:` URI it waits for the other side.
/// So it belongs to a thread that may wait. Devices, channels and buffers hold their context.
package final class IIOContext {
  let raw: OpaquePointer

  /// - Parameter uri: `local:`, `ip:HOST`, `usb:`, `serial:`, `xml:FILE`; nil: this machine's own.
  /// - Throws: ENOENT where this kernel has no IIO at all.
  package init(uri: String?) throws(IIOError) {
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

  /// Whether its devices are of this machine's kernel, with their sysfs folders and nodes.
  package var isLocal: Bool { backend == "local" }

  /// Devices and triggers, in libiio's order.
  package var devices: [IIODevice] {
    (0..<parallax_iio_context_get_devices_count(raw)).compactMap { index in
      parallax_iio_context_get_device(raw, index).map { IIODevice(context: self, raw: $0) }
    }
  }
}
