import ArgumentParser
import ParallaxConfig

/// Which gyroscope is meant, for the commands that look at gyroscopes themselves.
struct DeviceOptions: ParsableArguments {
  @Option(
    help: .init(
      "The gyroscope's name, label or id, instead of the configuration's source.device.",
      valueName: "NAME"))
  var device: String?

  @Option(
    help: .init(
      "The libiio context, as in ip:192.168.1.2, instead of the configuration's source.uri.",
      valueName: "URI"))
  var uri: String?

  @Option(
    help: .init(
      "Read this configuration file alone, not the one that parallaxd would read.",
      valueName: "FILE"))
  var config: String?

  /// The configuration as the daemon would have it, with these options over it.
  ///
  /// - Parameter more: keys, texts and options of a command's own.
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
    do {
      return (try builder.build().configuration, loader)
    } catch {
      throw CommandFailure(reporting: error)
    }
  }
}
