// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxConfig

/// The choice of the gyroscope, for the commands that use gyroscopes directly.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: .init(
      "Name, label or id of the gyroscope, instead of the configuration's source.device.",
      valueName: "NAME"))
  var device: String?

  @Option(
    help: .init(
      "libiio context, as in ip:192.168.1.2, instead of the configuration's source.uri.",
      valueName: "URI"))
  var uri: String?

  @Option(
    help: .init(
      "Read only this configuration file, instead of the one that parallaxd reads.",
      valueName: "FILE"),
    completion: .path)
  var config: String?

  /// Returns the daemon's configuration, overridden by these options.
  ///
  /// - Parameter more: Keys, texts and names of further options.
  func load(
    _ more: [(key: String, text: String?, option: String)] = []
  ) throws -> (configuration: Configuration, loader: ConfigLoader) {
    let loader = ConfigLoader()
    var builder = loader.builder(file: config)
    for (key, text, option) in [
      ("source.device", device, "--device"), ("source.uri", uri, "--uri"),
    ] + more {
      if let text { builder.set(key: key, text: text, origin: .option(option)) }
    }
    return (try builder.checked().configuration, loader)
  }
}
