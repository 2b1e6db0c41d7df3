// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

extension DeviceStateMachine {
  /// What happened. Every job has exactly one answer, however late.
  package enum Event: Equatable, Sendable {
    /// Samples are requested.
    case start
    /// Samples are no longer requested.
    case stop
    /// The worker has opened the device. `deviceID` as in `iio:device0`; `period` between its samples
    /// as granted (zero: not known); `note`: what the user should know although it streams.
    case acquired(deviceID: String, period: MotionDuration, note: String?)
    /// The worker could not open it, and holds nothing.
    case failed(DeviceError)
    /// The worker has released it.
    case released
    /// The open device gave a sample.
    case sample
    /// Reading the open device failed. EAGAIN and ETIMEDOUT, when there is nothing to read yet, are not
    /// failures.
    case readFailed(errno: Int32)
    /// The kernel removed this device.
    case deviceRemoved(id: String)
    /// A device was added or changed.
    case devicesChanged
    /// The deadline has passed.
    case time
  }

  /// A job for the worker, which is free whenever it gets one.
  package enum Job: Equatable, Sendable {
    /// Find the device and open it; the answer is `.acquired` or `.failed`.
    case acquire
    /// Release what was acquired; the answer is `.released`.
    case release
  }

  /// A change to report. There is none while samples are not requested.
  package enum News: Equatable, Sendable {
    /// Samples arrive; `note` as in `.acquired`.
    case streaming(note: String?)
    /// No samples arrive, and why.
    case error(DeviceError)
  }

  /// What to do: report the news first, then give the job.
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
