// SPDX-License-Identifier: Apache-2.0

/// The name of a phone: the device of its samples, under which the daemon stores a bias.
package enum PhoneName {
  /// Returns the model in a browser's User-Agent; "phone" if there is none.
  ///
  /// Chrome for Android sends "K" for every model.
  package static func of(userAgent: String) -> String {
    for model in ["iPhone", "iPad"] where userAgent.contains("(\(model);") { return model }
    guard let start = userAgent.firstIndex(of: "("),
      let end = userAgent[start...].firstIndex(of: ")")
    else { return "phone" }
    let parts = userAgent[userAgent.index(after: start)..<end].split(separator: ";")
      .map { $0.drop { $0 == " " } }
    guard let android = parts.firstIndex(where: { $0.hasPrefix("Android") }) else {
      return "phone"
    }
    let model = parts[android...].dropFirst().first { part in
      part != "K" && part != "Mobile" && !part.hasPrefix("rv:")
    }
    let name = model.map { $0.split(separator: " Build/").first ?? $0 } ?? ""
    return printable(String(name)) ?? "Android phone"
  }

  /// Returns a name that FEED accepts, of 1 to 64 bytes of printable text; nil if nothing is left of it.
  package static func printable(_ text: String) -> String? {
    var name = ""
    for scalar in text.unicodeScalars where !isInvisible(scalar) {
      guard name.utf8.count + UTF8.width(scalar) <= 64 else { break }
      name.unicodeScalars.append(scalar)
    }
    return name.allSatisfy(\.isWhitespace) ? nil : name
  }

  /// Whether the daemon refuses a name with this character.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
