// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase
import ParallaxMotion

/// A gyroscope that streams through the kernel's buffer.
///
/// Its reader must be done before another thread calls `close`.
package final class StreamingGyro: ScanStream {
  /// Scans that the kernel keeps for a slow reader: 2 s at 30 Hz.
  static let keptScans: UInt32 = 64

  private let buffer: IIOBuffer
  private let rate: ScanVector
  private let acceleration: ScanVector?
  private let timestamp: ScanValue?
  /// Scans of the last refill that were not returned yet.
  private var waiting = UnsafeRawBufferPointer(start: nil, count: 0)

  /// - Parameter accelScale: For the accelerometer in the same device; nil: it is not read.
  init(_ device: IIODevice, scale: RawScale, accelScale: RawScale?) throws(DriverError) {
    let ids = GyroAttributes.axes + (accelScale == nil ? [] : AccelDescription.axes)
    var channels: [IIOChannel] = []
    for id in ids + ["timestamp"] {
      if let channel = device.channel(id), channel.isScanElement { channels.append(channel) }
    }
    // One scan at a time: a frame must not wait for the next one.
    let buffer = try IIOBuffer(device, channels: channels, scans: 1, blocks: Self.keptScans)
    self.buffer = buffer
    do throws(DriverError) {
      let values = try channels.map { (channel) throws(DriverError) in
        try buffer.value(of: channel)
      }
      guard values.count >= ids.count else {
        throw DriverError(number: EINVAL, action: "finding all axes in a scan of \(device.id)")
      }
      rate = ScanVector(values[0..<3], scale: scale)
      acceleration = accelScale.map { ScanVector(values[3..<6], scale: $0) }
      timestamp = values.count > ids.count ? values[ids.count] : nil
    } catch {
      buffer.close()
      throw error
    }
  }

  /// Readable when there are scans, after `setNonblocking`; -1 before.
  package private(set) var descriptor: Int32 = -1

  /// Makes `next` return at once. For a device of this machine.
  func setNonblocking() throws(DriverError) {
    try buffer.setNonblocking()
    descriptor = try buffer.descriptor
  }

  var hasTimestamps: Bool { timestamp != nil }

  /// Returns the oldest scan that was not returned yet; nil: there is none.
  ///
  /// - Throws: ENODEV if the device is gone; ETIMEDOUT if a remote one sent none in time.
  package func next(clock: () -> MotionInstant) throws(DriverError) -> GyroScan? {
    let step = buffer.scanBytes
    guard step > 0 else { return nil }
    if waiting.count < step {
      guard try buffer.refill() else { return nil }
      waiting = buffer.scans
      guard waiting.count >= step else { return nil }
    }
    let scan = UnsafeRawBufferPointer(rebasing: waiting[..<step])
    waiting = UnsafeRawBufferPointer(rebasing: waiting[step...])
    let (x, y, z) = rate.values(in: scan)
    return GyroScan(
      stamp: timestamp.map { MotionInstant(nanoseconds: $0.integer(in: scan)) },
      arrival: clock(), rateRadPerSec: AngularRate(x: x, y: y, z: z),
      acceleration: acceleration.map { vector in
        let (x, y, z) = vector.values(in: scan)
        return Acceleration(x: x, y: y, z: z)
      })
  }

  /// Ends a read that waits. Callable from any thread.
  package func cancel() { buffer.cancel() }

  /// Ends the stream, which may take any time. No read may follow.
  package func close() { buffer.close() }
}

/// Three axes in a scan.
private struct ScanVector {
  let x, y, z: ScanValue
  let scale: RawScale

  /// - Parameter axes: Three values.
  init(_ axes: ArraySlice<ScanValue>, scale: RawScale) {
    let first = axes.startIndex
    (x, y, z) = (axes[first], axes[first + 1], axes[first + 2])
    self.scale = scale
  }

  func values(in scan: UnsafeRawBufferPointer) -> (Double, Double, Double) {
    (
      scale.value(Double(x.integer(in: scan))), scale.value(Double(y.integer(in: scan))),
      scale.value(Double(z.integer(in: scan)))
    )
  }
}
