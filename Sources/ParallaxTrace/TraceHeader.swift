package import ParallaxMotion

/// What a recording says about itself in `# key: value` lines above its columns.
package struct TraceHeader: Equatable, Sendable {
  /// The gyroscope's name.
  package var device: String?
  /// Samples a second as granted by the device, Hz.
  package var rateHertz: Double?
  /// From the sensor's frame to the device's.
  package var mountMatrix: MountMatrix?
  /// How the screen was turned.
  package var orientation: Orientation?
  /// The bias estimate when the recording began, rad/s in the device's frame.
  package var bias: BiasState?

  package init(
    device: String? = nil, rateHertz: Double? = nil, mountMatrix: MountMatrix? = nil,
    orientation: Orientation? = nil, bias: BiasState? = nil
  ) {
    self.device = device
    self.rateHertz = rateHertz
    self.mountMatrix = mountMatrix
    self.orientation = orientation
    self.bias = bias
  }

  /// Takes over one line's key and value. Unknown keys are somebody's notes.
  package mutating func take(key: String, value: String) throws(SettingError) {
    switch key {
    case "device":
      device = value
    case "rate":
      guard let hertz = SettingText.number(value), hertz > 0 else {
        throw SettingError("'\(quoted(value))' is no rate; write a number of Hz above 0")
      }
      rateHertz = hertz
    case "mount-matrix":
      mountMatrix = try MountMatrix(parsing: value)
    case "orientation":
      orientation = try Orientation(parsing: value)
    case "bias":
      bias = try Self.bias(parsing: value)
    default: break
    }
  }

  /// `off` or `auto`, each with the three rates at the start or without; without, `auto` had no
  /// estimate yet.
  private static func bias(parsing text: String) throws(SettingError) -> BiasState {
    let cells = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { HeaderCell.trimmed($0) }
    let rates = cells.dropFirst().compactMap { SettingText.number($0) }
    guard cells[0] == "off" || cells[0] == "auto", cells.count == 1 || cells.count == 4,
      rates.count == cells.count - 1
    else {
      throw SettingError(
        "'\(quoted(text))' is no bias; write off, auto or auto,A,B,C with three rates in rad/s")
    }
    if cells[0] == "off" { return .off }
    return .auto(
      rates.isEmpty ? nil : AngularRate(x: rates[0], y: rates[1], z: rates[2]))
  }

  /// `key: value` behind the `#` of a comment; nil for other comments.
  static func keyAndValue(_ comment: some StringProtocol) -> (key: String, value: String)? {
    guard let colon = comment.firstIndex(of: ":") else { return nil }
    let key = HeaderCell.trimmed(comment[..<colon]).lowercased()
    let value = HeaderCell.trimmed(comment[comment.index(after: colon)...])
    guard !key.isEmpty, !value.isEmpty, !key.contains(" ") else { return nil }
    return (key, value)
  }
}
