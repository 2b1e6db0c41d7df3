// SPDX-License-Identifier: Apache-2.0

package import ParallaxProtocol

extension DeviceMessage {
  /// The same for users without privilege: the reason contains no path and no text from a file, a device
  /// or the system.
  package var withoutDetails: DeviceMessage {
    var message = self
    message.reason = reason == nil ? nil : publicReason
    return message
  }

  private var publicReason: String? {
    switch state {
    case .streaming: "the gyroscope is not read through its buffer; 'parallax doctor' shows why"
    case .busy: "another program uses the gyroscope; 'parallax doctor' shows which"
    case .denied: "the daemon may not read the gyroscope; 'parallax doctor' shows the fix"
    case .lost:
      driver == "feed"
        ? "the program that sends samples has stopped sending them"
        : "the gyroscope was unplugged, or it gives no samples"
    case .none:
      switch driver {
      case "trace": "the trace cannot be played; the daemon's log has the reason"
      case "feed": "no program sends samples"
      default: "no gyroscope can be used; 'parallax doctor' shows what to check"
      }
    case .idle, .ended: nil
    }
  }
}
