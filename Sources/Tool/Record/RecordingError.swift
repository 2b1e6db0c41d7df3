// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxClient
package import ParallaxDevice

/// Why a recording cannot start, or ended before it was complete.
package struct RecordingError: Error, Equatable, Sendable {
  package enum Cause: Equatable, Sendable {
    /// The source delivers no samples, or no more.
    case unavailable
    /// The connection to the daemon failed.
    case connection(ParallaxError)
    /// The daemon answered with ERROR.
    case refused(ErrorMessage)
    /// The gyroscope cannot be opened or read.
    case device(DeviceError)
    /// The system has no thread or descriptor left.
    case system(SystemError)
    /// The trace cannot be written.
    case output(OutputFileError)
  }

  package let cause: Cause
  /// One line for the user: what happened, what was kept, what to do.
  package let message: String

  package init(_ cause: Cause, _ message: String) {
    self.cause = cause
    self.message = message
  }

  package init(_ error: ParallaxError) {
    self.init(.connection(error), error.description)
  }

  package init(_ error: ErrorMessage) {
    self.init(.refused(error), error.message)
  }

  package init(_ error: DeviceError) {
    self.init(.device(error), error.reason)
  }

  package init(_ error: OutputFileError) {
    self.init(.output(error), error.description)
  }

  /// The same error with more to say.
  package func adding(_ text: String) -> RecordingError {
    RecordingError(cause, "\(message); \(text)")
  }
}
