// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// FEED: this connection sends the samples of a gyroscope, as SAMPLE and SAMPLES, until it ends.
///
///     {"class":"FEED","name":"Pixel 8","clock":"sender","rate":60}
package struct FeedRequest: Equatable, Sendable {
  /// The clock of the samples' times.
  package enum Clock: String, CaseIterable, Equatable, Sendable {
    /// Any clock of about the right pace; the daemon maps it to CLOCK_MONOTONIC.
    case sender
    /// CLOCK_MONOTONIC of this machine.
    case monotonic
  }

  /// The name of the device, 1 to 64 bytes. A bias is stored under it.
  package var name: String
  package var clock: Clock
  /// Nominal samples per second; nil: not known.
  package var rateHertz: Double?
  /// From the sender's frame to the device's; nil: they are the same.
  package var mountMatrix: MountMatrix?
  /// Whether the gyroscope is fixed to the screen, so that its axes turn with it. Otherwise someone who faces
  /// the screen holds it.
  package var turnsWithScreen: Bool

  package init(
    name: String, clock: Clock = .sender, rateHertz: Double? = nil,
    mountMatrix: MountMatrix? = nil, turnsWithScreen: Bool = false
  ) {
    self.turnsWithScreen = turnsWithScreen
    self.name = name
    self.clock = clock
    self.rateHertz = rateHertz
    self.mountMatrix = mountMatrix
  }

  /// The longest name, in bytes of UTF-8.
  package static let maxNameBytes = 64
  /// The nominal rates, Hz. The text of a recording has three decimals.
  package static let rateHertzRange = 0.001...10_000.0
}

/// SAMPLE as a request: one sample of a feed, in the sender's frame.
package struct SampleRequest: Equatable, Sendable {
  /// On the clock that FEED has named; nil: the time of arrival.
  package var time: MotionInstant?
  package var rateRadPerSec: AngularRate

  package init(time: MotionInstant? = nil, rateRadPerSec: AngularRate) {
    self.time = time
    self.rateRadPerSec = rateRadPerSec
  }
}

/// SAMPLES: several samples of a feed, the oldest first.
package struct SamplesRequest: Equatable, Sendable {
  package var samples: [SampleMessage]

  package init(_ samples: [SampleMessage]) {
    self.samples = samples
  }
}

extension FeedRequest: ProtocolMessage {
  package static let className = "FEED"
  package static let description =
    "Makes this connection the source of motion: SAMPLE and SAMPLES follow until it ends."
  package static let blank = FeedRequest(name: "")

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "name", &name, .deviceName,
      "The name of the device, 1 to 64 bytes of printable text. Its bias is stored under this name."
    )
    try fields.optional(
      "clock", &clock, default: .sender, .word,
      "The clock of the samples' times. `sender`: any clock of about the right pace, which the "
        + "daemon maps to CLOCK_MONOTONIC. `monotonic`: CLOCK_MONOTONIC of this machine. Default "
        + "`sender`."
    )
    try fields.optional(
      "rate", &rateHertz, .feedRate, "The nominal number of samples per second, in Hz.")
    try fields.optional(
      "mount_matrix", &mountMatrix, .matrix,
      "The rotation from the sender's frame to the device's: `a,b,c;d,e,f;g,h,i`. Default: none.")
    try fields.optional(
      "turns_with_screen", &turnsWithScreen, default: false, .flag,
      "Whether the gyroscope is fixed to the screen, so that the orientation of the screen counts. "
        + "Default false: someone who faces the screen holds it.")
  }
}

extension SampleRequest: ProtocolMessage {
  package static let className = "SAMPLE"
  package static let description =
    "One sample of a feed, in the sender's frame. It is answered only if it is wrong."
  package static let blank = SampleRequest(rateRadPerSec: .zero)

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.optional(
      "time", &time, .sampleTime,
      "Its time, in seconds of the clock that FEED has named. Default: the time of arrival.")
    try fields.rate(&rateRadPerSec)
  }
}

extension SamplesRequest: ProtocolMessage {
  package static let className = "SAMPLES"
  package static let description =
    "Samples of a feed, the oldest first. They are answered only if one is wrong; then none is used."
  package static let blank = SamplesRequest([])

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "samples", &samples, .samples,
      "Each is `[time, x, y, z]`: seconds of the clock that FEED has named, then rad/s.")
  }
}

