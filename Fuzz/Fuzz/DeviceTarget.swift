// SPDX-License-Identifier: Apache-2.0

import Glibc
@testable import ParallaxDevice
import ParallaxMotion

/// Random attributes and scans of a gyroscope. Attributes never lead to numbers that are not finite, and
/// a value in a scan is the one that the format's definition gives.
enum DeviceTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    var draw = Draw(bytes)
    checkScan(&draw)
    checkAttributes(&draw)
    _ = HIDTimestampField.isInGyroscope(of: Array(bytes))
    let text = String(decoding: bytes.prefix(200), as: UTF8.self)
    let path = StableDevicePath.of(text)
    require(StableDevicePath.of(path).count <= path.count, "a longer path")
  }

  // MARK: - Attributes

  private struct Attributes: AttributeReading {
    var values: [String: String]

    func channelAttribute(_ name: String, of channel: String) -> String? {
      values["\(channel) \(name)"]
    }

    func deviceAttribute(_ name: String) -> String? { values[name] }
  }

  private static let names = [
    "anglvel_x scale", "anglvel_y scale", "scale", "anglvel_x offset", "sampling_frequency",
    "anglvel_z sampling_frequency", "sampling_frequency_available", "mount_matrix",
    "mount matrix", "in_mount_matrix", "accel_x scale", "accel_y offset", "accel_x mount_matrix",
  ]

  private static func checkAttributes(_ draw: inout Draw) {
    var attributes = Attributes(values: [:])
    while !draw.isAtEnd {
      let name = draw.element(of: names)
      attributes.values[name] = draw.text(atMost: 60)
    }
    let gyro = GyroAttributes(attributes)
    for number in [gyro.scale, gyro.offset, gyro.rate] {
      require(number?.isFinite != false, "an attribute that is not finite")
    }
    require(gyro.scale != 0 && gyro.rate ?? 1 > 0, "a scale of 0, or a rate")
    for hertz in [0.1, 30, 104, 1e6] {
      let rate = RateChoice.rate(atLeast: hertz, from: gyro.availableRates)
      require(rate.isFinite && rate > 0, "a rate of \(rate) Hz")
    }
    if case .refused(_, let why) = gyro.mountMatrix { require(!why.isEmpty, "no reason") }
    if let accel = AccelDescription(attributes, property: attributes.values["scale"]) {
      require(accel.scale.isFinite && accel.offset.isFinite, "not finite")
      let vector = accel.matrix.apply(Acceleration(x: 1, y: -2, z: 9.81))
      require(vector.x.isFinite && vector.y.isFinite && vector.z.isFinite, "not finite")
    }
  }

  // MARK: - Scans

  private static func checkScan(_ draw: inout Draw) {
    let format = ScanFormat(&draw)
    let offset = draw.number(below: 9)
    let scan = (0..<24).map { _ in draw.byte() }
    guard let channel = channel(format) else { return }
    let value = ScanValue(channel: channel, byteOffset: offset)
    require((value != nil) == format.isUsable, "\(format.text): usable?")
    guard let value else { return }
    let read = scan.withUnsafeBytes { value.integer(in: $0) }
    let right = format.value(scan, at: offset)
    require(read == right, "\(format.text) in \(scan): \(read), not \(right)")
    _ = scan.prefix(Int(scan[0] % 20)).withUnsafeBytes { value.integer(in: $0) }
  }

  /// Returns a channel with that format, from a context in a file; nil without libiio, or if it refuses.
  private static func channel(_ format: ScanFormat) -> IIOChannel? {
    let text = """
      <?xml version="1.0"?><!DOCTYPE context [<!ELEMENT context (device)*><!ELEMENT device (channel)*> <!ELEMENT channel (scan-element?)><!ELEMENT scan-element EMPTY> <!ATTLIST context name CDATA #REQUIRED> <!ATTLIST device id CDATA #REQUIRED name CDATA #REQUIRED> <!ATTLIST channel id CDATA #REQUIRED type CDATA #REQUIRED> <!ATTLIST scan-element index CDATA #REQUIRED format CDATA #REQUIRED>]>\
      <context name="xml"><device id="iio:device0" name="g">\
      <channel id="anglvel_x" type="input">\
      <scan-element index="0" format="\(format.text)"/></channel></device></context>
      """
    guard isLoaded else { return nil }
    ftruncate(file.descriptor, 0)
    pwrite(file.descriptor, text, text.utf8.count, 0)
    return (try? IIOContext(uri: "xml:\(file.path)"))?.devices.first?.channel("anglvel_x")
  }

  private static let isLoaded = (try? IIOLibrary.load()) != nil

  /// A file without a name, because libiio takes a path.
  private static let file: (descriptor: Int32, path: String) = {
    var path = Array("/dev/shm/parallax-fuzz.XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    unlink(path)
    require(descriptor >= 0, "no temporary file in /dev/shm")
    return (descriptor, "/proc/self/fd/\(descriptor)")
  }()
}

/// The format of a value in a scan, and its definition in
/// Documentation/ABI/testing/sysfs-bus-iio: `[be|le]:[s|u]bits/storagebits[Xrepeat]>>shift`.
private struct ScanFormat {
  let isBigEndian: Bool
  let isSigned: Bool
  let bits, storageBits, repeats, shift: Int

  init(_ draw: inout Draw) {
    let flags = draw.byte()
    isBigEndian = flags & 1 != 0
    isSigned = flags & 2 != 0
    storageBits =
      flags & 4 != 0 ? Int(draw.byte() % 80) : draw.element(of: [8, 16, 24, 32, 40, 64])
    bits = flags & 8 != 0 ? Int(draw.byte() % 80) : Int(draw.byte()) % max(1, storageBits) + 1
    shift = flags & 16 != 0 ? Int(draw.byte() % 80) : max(0, storageBits - bits) / 2
    repeats = flags & 0xE0 == 0xE0 ? Int(draw.byte() % 5) : 1
  }

  var text: String {
    "\(isBigEndian ? "be" : "le"):\(isSigned ? "s" : "u")\(bits)/\(storageBits)"
      + (repeats == 1 ? "" : "X\(repeats)") + "&gt;&gt;\(shift)"
  }

  /// Whether one value of whole bytes has all its bits.
  var isUsable: Bool {
    repeats == 1 && [8, 16, 24, 32, 40, 48, 56, 64].contains(storageBits) && bits > 0
      && bits + shift <= storageBits
  }

  func value(_ scan: [UInt8], at offset: Int) -> Int64 {
    let stored = scan[offset..<(offset + storageBits / 8)]
    let word = (isBigEndian ? Array(stored) : stored.reversed())
      .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var value: UInt64 = 0
    for bit in 0..<bits where word >> UInt64(shift + bit) & 1 != 0 { value |= 1 << UInt64(bit) }
    let isNegative = isSigned && value >> UInt64(bits - 1) & 1 != 0
    if isNegative { for bit in bits..<64 { value |= 1 << UInt64(bit) } }
    return Int64(bitPattern: value)
  }
}
