// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import Glibc

/// Runs libFuzzer on one target: `Fuzz --target=NAME [OPTION...] [CORPUS...]`, or compares numbers with
/// strtod's: `Fuzz --numbers=COUNT [--seed=N]`.
///
/// libFuzzer ignores what starts with two dashes, and passes it on to the processes that it starts.
@main
enum Fuzz {
  static func main() {
    // A program that sets the locale must not change how numbers are read.
    _ = setlocale(LC_ALL, "")
    if let count = option("numbers").flatMap({ Int($0) }) {
      return NumberTarget.compare(count: count, seed: option("seed").flatMap { UInt64($0) } ?? 1)
    }
    guard let name = option("target"), let found = targets.first(where: { $0.name == name }) else {
      print("Fuzz: --target=NAME is one of:", targets.map(\.name).joined(separator: " "))
      exit(64)
    }
    target = found.run
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
        target(UnsafeRawBufferPointer(start: bytes, count: size))
        return 0
      })
  }

  private static func option(_ name: String) -> String? {
    let start = "--\(name)="
    return CommandLine.arguments.first { $0.hasPrefix(start) }
      .map { String($0.dropFirst(start.count)) }
  }
}

private typealias Run = (UnsafeRawBufferPointer) -> Void

/// libFuzzer calls a C function without a context. Set once, before the first call.
private nonisolated(unsafe) var target: Run = { _ in }

private let targets: [(name: String, run: @Sendable (UnsafeRawBufferPointer) -> Void)] = [
  ("trace", TraceTarget.run), ("document", DocumentTarget.run), ("socket", SocketTarget.run),
  ("connection", ConnectionTarget.run), ("configuration", ConfigurationTarget.run),
  ("client", ClientTarget.run), ("provider", ProviderTarget.run), ("bias", BiasTarget.run),
  ("bus", BusTarget.run), ("device", DeviceTarget.run), ("number", NumberTarget.run),
]
