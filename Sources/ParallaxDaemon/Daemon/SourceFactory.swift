import ParallaxConfig
import ParallaxDevice
import ParallaxMotion
import ParallaxSystem

/// The source of motion that a configuration asks for.
final class SourceFactory {
  private let log: Log
  private let loop: EventLoop
  private var link: GyroLink?
  /// Called when a gyroscope's descriptor had something.
  var sourceIsReady: (Int64) -> Void = { _ in }

  init(loop: EventLoop, log: Log) {
    self.loop = loop
    self.log = log
  }

  /// Whether a gyroscope is still held, or about to be.
  var isBusy: Bool { link?.isBusy ?? false }

  func source(for configuration: Configuration) -> any MotionSource {
    switch configuration.source.kind {
    case .synthetic(let seed):
      return SyntheticSource(seed: seed)
    case .automatic:
      return AutoSource(
        gyro: gyroscope(configuration), synthetic: SyntheticSource(seed: SourceKind.standardSeed))
    case .trace:
      guard let path = configuration.source.trace else {
        return MissingSource(
          driver: "trace", name: nil, reason: "no trace is named; set source.trace to a file")
      }
      return TraceSource(
        path: path, settings: configuration.motion, loops: configuration.source.loops
      ) { [log] in log.warning($0) }
    case .iio:
      return gyroscope(configuration)
    }
  }

  private func gyroscope(_ configuration: Configuration) -> any MotionSource {
    IIOSource(
      theLink(),
      GyroWish(
        name: configuration.source.device, uri: configuration.source.uri,
        frameRate: configuration.motion.frameRate,
        oversample: configuration.sampling.oversample, mode: configuration.motion.mode,
        readsAccelerometer: true),
      settings: configuration.motion, clock: MonotonicClock.now)
  }

  /// One for all sources there ever are: what a driver keeps waiting is not asked twice at a time.
  private func theLink() -> GyroLink {
    if let link { return link }
    let link = GyroLink(
      surroundings, biases: BiasStore(process: .current()) { [log] in log.warning($0) })
    link.happened = { [weak self] in self?.sourceIsReady($0) }
    self.link = link
    return link
  }

  private var surroundings: GyroSurroundings {
    GyroSurroundings(
      makeWorker: { () throws(IIOError) in
        IIOLibrary.silence()
        return try DeviceWorker(clock: { MonotonicClock.now() })
      },
      follow: { [loop, log] descriptor, handler in
        do throws(SystemError) {
          return try loop.watch(descriptor: descriptor, interest: .read) { _ in handler() }
        } catch {
          log.error("the gyroscope cannot be followed: \(error)")
          return nil
        }
      },
      followDevices: { [loop, log] handler in
        do throws(SystemError) {
          return try SettledDevices(loop, handler: handler)
        } catch {
          log.warning("no news of devices: \(error); a gyroscope is looked for every 30 s")
          return nil
        }
      },
      clock: MonotonicClock.now, log: { [log] in log.write($0, $1) })
  }
}
