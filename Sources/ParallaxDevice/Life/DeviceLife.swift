/// The life of one gyroscope: found, opened, streaming, silent, unplugged, found again.
///
/// A pure machine: it takes what happened and says what to do. Whoever runs it has a worker that
/// does one job at a time (`acquire`, `release`) and may take any time for it, tells the news to
/// the receivers, and comes back with `.time` at `deadlineNanoseconds`. Events about devices may be
/// missing altogether (no udevd runs): then everything happens by deadlines.
///
/// All times are nanoseconds of CLOCK_MONOTONIC.
package struct DeviceLife: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    /// Somebody wants samples.
    case wanted
    /// Nobody does any more.
    case unwanted
    /// The worker has opened the device. `deviceID` as in `iio:device0`; the period of its samples
    /// as granted (0: not known); `note`: what a person should know though it streams.
    case acquired(deviceID: String, periodNanoseconds: Int64, note: String?)
    /// The worker could not open it, and holds nothing.
    case failed(DeviceTrouble)
    /// The worker has let go of it.
    case released
    /// A sample came from the open device.
    case sample
    /// Reading the open device failed.
    case readFailed(errno: Int32)
    /// The kernel took this device away.
    case deviceRemoved(id: String)
    /// A device came, or one changed.
    case devicesChanged
    /// Time has passed.
    case time
  }

  /// What the worker is to do. It is free whenever it is given something.
  package enum Job: Equatable, Sendable {
    /// Find the device and open it; the answer is `.acquired` or `.failed`.
    case acquire
    /// Let go of what was acquired; the answer is `.released`.
    case release
  }

  /// What the receivers are to know.
  package enum News: Equatable, Sendable {
    case streaming(note: String?)
    case trouble(DeviceTrouble)
  }

  /// First the news is told, then the job given.
  package struct Actions: Equatable, Sendable {
    package var news: News?
    package var job: Job?

    package init(news: News? = nil, job: Job? = nil) {
      self.news = news
      self.job = job
    }

    package static let none = Actions()
  }

  package init() {}

  /// When `.time` is to be given if nothing happens before; nil: only an event goes on from here.
  package var deadlineNanoseconds: Int64? { nil }

  package mutating func take(_ event: Event, atNanoseconds now: Int64) -> Actions {
    .none
  }
}
