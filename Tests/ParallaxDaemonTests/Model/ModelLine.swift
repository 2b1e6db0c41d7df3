// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// An OFFSET as a client reads it.
struct ModelFrame {
  var seq: Int
  var time: MotionInstant
  var x = 0.0
  var y = 0.0
  var nx = 0.0
  var ny = 0.0
  var dropped = 0

  var showsMotion: Bool { nx != 0 || ny != 0 }
}

/// A line from the daemon. Frames and samples, the many, are read without a parser of JSON.
enum ModelLine {
  case offset(ModelFrame)
  case sample(MotionInstant)
  case other(ModelMessage)
  case garbage

  /// - Parameter bytes: A line with its line feed.
  init(_ bytes: UnsafeRawBufferPointer) {
    if bytes.starts(with: Self.offsetStart) {
      var frame = ModelFrame(seq: -1, time: .zero)
      guard let seq = Self.number("\"seq\":", in: bytes), let time = Self.time(in: bytes),
        let x = Self.number("\"x\":", in: bytes), let y = Self.number("\"y\":", in: bytes),
        let nx = Self.number("\"nx\":", in: bytes), let ny = Self.number("\"ny\":", in: bytes)
      else {
        self = .garbage
        return
      }
      frame.seq = Int(seq)
      frame.time = time
      (frame.x, frame.y, frame.nx, frame.ny) = (x, y, nx, ny)
      frame.dropped = Int(Self.number("\"dropped\":", in: bytes) ?? 0)
      self = .offset(frame)
    } else if bytes.starts(with: Self.sampleStart) {
      self = Self.time(in: bytes).map { .sample($0) } ?? .garbage
    } else if let message = ModelMessage(bytes) {
      self = .other(message)
    } else {
      self = .garbage
    }
  }

  private static let offsetStart = Array(#"{"class":"OFFSET","#.utf8)
  private static let sampleStart = Array(#"{"class":"SAMPLE","#.utf8)

  /// Returns the number after the first occurrence of a key. The line feed ends the last one.
  private static func number(_ key: StaticString, in bytes: UnsafeRawBufferPointer) -> Double? {
    guard let start = place(after: key, in: bytes) else { return nil }
    return strtod(start, nil)
  }

  /// Returns `time` to the nanosecond.
  private static func time(in bytes: UnsafeRawBufferPointer) -> MotionInstant? {
    guard let start = place(after: "\"time\":", in: bytes) else { return nil }
    var end: UnsafeMutablePointer<CChar>?
    let seconds = strtoll(start, &end, 10)
    guard let point = end, point.pointee == 46 else { return nil }
    var fraction: UnsafeMutablePointer<CChar>?
    let nanoseconds = strtoll(point + 1, &fraction, 10)
    guard let fraction, fraction - (point + 1) == 9 else { return nil }
    return MotionInstant(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds))
  }

  private static func place(
    after key: StaticString, in bytes: UnsafeRawBufferPointer
  ) -> UnsafePointer<CChar>? {
    let length = key.utf8CodeUnitCount
    var rest = bytes
    while let base = rest.baseAddress, let quote = memchr(base, 34, rest.count) {
      let place = UnsafeRawPointer(quote)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(place - base))
      guard rest.count > length else { return nil }
      if memcmp(place, key.utf8Start, length) == 0 {
        return (place + length).assumingMemoryBound(to: CChar.self)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
    }
    return nil
  }
}

/// Any other line, or a request.
struct ModelMessage {
  let text: String
  let object: JSONObject

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard case .object(let object)? = try? JSONValue.parse(bytes, limits: .controlLine) else {
      return nil
    }
    text = String(decoding: bytes.prefix(600), as: UTF8.self)
    self.object = object
  }

  init?(_ text: String) {
    var text = text
    let message = text.withUTF8 { ModelMessage(UnsafeRawBufferPointer($0)) }
    guard let message else { return nil }
    self = message
  }

  var name: String { self["class"] ?? "" }

  subscript(key: String) -> String? {
    if case .string(let text)? = object[key] { text } else { nil }
  }

  func number(_ key: String) -> Double? {
    switch object[key] {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  func bool(_ key: String) -> Bool? {
    if case .bool(let value)? = object[key] { value } else { nil }
  }

  func object(_ key: String) -> JSONObject? {
    if case .object(let value)? = object[key] { value } else { nil }
  }

  /// The tag as text.
  var tag: String? {
    switch object["tag"] {
    case .string(let text): text
    case .integer(let value): String(value)
    default: nil
    }
  }

  static func texts(_ value: JSONValue?) -> [String] {
    guard case .array(let values)? = value else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
