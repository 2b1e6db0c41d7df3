// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDocuments
import ParallaxTestSupport

// Lottie files for tests: 10 frames per second, from frame 0 to 20.

/// - Parameter layers: Results of `layer`.
func composition(_ layers: String..., more: String = "") -> String {
  #"{"fr":10,"ip":0,"op":20,"layers":[\#(layers.joined(separator: ","))]\#(more)}"#
}

/// - Parameters:
///   - ks: The members of the transform, without braces.
///   - more: Further members of the layer, each preceded by a comma.
func layer(_ name: String, ind number: Int = 1, type: Int = 4, _ ks: String, more: String = "")
  -> String
{
  #"{"ty":\#(type),"ind":\#(number),"nm":"\#(name)","ks":{\#(ks)}\#(more)}"#
}

/// Returns a property with linear keyframes.
func keyframes(_ keyframes: (frame: Double, value: String)...) -> String {
  let list = keyframes.map { #"{"t":\#($0.frame),"s":\#($0.value)}"# }
  return #"{"a":1,"k":[\#(list.joined(separator: ","))]}"#
}

extension LottieFile {
  /// Reads a sample file.
  init(named name: String) throws {
    let folder = name.hasPrefix("micro_") ? "micro/" : ""
    try self.init(text: text(ofFile: testDataPath("Lottie/samples/\(folder)\(name).json")))
  }

  init(text: String) throws {
    try self.init(JSONNode(JSONValue.parse(text, limits: .document)))
  }
}

/// The names of the sample files, without `.json`.
let lottieSamples: [String] = {
  let folders = ["Lottie/samples", "Lottie/samples/micro"]
  return folders.flatMap { (try? namesInFolder(testDataPath($0))) ?? [] }
    .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
}()
