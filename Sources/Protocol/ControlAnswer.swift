// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// A line that the daemon sends on the control socket.
package enum ControlAnswer: Equatable, Sendable {
  /// ACK: the request has succeeded.
  case ack(AckMessage, tag: RequestTag?)
  /// STATUS: the daemon's status.
  case status(StatusMessage, tag: RequestTag?)
  /// ERROR: the request has failed.
  case error(ErrorMessage, tag: RequestTag?)
  /// SAMPLE: one sample of a recording that RECORD started.
  case sample(SampleMessage)
  /// DEVICE: a change of the source during a recording.
  case device(DeviceMessage)
  /// GATE: whether a recording gets samples, and why not.
  case gate(GateMessage)
  /// WANTED: what the daemon needs from an agent that requested these lines.
  case wanted(WantedMessage)
  /// ANIMATION: an event of an animation that PLAY started, with the tag of that request.
  case animation(AnimationMessage, tag: RequestTag?)
}

/// ACK: `{"class":"ACK","tag":1}`, for some requests with more fields.
package struct AckMessage: Equatable, Sendable {
  /// `note`: a remark on the result, as text, such as that RECENTER has no effect in rate mode.
  package var note: String?
  /// For RECORD: the header of the recording.
  package var header: RecordingHeader?
  /// `id`: for PLAY, the id in its ANIMATION lines.
  package var id: String?
  /// For ANIMATE: the state after it.
  package var progress: AnimationProgress?
  /// `time`: for ANIMATE, the instant of that state on CLOCK_MONOTONIC; on the wire, in seconds.
  package var time: MotionInstant?

  package init(
    note: String? = nil, header: RecordingHeader? = nil, id: String? = nil,
    progress: AnimationProgress? = nil, time: MotionInstant? = nil
  ) {
    self.time = time
    self.note = note
    self.header = header
    self.id = id
    self.progress = progress
  }
}

/// The header of a recording. Its fields have the names of a recording's header lines.
package struct RecordingHeader: Equatable, Sendable {
  /// `device`: the source's name.
  package var device: String?
  /// `rate`: Hz, as granted; a number.
  package var rateHertz: Double?
  /// `mount-matrix`: `a,b,c;d,e,f;g,h,i`.
  package var mountMatrix: String
  /// `orientation`: the orientation at the start.
  package var orientation: Orientation
  /// `bias`: `off`, `auto` or `auto,A,B,C`, the estimate at the start in rad/s.
  package var bias: String

  package init(
    device: String?, rateHertz: Double?, mountMatrix: String, orientation: Orientation,
    bias: String
  ) {
    self.device = device
    self.rateHertz = rateHertz
    self.mountMatrix = mountMatrix
    self.orientation = orientation
    self.bias = bias
  }
}

/// SAMPLE: a kept sample in the sensor's frame, before bias.
package struct SampleMessage: Equatable, Sendable {
  /// `time`: its instant on CLOCK_MONOTONIC; on the wire, in seconds.
  package var time: MotionInstant
  /// `x`, `y`, `z`: rad/s, at full precision.
  package var rateRadPerSec: AngularRate

  @inlinable
  package init(time: MotionInstant, rateRadPerSec: AngularRate) {
    self.time = time
    self.rateRadPerSec = rateRadPerSec
  }

  /// Creates a sample from the fields of a line, in rad/s.
  package init(time: MotionInstant, x: Double, y: Double, z: Double) {
    self.init(time: time, rateRadPerSec: AngularRate(x: x, y: y, z: z))
  }
}

/// WANTED: `{"class":"WANTED","orientation":true}`. An agent that claims a sensor only while this is
/// true costs nothing without subscribers.
package struct WantedMessage: Equatable, Sendable {
  /// `orientation`: whether there are subscribers and the daemon cannot determine the orientation
  /// itself.
  package var orientation: Bool

  package init(orientation: Bool) {
    self.orientation = orientation
  }
}

extension OutputBuffer {
  /// Appends an answer on one line.
  package mutating func appendLine(_ answer: ControlAnswer) {
    switch answer {
    case .ack(let ack, let tag): appendLine(ack, tag: tag)
    case .status(let status, let tag): appendLine(status, tag: tag)
    case .error(let error, let tag): appendLine(error, tag: tag)
    case .sample(let sample): appendLine(sample)
    case .device(let device): appendLine(device)
    case .gate(let gate): appendLine(gate)
    case .wanted(let wanted): appendLine(wanted)
    case .animation(let animation, let tag): appendLine(animation, tag: tag)
    }
  }

  /// Appends `{"class":"ACK","tag":1}`.
  package mutating func appendLine(_ ack: AckMessage, tag: RequestTag? = nil) {
    append(class: "ACK")
    append(tag: tag)
    if let header = ack.header {
      append(field: "device", text: header.device)
      append(field: "rate", value: header.rateHertz, trimmedDecimals: 9)
      append(field: "mount-matrix", text: header.mountMatrix)
      append(field: "orientation", text: header.orientation.rawValue)
      append(field: "bias", text: header.bias)
    }
    append(field: "id", text: ack.id)
    appendFields(of: ack.progress)
    if let time = ack.time {
      append(field: "time")
      append(seconds: time)
    }
    append(field: "note", text: ack.note)
    appendLineEnd()
  }

  /// Appends `{"class":"WANTED","orientation":true}`.
  package mutating func appendLine(_ wanted: WantedMessage) {
    append(class: "WANTED")
    append(field: "orientation")
    append(jsonBool: wanted.orientation)
    appendLineEnd()
  }

  /// Appends `{"class":"SAMPLE","time":12.345678901,"x":0.01,"y":-0.02,"z":0}`.
  package mutating func appendLine(_ sample: SampleMessage) {
    append(class: "SAMPLE")
    append(",\"time\":")
    append(seconds: sample.time)
    append(",\"x\":")
    append(jsonNumber: sample.rateRadPerSec.x)
    append(",\"y\":")
    append(jsonNumber: sample.rateRadPerSec.y)
    append(",\"z\":")
    append(jsonNumber: sample.rateRadPerSec.z)
    appendLineEnd()
  }
}
