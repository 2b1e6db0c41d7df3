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
  /// DEVICE: a change of the source during a recording or a feed.
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
  package var note: String?
  /// For RECORD: the header of the recording.
  package var header: RecordingHeader?
  package var id: String?
  /// For ANIMATE: the state after it.
  package var progress: AnimationProgress?
  /// For PLAY: when it started; for ANIMATE: the instant of that state.
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
  package var device: String?
  package var rateHertz: Double?
  package var mountMatrix: String
  package var orientation: Orientation
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
  package var time: MotionInstant
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
  package var orientation: Bool

  package init(orientation: Bool) {
    self.orientation = orientation
  }
}

extension ControlAnswer: AnswerLine {
  package static let classes: [MessageClass<ControlAnswer>] = [
    MessageClass(ack), MessageClass(sample), MessageClass(wanted), MessageClass(status),
    MessageClass(device), MessageClass(gate), MessageClass(animation), MessageClass(error),
  ]
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
}

extension AckMessage: ProtocolMessage {
  package static let className = "ACK"
  package static let description =
    "The request has succeeded. The fields from `device` to `bias` are the header of a "
    + "recording, for RECORD; those from `state` to `speed` are for ANIMATE."
  package static let blank = AckMessage()

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.group(&header, if: "mount-matrix")
    try fields.optional(
      "id", &id, .text, "For PLAY and ANIMATE: the id in the ANIMATION lines.")
    try fields.group(&progress, if: "state")
    try fields.optional(
      "time", &time, .seconds,
      "For ANIMATE: the instant of that state, in seconds of CLOCK_MONOTONIC; for PLAY: that of the "
        + "start.")
    try fields.optional("note", &note, .text, "A remark on the result.")
  }
}

extension RecordingHeader: FieldGroup {
  package static let blank = RecordingHeader(
    device: nil, rateHertz: nil, mountMatrix: "", orientation: .normal, bias: "")

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.optional("device", &device, .text, "The name of the source.")
    try fields.optional(
      "rate", &rateHertz, .number(decimals: 9, rules: ["exclusiveMinimum": 0]),
      "Samples per second, in Hz, as granted.")
    try fields.required(
      "mount-matrix", &mountMatrix, .text,
      "The mount matrix, three rows of three factors: `a,b,c;d,e,f;g,h,i`.")
    try fields.required("orientation", &orientation, .word, "The orientation at the start.")
    try fields.required(
      "bias", &bias, .text,
      "`off`, `auto`, or `auto,X,Y,Z` with the estimate at the start in rad/s.")
  }
}

extension SampleMessage: ProtocolMessage {
  package static let className = "SAMPLE"
  package static let description = "A sample of a recording in the sensor's frame, before bias."
  package static let tagPresence: FieldPresence? = nil
  package static let blank = SampleMessage(time: .zero, rateRadPerSec: .zero)

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required("time", &time, .seconds, "Its time, in seconds of CLOCK_MONOTONIC.")
    try fields.rate(&rateRadPerSec)
  }
}

extension WantedMessage: ProtocolMessage {
  package static let className = "WANTED"
  package static let description = "What the daemon needs from an agent that asked for these lines."
  package static let tagPresence: FieldPresence? = nil
  package static let blank = WantedMessage(orientation: false)

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "orientation", &orientation, .flag,
      "Whether there are subscribers and the daemon cannot determine the orientation itself.")
  }
}
