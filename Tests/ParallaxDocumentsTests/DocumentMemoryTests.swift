// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxDocuments
import ParallaxTestSupport
import Testing

/// The memory for reading documents at the limits, each measured in a separate process.
@Suite struct DocumentMemoryTests {
  /// The content of a document at the limits.
  enum Greed: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
    case steps = "10,000 native steps in a sequence"
    case nesting = "64 nested native animations"
    case curves = "9,999 keyframes of one Lottie layer, each with a curved path"
    case layers = "10,000 Lottie layers, each the parent of the next"
    case depth = "64 levels of JSON in a Lottie file"
    case objects = "one MiB of ignored objects in a Lottie file"
    case numbers = "300,000 ignored values in a Lottie file"

    var testDescription: String { rawValue }
  }

  /// In MiB, during reading. The worst case is the values of one MiB of objects.
  static let peak = 80
  /// In MiB, after reading: the animation and the code of the reader.
  static let kept = 16

  @Test(
    .enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"), arguments: Greed.allCases)
  func memoryIsBounded(greed: Greed) async {
    await #expect(processExitsWith: .success) { [greed] in
      let text = Array(greed.document.utf8)
      precondition(text.count <= DocumentLimits.bytes)
      let before = try memory("VmRSS:")
      try resetPeak()
      let document = try DocumentReader.read(text, name: "greedy.json")
      let peak = try memory("VmHWM:") - before
      _ = malloc_trim(0)
      let kept = try memory("VmRSS:") - before
      withExtendedLifetime(document) {}
      precondition(peak < DocumentMemoryTests.peak << 10, "peak \(peak) KiB")
      precondition(kept < DocumentMemoryTests.kept << 10, "kept \(kept) KiB")
    }
  }
}

extension DocumentMemoryTests.Greed {
  var document: String {
    switch self {
    case .steps:
      let step = #"{"move":{"by":[1,0]},"duration":0.1,"curve":"cubic-bezier(0.1,0.2,0.3,0.4)"}"#
      return native("{\"sequence\":[\(repeated(step, 9_999))]}")
    case .nesting:
      return native(
        String(repeating: #"{"sequence":["#, count: 63) + #"{"delay":1}"#
          + String(repeating: "]}", count: 63))
    case .curves:
      let keyframes = (0..<9_999).map {
        """
        {"t":\($0),"s":[\($0 % 100),\($0 % 37)],"to":[10,5],"ti":[-3,9],\
        "o":{"x":0.3,"y":0},"i":{"x":0.6,"y":1}}
        """
      }
      return composition(layer("a", "\"p\":{\"k\":[\(keyframes.joined(separator: ","))]}"))
    case .layers:
      let first = layer("first", ind: 0, type: 3, #""r":{"k":5}"#)
      let last = layer("last", ind: 9_997, #""r":\#(keyframes((0, "0"), (9, "9")))"#)
      let chain = (1..<9_997).map { #"{"ty":3,"ind":\#($0),"parent":\#($0 - 1),"ks":{}}"# }
      return composition(first, chain.joined(separator: ","), last)
    case .depth:
      return ignored(String(repeating: "[", count: 61) + String(repeating: "]", count: 61))
    case .objects: return ignored("[\(repeated(#"{"a":1}"#, 131_000))]")
    case .numbers: return ignored("[\(repeated("0", 299_900))]")
    }
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: ",")
  }

  private func native(_ animation: String) -> String {
    #"{"parallax":1,"animation":\#(animation)}"#
  }

  private func ignored(_ json: String) -> String {
    composition(
      layer("a", #""r":\#(keyframes((0, "0"), (9, "9")))"#, more: #","shapes":\#(json)"#))
  }
}

/// Returns a value of /proc/self/status in KiB.
private func memory(_ key: String) throws -> Int {
  let status = try text(ofFile: "/proc/self/status")
  let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
  return Int(line?.split(separator: " ").dropLast().last ?? "") ?? 0
}

/// Resets VmHWM (proc(5), clear_refs).
private func resetPeak() throws {
  let descriptor = open("/proc/self/clear_refs", O_WRONLY)
  guard descriptor >= 0 else { throw TestSupportError("/proc/self/clear_refs: \(errno)") }
  defer { close(descriptor) }
  guard write(descriptor, "5", 1) == 1 else { throw TestSupportError("clear_refs: \(errno)") }
}

@_silgen_name("malloc_trim")
private func malloc_trim(_ pad: Int) -> Int32
