// SPDX-License-Identifier: Apache-2.0

import CLibIIO
import Glibc

/// The buffer of a device that streams: the kernel takes a scan of the enabled channels whenever the
/// trigger fires.
///
/// Creating and closing one waits for the driver. A refill does not, for a local buffer after
/// `setNonblocking`.
package final class IIOBuffer {
  package let device: IIODevice
  private let raw: OpaquePointer
  private var isClosed = false

  /// - Parameters:
  ///   - channels: The values of a scan.
  ///   - scans: The largest number of scans in a refill.
  ///   - blocks: The kernel keeps `scans * blocks` scans before it drops new ones.
  /// - Throws: EBUSY while another program streams, EINVAL without a trigger, EACCES or EPERM without
  ///   permission.
  package init(
    _ device: IIODevice, channels: [IIOChannel], scans: Int, blocks: UInt32
  ) throws(DriverError) {
    for channel in device.channels { channel.setEnabled(false) }
    for channel in channels { channel.setEnabled(true) }
    _ = parallax_iio_device_set_kernel_buffers_count(device.raw, blocks)
    errno = 0
    guard let buffer = parallax_iio_device_create_buffer(device.raw, scans) else {
      throw .last("streaming from \(device.id)")
    }
    raw = buffer
    self.device = device
  }

  deinit {
    close()
  }

  /// Ends the stream. May be called twice; no other call may follow.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    parallax_iio_buffer_destroy(raw)
  }

  /// Readable when there are scans. (An unplugged device makes it neither readable nor invalid.)
  package var descriptor: Int32 {
    get throws(DriverError) {
      Int32(
        try DriverError.check(
          Int(parallax_iio_buffer_get_poll_fd(raw)), "polling \(device.id)"))
    }
  }

  package func setNonblocking() throws(DriverError) {
    try DriverError.check(
      Int(parallax_iio_buffer_set_nonblocking(raw)), "making \(device.id) nonblocking")
  }

  /// Fetches the next scans, up to the size of a refill.
  ///
  /// - Returns: Whether there were any.
  /// - Throws: ENODEV if the device is gone; ETIMEDOUT if a blocking buffer had none in time.
  package func refill() throws(DriverError) -> Bool {
    let count = parallax_iio_buffer_refill(raw)
    if count == -Int(EAGAIN) { return false }
    return try DriverError.check(count, "reading scans of \(device.id)") > 0
  }

  /// Ends a refill that waits and makes later ones fail. Callable from any thread.
  package func cancel() { parallax_iio_buffer_cancel(raw) }

  /// The scans of the last refill, `scanBytes` each. The bytes are valid until the next refill.
  package var scans: UnsafeRawBufferPointer {
    guard let start = parallax_iio_buffer_start(raw), let end = parallax_iio_buffer_end(raw),
      end > start
    else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start, count: end - start)
  }

  package var scanBytes: Int { parallax_iio_buffer_step(raw) }

  /// The position and format of a channel's value in a scan.
  package func value(of channel: IIOChannel) throws(DriverError) -> ScanValue {
    guard let start = parallax_iio_buffer_start(raw),
      let first = parallax_iio_buffer_first(raw, channel.raw),
      let value = ScanValue(channel: channel, byteOffset: first - start)
    else { throw DriverError(number: EINVAL, action: "finding \(channel.id) in a scan") }
    return value
  }
}

/// A channel's value in a scan.
package struct ScanValue {
  let channel: IIOChannel
  package let byteOffset: Int
  package let byteCount: Int
  let isSigned: Bool

  /// Returns nil unless the format is one value in one to eight whole bytes. A device on another machine
  /// may state any format, and libiio's conversion would write as many bytes as that says.
  init?(channel: IIOChannel, byteOffset: Int) {
    var isSigned = false
    let bits = parallax_iio_channel_storage(channel.raw, &isSigned)
    guard bits > 0, bits <= 64, bits.isMultiple(of: 8) else { return nil }
    self.channel = channel
    self.byteOffset = byteOffset
    byteCount = Int(bits / 8)
    self.isSigned = isSigned
  }

  /// Returns the driver's value, before offset and scale. libiio converts shift and byte order, and
  /// writes only the bytes in which the value is stored.
  package func integer(in scan: UnsafeRawBufferPointer) -> Int64 {
    guard byteOffset >= 0, byteOffset + byteCount <= scan.count, let base = scan.baseAddress else {
      return 0
    }
    var bits: UInt64 = 0
    withUnsafeMutableBytes(of: &bits) { buffer in
      parallax_iio_channel_convert(channel.raw, buffer.baseAddress, base + byteOffset)
    }
    let unused = UInt64(64 - 8 * byteCount)
    #if _endian(big)
      bits >>= unused
    #endif
    return isSigned
      ? Int64(bitPattern: bits << unused) >> Int64(unused) : Int64(bitPattern: bits)
  }
}
