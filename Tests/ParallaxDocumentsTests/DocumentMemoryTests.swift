import Glibc
import ParallaxDocuments
import ParallaxTestSupport
import Testing

/// Documents as large as they may be, each read by a process of its own that watches its memory.
@Suite struct DocumentMemoryTests {
  /// What a document spends its one MiB, 10,000 nodes or 64 levels on.
  enum Greed: String, CaseIterable, Codable, Sendable, CustomTestStringConvertible {
    case ourSteps = "10,000 steps of ours, one after the other"
    case ourDepth = "64 animations of ours inside one another"
    case curves = "9,999 keyframes of one Lottie layer, each along a curve"
    case layers = "10,000 Lottie layers, each the parent of the next"
    case depth = "64 levels of JSON in a Lottie file"
    case objects = "one MiB of objects in a Lottie file that nobody asks for"
    case numbers = "300,000 values in a Lottie file that nobody asks for"

    var testDescription: String { rawValue }
  }

  /// MiB, while it is read; the worst is twice the JSON library's own values for one MiB of objects.
  static let peak = 80
  /// MiB, when it has been read and its values are gone: the animation, and what was read with.
  static let kept = 16

  @Test(
    .enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"), arguments: Greed.allCases)
  func `it is read in bounded memory`(greed: Greed) async {
    await #expect(processExitsWith: .success) { [greed] in
      let text = Array(greed.document.utf8)
      precondition(text.count <= DocumentLimits.bytes)
      let before = try memory("VmRSS:")
      try forgetPeak()
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
    case .ourSteps:
      let step = #"{"move":{"by":[1,0]},"duration":0.1,"curve":"cubic-bezier(0.1,0.2,0.3,0.4)"}"#
      return ours("{\"sequence\":[\(repeated(step, 9_999))]}")
    case .ourDepth:
      return ours(
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
      return unasked(String(repeating: "[", count: 61) + String(repeating: "]", count: 61))
    case .objects: return unasked("[\(repeated(#"{"a":1}"#, 131_000))]")
    case .numbers: return unasked("[\(repeated("0", 299_900))]")
    }
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: ",")
  }

  private func ours(_ animation: String) -> String {
    #"{"parallax":1,"animation":\#(animation)}"#
  }

  private func unasked(_ json: String) -> String {
    composition(
      layer("a", #""r":\#(keyframes((0, "0"), (9, "9")))"#, more: #","shapes":\#(json)"#))
  }
}

/// KiB, from what the kernel says of this process.
private func memory(_ key: String) throws -> Int {
  let status = try text(ofFile: "/proc/self/status")
  let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
  return Int(line?.split(separator: " ").dropLast().last ?? "") ?? 0
}

/// Lets VmHWM begin anew (proc(5), clear_refs).
private func forgetPeak() throws {
  let descriptor = open("/proc/self/clear_refs", O_WRONLY)
  guard descriptor >= 0 else { throw TestSupportError("/proc/self/clear_refs: \(errno)") }
  defer { close(descriptor) }
  guard write(descriptor, "5", 1) == 1 else { throw TestSupportError("clear_refs: \(errno)") }
}

@_silgen_name("malloc_trim")
private func malloc_trim(_ pad: Int) -> Int32