extension FieldVisitor where Self: ~Copyable {
  /// Visits the fields of an angular rate.
  mutating func rate(_ rate: inout AngularRate) throws(JSONShapeError) {
    var (x, y, z) = (rate.x, rate.y, rate.z)
    try required("x", &x, .radPerSec, "The angular rate about x, in rad/s.")
    try required("y", &y, .radPerSec, "The angular rate about y, in rad/s.")
    try required("z", &z, .radPerSec, "The angular rate about z, in rad/s.")
    rate = AngularRate(x: x, y: y, z: z)
  }
}

extension FieldFormat<String> {
  fileprivate static let deviceName = FieldFormat(
    .rules([
      "type": "string", "minLength": 1, "maxLength": .integer(Int64(FeedRequest.maxNameBytes)),
    ]),
    read: { (node, _) throws(JSONShapeError) in
      let text = try node.string()
      guard (1...FeedRequest.maxNameBytes).contains(text.utf8.count),
        !text.unicodeScalars.contains(where: PrintableText.isInvisible)
      else {
        throw node.error("expected 1 to \(FeedRequest.maxNameBytes) bytes of printable text")
      }
      return text
    },
    write: { $1.append(jsonString: $0) })
}

extension FieldFormat<Double> {
  /// rad/s.
  fileprivate static let radPerSec = number()

  fileprivate static let feedRate = FieldFormat(
    .rules([
      "type": "number", "minimum": .number(FeedRequest.rateHertzRange.lowerBound),
      "maximum": .number(FeedRequest.rateHertzRange.upperBound),
    ]),
    read: { (node, isStrict) throws(JSONShapeError) in
      let hertz = try number().read(node, isStrict)
      guard FeedRequest.rateHertzRange.contains(hertz) else {
        throw node.error("out of range; use 0.001 to 10000 Hz")
      }
      return hertz
    },
    write: { $1.append(jsonNumber: $0) })
}

extension FieldFormat<MountMatrix> {
  fileprivate static let matrix = FieldFormat(
    .rules(["type": "string"]),
    read: { (node, _) throws(JSONShapeError) in
      let text = try node.string()
      do throws(SettingError) {
        return try MountMatrix(parsing: text)
      } catch {
        throw node.error(error.message)
      }
    },
    write: { $1.append(jsonString: $0.text) })
}

extension FieldFormat<MotionInstant> {
  /// Seconds that a sample may have.
  fileprivate static let sampleTime = FieldFormat(
    seconds.schema(),
    read: { (node, isStrict) throws(JSONShapeError) in
      let time = try seconds.read(node, isStrict)
      guard time >= .zero, time.isAdmissible else {
        throw node.error(
          "out of range; use 0 to \(Int(MotionInstant.maxAdmissible.seconds)) seconds")
      }
      return time
    },
    write: seconds.write)
}

extension FieldFormat<[SampleMessage]> {
  fileprivate static let samples = FieldFormat(
    .list(
      of: .list(of: .rules(["type": "number"]), rules: ["minItems": 4, "maxItems": 4]),
      rules: ["minItems": 1]),
    read: { (node, isStrict) throws(JSONShapeError) in
      let nodes = try node.elements()
      guard !nodes.isEmpty else { throw node.error("expected at least 1 sample") }
      var samples: [SampleMessage] = []
      samples.reserveCapacity(nodes.count)
      for sample in nodes {
        let values = try sample.elements()
        guard values.count == 4 else {
          throw sample.error(
            "expected 4 numbers, the time in seconds and x, y and z in rad/s, got \(values.count)")
        }
        samples.append(
          SampleMessage(
            time: try FieldFormat<MotionInstant>.sampleTime.read(values[0], isStrict),
            x: try FieldFormat<Double>.radPerSec.read(values[1], isStrict),
            y: try FieldFormat<Double>.radPerSec.read(values[2], isStrict),
            z: try FieldFormat<Double>.radPerSec.read(values[3], isStrict)))
      }
      return samples
    },
    write: { samples, buffer in
      for (index, sample) in samples.enumerated() {
        buffer.append(index == 0 ? "[[" : ",[")
        buffer.append(seconds: sample.time)
        for value in [sample.rateRadPerSec.x, sample.rateRadPerSec.y, sample.rateRadPerSec.z] {
          buffer.append(byte: UInt8(ascii: ","))
          buffer.append(jsonNumber: value)
        }
        buffer.append(byte: UInt8(ascii: "]"))
      }
      buffer.append(byte: UInt8(ascii: "]"))
    })
}
