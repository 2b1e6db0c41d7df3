// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase
import ParallaxDevice

/// `parallax devices`: lists the gyroscopes and shows which one the daemon uses.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the gyroscopes, and show which one is used and why.",
    discussion: """
      Only reads attributes of the drivers: it needs no privileges and disturbs no other program. \
      Exit 69 if there is no gyroscope, or not the requested one.
      """)

  @Flag(help: "Print one JSON object per gyroscope, one per line.")
  var json = false

  @OptionGroup var options: DeviceOptions

  func run() throws {
    let source = try options.load().configuration.source
    IIOLibrary.silence()
    let found: [GyroDescription]
    do throws(DeviceError) {
      found = try GyroFinder.find(nil, uri: source.uri).gyroscopes
    } catch {
      throw CommandFailure(.unavailable, error.reason)
    }
    // The gyroscopes are listed even if the requested one is missing.
    let choice = Result { () throws(DeviceError) in
      try GyroChoice.choose(
        from: found, named: source.device, interface: source.kind.gyroInterface)
    }
    let chosen = try? choice.get()
    for (index, gyro) in found.enumerated() {
      let reason = chosen.flatMap { $0.index == index ? $0.reason : nil }
      if json {
        var line: [UInt8] = []
        PrintableText.append(
          json: Array(GyroJSON.line(of: gyro, chosen: reason).utf8)[...], to: &line)
        try Console.write(line + [UInt8(ascii: "\n")])
      } else {
        try Console.print(GyroText.block(of: gyro, chosen: reason), terminator: "")
      }
    }
    do {
      _ = try choice.get()
    } catch {
      throw CommandFailure(.unavailable, error.reason)
    }
  }
}
