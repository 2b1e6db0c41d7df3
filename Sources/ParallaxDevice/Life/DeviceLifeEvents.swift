extension DeviceLife {
  /// What the machine takes. Every job has exactly one answer, however late.
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
    /// Reading the open device failed. That there is nothing to read yet (EAGAIN, ETIMEDOUT) is no
    /// failure.
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

  /// What the receivers are to know. Nothing is told while nobody wants samples.
  package enum News: Equatable, Sendable {
    /// Samples come; `note` as with `.acquired`.
    case streaming(note: String?)
    case trouble(DeviceTrouble)
  }

  /// What is to be done: first the news is told, then the job given.
  package struct Actions: Equatable, Sendable {
    package var news: News?
    package var job: Job?

    package init(news: News? = nil, job: Job? = nil) {
      self.news = news
      self.job = job
    }

    package static let none = Actions()
  }
}
