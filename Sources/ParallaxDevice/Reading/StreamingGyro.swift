import ParallaxMotion

/// A gyroscope that streams through the kernel's buffer.
///
/// Whoever reads it is done with it before `close` is called on another thread.
package final class StreamingGyro: ScanStream {
  /// Scans that the kernel keeps for a reader that is late: 2 s at 30 Hz.
  static let keptScans: UInt32 = 64

  private let buffer: IIOBuffer
  private let axes: (x: ScanValue, y: ScanValue, z: ScanValue)
  private let timestamp: ScanValue?
  private let scale: RawScale
  /// Scans of the last refill that were not given out yet.
  private var waiting = UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ device: IIODevice, scale: RawScale) throws(IIOError) {
    var channels: [IIOChannel] = []
    for id in GyroAttributes.axes + ["timestamp"] {
      if let channel = device.channel(id), channel.isScanElement { channels.append(channel) }
    }
    // One scan at a time: a frame must not wait for the next one.
    let buffer = try IIOBuffer(device, channels: channels, scans: 1, blocks: Self.keptScans)
    self.buffer = buffer
    self.scale = scale
    do throws(IIOError) {
      let places = try channels.map { (channel) throws(IIOError) in try buffer.place(of: channel) }
      axes = (places[0], places[1], places[2])
      timestamp = places.count > 3 ? places[3] : nil
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
    return GyroScan(
      stampNanoseconds: timestamp?.integer(in: scan),
      rateRadPerSec: scale.rate(
        Double(axes.x.integer(in: scan)), Double(axes.y.integer(in: scan)),
        Double(axes.z.integer(in: scan))))
  }

  /// From any thread: a read that waits ends.
  package func cancel() { buffer.cancel() }

  /// Ends the stream, which may take as long as the driver likes. No read is, behind it.
  package func close() { buffer.close() }
}
