// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

extension ConfigSchema {
  static let sampling = SettingTable(
    name: "sampling",
    summary: "The rate of frames, and how samples become frames.",
    keys: [
      samplingRate,
      samplingResample,
      samplingOversample,
    ])

  private static var samplingRate: SettingKey {
    .numberOrWord(
      ("sampling", "rate"),
      SettingProperty({ $0.motion.frameRate }, { $0.motion.frameRate = $1 }),
      "Rate of frames, R.",
      unit: "Hz",
      allowed: "0.1 to 1000, or \"native\"",
      effects: [
        "Up": """
        Finer steps and less delay, but more wakeups of the daemon and every subscriber. No \
        subscriber receives more than 60 frames per second.
        """,
        "Down": """
        Coarser steps and more delay, but cheaper. A rate above that of the display gains \
        nothing.
        """,
        "\"native\"": "One frame per sample, at the gyroscope's own rate.",
      ],
      form: .number(FrameRate.range, usual: 10...120, words: ["native"]),
      number: { (value, allowed) throws(SettingError) in
        .hertz(try value.number(in: FrameRate.range, allowed: allowed))
      },
      word: { (text) throws(SettingError) in try FrameRate(parsing: text) },
      show: { rate in
        switch rate {
        case .native: .string(rate.text)
        case .hertz(let hertz): .float(hertz)
        }
      })
  }

  private static var samplingResample: SettingKey {
    .choice(
      ("sampling", "resample"),
      SettingProperty({ $0.motion.resampling }, { $0.motion.resampling = $1 }),
      "How samples become frames.",
      effects: [
        "\"auto\"": """
        One frame per sample if the source runs at about R (from R/1.02 to 1.2 R), else "mean".
        """,
        "\"mean\"": "The mean of the samples since the last frame: quiet, and no sample is lost.",
        "\"linear\"": """
        Interpolation at the frame's instant: exact in time, but noisier than the mean.
        """,
        "\"hold\"": "The newest sample: the least work and the most noise.",
      ])
  }

  private static var samplingOversample: SettingKey {
    .numberOrWord(
      ("sampling", "oversample"),
      SettingProperty({ $0.sampling.oversample }, { $0.sampling.oversample = $1 }),
      """
      Samples per frame requested from the gyroscope. It runs at its lowest rate at or above \
      R x oversample.
      """,
      unit: "samples per frame",
      allowed: "a whole number, 1 to 64, or \"auto\"",
      defaultNote: "4 if the device streams through a buffer, else 1",
      effects: [
        "Up": """
        Less noise, less lag in rate mode, and less drift in tilt mode: its error at 30 Hz is twice that at \
        120 Hz. More power.
        """,
        "Down": "Less power, but more noise and lag.",
      ],
      form: .number(1...64, words: ["auto"]),
      number: { (value, allowed) throws(SettingError) in
        try value.integer(in: Configuration.Sampling.oversampleRange, allowed: allowed)
      },
      word: { (text) throws(SettingError) in
        guard text == "auto" else {
          throw SettingError("invalid oversampling '\(text)'; use a whole number, 1 to 64, or auto")
        }
        return nil
      },
      show: { samples in samples.map { .integer(Int64($0)) } ?? .string("auto") })
  }
}
