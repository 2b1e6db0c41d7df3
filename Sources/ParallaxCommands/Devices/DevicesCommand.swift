import ArgumentParser
import ParallaxDevice

/// `parallax devices`: the gyroscopes that are there, and which one the daemon would take.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the gyroscopes, and say which one is used and why.",
    discussion: """
      Reads what the drivers say and nothing else, so it disturbs nobody and needs no privileges. \
      Exit 69 where there is no gyroscope, or not the one that is asked for.
      """)

  @Flag(help: "Print one JSON object a gyroscope, each on a line.")
  var json = false

  @OptionGroup var options: DeviceOptions

  func run() throws {
    let source = try options.load().configuration.source
    IIOLibrary.silence()
    let found: [GyroDescription]
    do throws(DeviceTrouble) {
      found = try GyroFinder.find(uri: source.uri)
    } catch {
      throw CommandFailure(.unavailable, error.reason)
    }
    // What is there is listed even if what is asked for is not.
    let choice = Result { () throws(DeviceTrouble) in
      try GyroChoice.choose(from: found, named: source.device)
    }
    let chosen = try? choice.get()
    for (index, gyro) in found.enumerated() {
      let reason = chosen.flatMap { $0.index == index ? $0.reason : nil }
      if json {
        try Console.print(GyroJSON.line(of: gyro, chosen: reason))
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
