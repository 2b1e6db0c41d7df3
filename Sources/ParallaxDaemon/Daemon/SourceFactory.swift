import ParallaxConfig
import ParallaxSystem

/// The source of motion that a configuration asks for.
struct SourceFactory {
  let log: Log

  func source(for configuration: Configuration) -> any MotionSource {
    switch configuration.source.kind {
    case .synthetic(let seed):
      return SyntheticSource(seed: seed)
    case .automatic:
      // Until gyroscopes can be read there is never one to take its place.
      return SyntheticSource(seed: SourceKind.standardSeed)
    case .trace:
      guard let path = configuration.source.trace else {
        return MissingSource(
          driver: "trace", name: nil, reason: "no trace is named; set source.trace to a file")
      }
      return TraceSource(
        path: path, settings: configuration.motion, loops: configuration.source.loops
      ) { [log] in log.warning($0) }
    case .iio:
      return MissingSource(
        driver: "iio", name: configuration.source.device,
        reason: "this release does not read gyroscopes yet; use source.kind trace or synthetic")
    }
  }
}
