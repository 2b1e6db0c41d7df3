internal import ParallaxMotion

/// How a trace's times become nanoseconds: x mantissa x 10^exponent.
struct TimeScale: Equatable {
  /// 1 but for a Gyroflow log with a `tscale` that is no power of ten.
  var mantissa: UInt64
  var exponent: Int
}

/// Reading a time as integer nanoseconds, rounded half away from zero from the text itself: no
/// binary fraction stands between.
enum TimeText {
  enum Value: Equatable {
    case nanoseconds(Int64)
    /// The text says nan or inf.
    case notFinite
    /// Beyond `GyroSample.timeLimitNanoseconds`.
    case outOfRange
    case noNumber
  }

  /// Reads a time at `text` and leaves `text` behind it. The bytes end in a line feed, see
  /// `DecimalScan`.
  @inline(__always)
  static func read(_ text: inout UnsafePointer<UInt8>, mark: UInt8, scale: TimeScale) -> Value {
    let start = text
    guard let scan = DecimalScan(&text, mark: mark) else {
      text = start
      return RateText.read(&text, mark: mark) == nil ? .noNumber : .notFinite
    }
    if scan.digits <= DecimalScan.exactDigits, scale.mantissa == 1 {
      let exponent = scan.exponent &+ scale.exponent
      if exponent <= 0, exponent >= -19 {
        let power = powers[-exponent]
        // Below 10^19 + 10^19 / 2, which 64 bits hold.
        let magnitude = exponent == 0 ? scan.mantissa : (scan.mantissa &+ power / 2) / power
        return signed(magnitude, isNegative: scan.isNegative)
      }
      if exponent > 0, exponent <= 18 {
        let (magnitude, overflow) =
          scan.mantissa.multipliedReportingOverflow(by: powers[exponent])
        return overflow ? .outOfRange : signed(magnitude, isNegative: scan.isNegative)
      }
    }
    return readSlowly(start, mark: mark, scan: scan, scale: scale)
  }

  @inline(__always)
  private static func signed(_ magnitude: UInt64, isNegative: Bool) -> Value {
    guard magnitude <= UInt64(GyroSample.timeLimitNanoseconds) else { return .outOfRange }
    let value = Int64(bitPattern: magnitude)
    return .nanoseconds(isNegative ? -value : value)
  }

  @inline(never)
  private static func readSlowly(
    _ start: UnsafePointer<UInt8>, mark: UInt8, scan: DecimalScan, scale: TimeScale
  ) -> Value {
    // The digits without leading zeros, as far as they fit; what follows them moves the exponent.
    var at = start
    if at[0] == UInt8(ascii: "-") || at[0] == UInt8(ascii: "+") { at += 1 }
    var mantissa: UInt128 = 0
    var exponent = scan.exponent
    var taken = 0
    while true {
      let byte = at[0]
      let digit = byte &- UInt8(ascii: "0")
      if digit <= 9 {
        // 36 digits below 10^36 leave room for a scale's 19 only if there is one.
        if taken < (scale.mantissa == 1 ? 37 : 19) {
          mantissa = mantissa * 10 + UInt128(digit)
          if mantissa > 0 { taken += 1 }
        } else {
          exponent += 1
        }
      } else if byte != UInt8(ascii: "."), byte != mark {
        break
      }
      at += 1
    }
    var product = mantissa * UInt128(scale.mantissa)
    var shift = exponent + scale.exponent
    guard product > 0 else { return .nanoseconds(0) }
    while shift > 0 {
      guard product <= UInt128(GyroSample.timeLimitNanoseconds) else { return .outOfRange }
      product *= 10
      shift -= 1
    }
    // All that is dropped but its first digit cannot move a rounding half away from zero.
    while shift < -1, product > 0 {
      product /= 10
      shift += 1
    }
    if shift == -1 { product = (product + 5) / 10 }
    guard product <= UInt128(GyroSample.timeLimitNanoseconds) else { return .outOfRange }
    return signed(UInt64(product), isNegative: scan.isNegative)
  }
}
