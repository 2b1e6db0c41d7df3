import Glibc
import ParallaxMotion

/// A gyroscope that streams through the kernel's buffer.
///
/// Whoever reads it is done with it before `close` is called on another thread.
package final class StreamingGyro: ScanStream {
  /// Scans that the kernel keeps for a reader that is late: 2 s at 30 Hz.
  static let keptScans: UInt32 = 64

  private let buffer: IIOBuffer
  private let rate: ScanVector
  private let acceleration: ScanVector?
  private let timestamp: ScanValue?
  /// Scans of the last refill that were not given out yet.
  private var waiting = UnsafeRawBufferPointer(start: nil, count: 0)

  /// - Parameter accelScale: of the accelerometer in the same device; nil: it is not read along.
  init(_ device: IIODevice, scale: RawScale, accelScale: RawScale?) throws(IIOError) {
    let ids = GyroAttributes.axes + (accelScale == nil ? [] : AccelDescription.axes)
    var channels: [IIOChannel] = []
    for id in ids + ["timestamp"] {
      if let channel = device.channel(id), channel.isScanElement { channels.append(channel) }
    }
    // One scan at a time: a frame must not wait for the next one.
    let buffer = try IIOBuffer(device, channels: channels, scans: 1, blocks: Self.keptScans)
    self.buffer = buffer
    do throws(IIOError) {
      let places = try channels.map { (channel) throws(IIOError) in try buffer.place(of: channel) }
      guard places.count >= ids.count else {
        throw IIOError(number: EINVAL, action: "finding all axes in a scan of \(device.id)")
      }
      rate = ScanVector(places[0..<3], scale: scale)
      acceleration = accelScale.map { ScanVector(places[3..<6], scale: $0) }
      timestamp = places.count > ids.count ? places[ids.count] : nil
    } catch {
      buffer.close()
      throw error
    }
  }

  /// Readable when there are scans, behind `setNonblocking`; -1 before.
  package private(set) var descriptor: Int32 = -1

  /// From here on `next` does not wait: for a device of this machine.
  func setNonblocking() throws(IIOError) {
    try buffer.setNonblocking()
    descriptor = try buffer.descriptor
  }

  var hasTimestamps: Bool { timestamp != nil }

  /// The next scan, the oldest first; nil: none has come yet.
  ///
  /// - Throws: ENODEV where the device is gone; for a remote one ETIMEDOUT where none came in time.
  package func next() throws(IIOError) -> GyroScan? {
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
      stampNanoseconds: timestamp?.integer(in: scan),
      rateRadPerSec: AngularRate(x: x, y: y, z: z),
      acceleration: acceleration.map { vector in
        let (x, y, z) = vector.values(in: scan)
        return Acceleration(x: x, y: y, z: z)
      })
  }

  /// From any thread: a read that waits ends.
  package func cancel() { buffer.cancel() }

  /// Ends the stream, which may take as long as the driver likes. No read is, behind it.
  package func close() { buffer.close() }
}

/// Three axes in a scan.
private struct ScanVector {
  let x, y, z: ScanValue
  let scale: RawScale

  /// - Parameter places: three.
  init(_ places: ArraySlice<ScanValue>, scale: RawScale) {
    let first = places.startIndex
    (x, y, z) = (places[first], places[first + 1], places[first + 2])
    self.scale = scale
  }

  func values(in scan: UnsafeRawBufferPointer) -> (Double, Double, Double) {
    (
      scale.value(Double(x.integer(in: scan))), scale.value(Double(y.integer(in: scan))),
      scale.value(Double(z.integer(in: scan)))
    )
  }
}
