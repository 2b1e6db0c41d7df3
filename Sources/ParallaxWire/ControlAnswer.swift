package import ParallaxMotion

/// What the control socket says.
package enum ControlAnswer: Equatable, Sendable {
  /// ACK: it is done.
  case ack(AckMessage, tag: RequestTag?)
  /// STATUS: how the daemon is.
  case status(StatusMessage, tag: RequestTag?)
  /// ERROR: it is not done, and why.
  case error(ErrorMessage, tag: RequestTag?)
  /// SAMPLE: a line of a recording that RECORD began.
  case sample(SampleMessage)
  /// DEVICE: what became of the source while a recording runs.
  case device(DeviceMessage)
  /// WANTED: what the daemon wants of an agent that asked to hear it.
  case wanted(WantedMessage)
  /// ANIMATION: what becomes of an animation that PLAY began; the tag is that request's.
  case animation(AnimationMessage, tag: RequestTag?)
}

/// ACK: `{"class":"ACK","tag":1}`, with more where the request has more to know.
package struct AckMessage: Equatable, Sendable {
  /// `note`: what a person should know all the same, as that RECENTER does nothing in rate mode.
  package var note: String?
  /// To RECORD: what the recording's header says.
  package var header: RecordingHeader?
  /// `id`: to PLAY, what ANIMATION lines call it.
  package var id: String?

  package init(note: String? = nil, header: RecordingHeader? = nil, id: String? = nil) {
    self.note = note
    self.header = header
    self.id = id
  }
}

/// What the samples of a recording have in common. The keys are those of a recording's header lines.
package struct RecordingHeader: Equatable, Sendable {
  /// `device`: the source's name.
  package var device: String?
  /// `rate`: Hz, as granted; a number.
  package var rateHertz: Double?
  /// `mount-matrix`: `a,b,c;d,e,f;g,h,i`.
  package var mountMatrix: String
  /// `orientation`: as it is at the start.
  package var orientation: Orientation
  /// `bias`: `auto|off,A,B,C`, the state at the start, rad/s.
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

/// SAMPLE: a sample that the time rule kept, in the sensor's frame, before bias.
package struct SampleMessage: Equatable, Sendable {
  /// `time`: its instant, nanoseconds of CLOCK_MONOTONIC (on the wire in seconds).
  package var timeNanoseconds: Int64
  /// `x`, `y`, `z`: rad/s, every bit of them.
  package var rateRadPerSec: AngularRate

  @inlinable
  package init(timeNanoseconds: Int64, rateRadPerSec: AngularRate) {
    self.timeNanoseconds = timeNanoseconds
    self.rateRadPerSec = rateRadPerSec
  }

  /// x, y, z in rad/s, as they are read from a line.
  package init(timeNanoseconds: Int64, x: Double, y: Double, z: Double) {
    self.init(timeNanoseconds: timeNanoseconds, rateRadPerSec: AngularRate(x: x, y: y, z: z))
  }
}

/// WANTED: `{"class":"WANTED","orientation":true}`. An agent that claims a sensor only while this is
/// true costs nothing while nobody looks.
package struct WantedMessage: Equatable, Sendable {
  /// `orientation`: somebody looks, and the daemon cannot find out by itself.
  package var orientation: Bool

  package init(orientation: Bool) {
    self.orientation = orientation
  }
}

extension OutputBuffer {
  package mutating func appendLine(_ answer: ControlAnswer) {
    switch answer {
    case .ack(let ack, let tag): appendLine(ack, tag: tag)
    case .status(let status, let tag): appendLine(status, tag: tag)
    case .error(let error, let tag): appendLine(error, tag: tag)
    case .sample(let sample): appendLine(sample)
    case .device(let device): appendLine(device)
    case .wanted(let wanted): appendLine(wanted)
    case .animation(let animation, let tag): appendLine(animation, tag: tag)
    }
  }

  /// `{"class":"ACK","tag":1}`
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
    append(field: "note", text: ack.note)
    appendLineEnd()
  }

  /// `{"class":"WANTED","orientation":true}`
  package mutating func appendLine(_ wanted: WantedMessage) {
    append(class: "WANTED")
    append(field: "orientation")
    append(jsonBool: wanted.orientation)
    appendLineEnd()
  }

  /// `{"class":"SAMPLE","time":12.345678901,"x":0.01,"y":-0.02,"z":0}`
  package mutating func appendLine(_ sample: SampleMessage) {
    append(class: "SAMPLE")
    append(",\"time\":")
    append(secondsFromNanoseconds: sample.timeNanoseconds)
    append(",\"x\":")
    append(jsonNumber: sample.rateRadPerSec.x)
    append(",\"y\":")
    append(jsonNumber: sample.rateRadPerSec.y)
    append(",\"z\":")
    append(jsonNumber: sample.rateRadPerSec.z)
    appendLineEnd()
  }
}
