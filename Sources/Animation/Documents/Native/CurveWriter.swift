// SPDX-License-Identifier: Apache-2.0

package import ParallaxAnimation
package import ParallaxBase
import ParallaxMotion

/// Writes a curve as `CurveReader` reads it.
enum CurveWriter {
  static func value(of curve: Curve) -> JSONValue {
    if let name = CurveText.name(of: curve) { return .string(name) }
    switch curve {
    case .linear: return "linear"
    case .bezier(let bezier):
      return [
        "cubic-bezier": [
          .number(bezier.x1), .number(bezier.y1), .number(bezier.x2), .number(bezier.y2),
        ]
      ]
    case .steps(let steps):
      return ["steps": [.integer(Int64(steps.count)), .string(steps.position.rawValue)]]
    case .points(let curve):
      return ["linear": .array(curve.points.map { [.number($0.output), .number($0.input)] })]
    case .spring(let spring):
      var members = JSONObject([
        .init(key: "response", value: .number(spring.responseSeconds)),
        .init(key: "damping", value: .number(spring.damping)),
      ])
      // Daemons up to protocol 1.6 do not know the velocity.
      if spring.initialVelocity != 0 {
        members = members.adding("velocity", .number(spring.initialVelocity))
      }
      return ["spring": .object(members)]
    }
  }
}

extension Curve {
  /// Returns it as the `curve` of a request, in the grammar of native documents.
  ///
  /// - Throws: An error at `$.curve` for a number beyond the limits of documents.
  package func json() throws(JSONShapeError) -> JSONValue {
    let value = CurveWriter.value(of: self)
    // The reader knows the limits.
    _ = try DocumentReader.curve(of: JSONNode(["curve": value]))
    return value
  }
}
