// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxConfig
package import ParallaxDevice
import ParallaxLoop
import ParallaxMotion

/// Makes the source of motion that a configuration selects.
final class SourceFactory {
  private let log: Log
  private let loop: EventLoop
  /// The only one for the life of the daemon: a worker that a driver blocks must not be joined by a
  /// second one.
  private var gyroscope: GyroSource?
  /// The samples of a client of the control socket.
  let feed = Feed()
  private let feedSource: GyroSource
  private let biases: BiasStore

  init(loop: EventLoop, log: Log) {
    self.loop = loop
    self.log = log
    biases = BiasStore(process: .current()) { log.warning($0) }
    feedSource = GyroSource(
      feed.environment(clock: MonotonicClock.now) { log.write($0, $1) }, biases: biases)
  }

  /// Whether a gyroscope is held, or about to be.
  var isBusy: Bool { gyroscope?.isBusy ?? false }

  func source(for configuration: Configuration) -> any MotionSource {
    switch configuration.source.kind {
    case .synthetic(let seed):
      return SyntheticSource(seed: seed)
    case .gyroscope:
      return AutoSource(
        feed(configuration), or: gyroscope(configuration), needsSamples: true)
    case .automatic:
      return .automatic(feed: feed(configuration), gyroscope: gyroscope(configuration))
    case .feed:
      return feed(configuration)
    case .trace:
      guard let path = configuration.source.trace else {
        return MissingSource(
          driver: "trace", name: nil, reason: "no trace is named; set source.trace to a file")
      }
      return TraceSource(
        path: path, settings: configuration.motion, loops: configuration.source.loops
      ) { [log] in log.warning($0) }
    case .iio, .evdev:
      return gyroscope(configuration)
    }
  }

  private func gyroscope(_ configuration: Configuration) -> GyroSource {
    let source = gyroscope ?? GyroSource(environment, biases: biases)
    gyroscope = source
    source.configure(GyroRequest(configuration), settings: configuration.motion)
    return source
  }

  private func feed(_ configuration: Configuration) -> GyroSource {
    feedSource.configure(.feed(configuration), settings: configuration.motion)
    return feedSource
  }

  private var environment: GyroEnvironment {
    GyroEnvironment(
      makeWorker: { () throws(SystemError) in
        IIOLibrary.silence()
        return try DeviceWorker(clock: { MonotonicClock.now() })
      },
      follow: { [loop, log] descriptor, handler in
        do throws(SystemError) {
          return try loop.watch(
            descriptor: descriptor, interest: .read, priority: .motion
          ) { _ in handler() }
        } catch {
          log.error("cannot watch the gyroscope: \(error)")
          return nil
        }
      },
      followDevices: { [loop, log] handler in
        do throws(SystemError) {
          return try SettledDevices(loop, handler: handler)
        } catch {
          log.warning(
            "cannot receive device events: \(error); searching for a gyroscope every 30 s instead")
          return nil
        }
      },
      clock: MonotonicClock.now, log: { [log] in log.write($0, $1) })
  }
}

extension MotionSource where Self == AutoSource {
  /// The source of `source.kind = "auto"`.
  package static func automatic(feed: GyroSource, gyroscope: GyroSource) -> AutoSource {
    AutoSource(
      feed,
      or: AutoSource(gyroscope, or: SyntheticSource(seed: SourceKind.standardSeed)),
      needsSamples: true)
  }
}

extension GyroRequest {
  /// Returns the request for a feed, of which there is one.
  package static func feed(_ configuration: Configuration) -> GyroRequest {
    GyroRequest(interface: .feed, frameRate: configuration.motion.frameRate)
  }

  /// Creates the request that a configuration makes.
  init(_ configuration: Configuration) {
    self.init(
      interface: configuration.source.kind.gyroInterface, name: configuration.source.device,
      uri: configuration.source.uri,
      frameRate: configuration.motion.frameRate, oversample: configuration.sampling.oversample,
      readsAccelerometer: true)
  }
}
