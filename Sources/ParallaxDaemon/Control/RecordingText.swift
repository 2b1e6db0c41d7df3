import ParallaxMotion
import ParallaxWire

/// How a recording's header writes what it starts from.
extension MountMatrix {
  /// `a,b,c;d,e,f;g,h,i`, every bit of the entries.
  var text: String {
    let entries = rowMajor.map(\.description)
    return stride(from: 0, to: 9, by: 3).map { entries[$0..<($0 + 3)].joined(separator: ",") }
      .joined(separator: ";")
  }
}

extension BiasState {
  /// `off`, `auto`, or `auto,A,B,C` with the estimate in rad/s.
  var text: String {
    switch self {
    case .off: "off"
    case .auto(nil): "auto"
    case .auto(let known?): "auto,\(known.x),\(known.y),\(known.z)"
    }
  }
}

extension StatusMessage.BiasStatus {
  init(_ state: BiasState) {
    switch state {
    case .off: self.init(isAuto: false, estimate: nil)
    case .auto(let known): self.init(isAuto: true, estimate: known)
    }
  }
}
