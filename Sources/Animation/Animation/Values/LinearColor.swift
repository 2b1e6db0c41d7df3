// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A color in linear light, with the primaries of sRGB and premultiplied alpha.
///
/// Both let colors add up. In linear light, the middle between two colors has the mean of their light, as two lamps
/// that are faded; between bytes of sRGB it would be too dark. With premultiplied alpha, an invisible color has no hue
/// that would show while it fades.
///
/// Source: IEC 61966-2-1 for the transfer function of sRGB.
public struct LinearColor: Animatable {
  /// Linear light times alpha, 0...1 on a screen. Intermediate sums may lie outside.
  public var red: Double
  /// Linear light times alpha.
  public var green: Double
  /// Linear light times alpha.
  public var blue: Double
  /// 0 (invisible) to 1.
  public var alpha: Double

  /// Creates a color from linear light that is multiplied by alpha already.
  ///
  /// - Parameters:
  ///   - red: Linear light times alpha.
  ///   - green: Linear light times alpha.
  ///   - blue: Linear light times alpha.
  ///   - alpha: 0 (invisible) to 1. Default: 1.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Creates a color from bytes of sRGB, as in `#ff8000`. They are not multiplied by alpha.
  ///
  /// - Parameters:
  ///   - red: 0...255.
  ///   - green: 0...255.
  ///   - blue: 0...255.
  ///   - alpha: 0 (invisible) to 255. Default: 255.
  public init(sRGB red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) {
    let opacity = Double(alpha) / 255
    self.init(
      red: Self.light(red) * opacity, green: Self.light(green) * opacity,
      blue: Self.light(blue) * opacity, alpha: opacity)
  }

  /// The nearest bytes of sRGB, not multiplied by alpha; those of an invisible color are 0.
  public var sRGB: (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    func byte(_ light: Double) -> UInt8 { Self.byte(alpha > 0 ? Self.encoded(light / alpha) : 0) }
    return (byte(red), byte(green), byte(blue), Self.byte(alpha))
  }

  /// No light, invisible.
  public static let zero = LinearColor(red: 0, green: 0, blue: 0, alpha: 0)

  /// Adds two colors number by number.
  public static func + (left: LinearColor, right: LinearColor) -> LinearColor {
    LinearColor(
      red: left.red + right.red, green: left.green + right.green, blue: left.blue + right.blue,
      alpha: left.alpha + right.alpha)
  }

  /// Returns the color with every number multiplied.
  public func scaled(by factor: Double) -> LinearColor {
    LinearColor(
      red: red * factor, green: green * factor, blue: blue * factor, alpha: alpha * factor)
  }

  /// The length of the vector of the four numbers.
  public var distanceFromZero: Double? {
    (red * red + green * green + blue * blue + alpha * alpha).squareRoot()
  }

  /// A third of the smallest step of a byte, which is that from black.
  public static var restDistance: Double { 0.0001 }

  private static func light(_ byte: UInt8) -> Double {
    let value = Double(byte) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func encoded(_ light: Double) -> Double {
    light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  private static func byte(_ share: Double) -> UInt8 {
    UInt8((share > 0 ? min(share, 1) * 255 : 0).rounded())
  }
}
