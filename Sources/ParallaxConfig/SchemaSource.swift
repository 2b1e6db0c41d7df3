import ParallaxMotion

extension ConfigSchema {
  static let source = SettingTable(
    name: "source",
    summary: "Where motion comes from.",
    keys: [
      sourceKind,
      sourceDevice,
      sourceUri,
      sourceTrace,
      sourceLoop,
    ])

  private static var sourceKind: SettingKey {
    .parsed(
      ("source", "kind"), SettingProperty({ $0.source.kind }, { $0.source.kind = $1 }),
      "The kind of source.",
      allowed: "\"iio\", \"trace\", \"synthetic\", \"synthetic:SEED\" or \"auto\"",
      effects: [
        "\"iio\"": "A gyroscope of the Linux kernel. Without one the daemon waits for it.",
        "\"trace\"": """
        A recording: the file under the key trace, from its beginning whenever \
        somebody subscribes.
        """,
        "\"synthetic\"": """
        An endless, smooth, hand-like motion; the same every time. \
        "synthetic:7" is another one.
        """,
        "\"auto\"": "The first gyroscope; synthetic motion until one appears.",
      ],
      parse: SourceKind.init(parsing:), show: { $0.text })
  }

  private static var sourceDevice: SettingKey {
    .optional(
      ("source", "device"), SettingProperty({ $0.source.device }, { $0.source.device = $1 }),
      absent: "",
      "The gyroscope to use where there are several.",
      allowed: "a name or an id as `parallax devices` lists them, as in \"gyro_3d\", or \"\"",
      defaultNote: "the best one found",
      effects: [
        "A name": "Only that gyroscope is used, and the daemon waits until it is there."
      ],
      parse: SettingGrammar.plainText, show: { $0 })
  }

  private static var sourceUri: SettingKey {
    .optional(
      ("source", "uri"), SettingProperty({ $0.source.uri }, { $0.source.uri = $1 }), absent: "",
      "The libiio context to look for gyroscopes in.",
      allowed: "a libiio URI, as in \"local:\", \"xml:FILE\" or \"ip:HOST\", or \"\"",
      defaultNote: "this machine's own, \"local:\"",
      effects: [
        "\"xml:FILE\"": "A context that was written down, for trying things out.",
        "\"ip:HOST\"":
          """
        Another machine's sensors, by iiod; "usb:" and "serial:" a board's. For \
        `parallax run` by hand: the installed service may not use the network.
        """,
      ],
      parse: SettingGrammar.uri, show: { $0 })
  }

  private static var sourceTrace: SettingKey {
    .optional(
      ("source", "trace"), SettingProperty({ $0.source.trace }, { $0.source.trace = $1 }),
      absent: "",
      "The recording that kind = \"trace\" plays, in any format that `parallax replay` reads.",
      allowed: "a file's path, as in \"/var/lib/parallax/walk.csv\", or \"\"",
      defaultNote: "none; kind = \"trace\" needs one",
      effects: [
        "A path": "A relative one starts at the folder in which the daemon was started."
      ],
      parse: SettingGrammar.path, show: { $0 })
  }

  private static var sourceLoop: SettingKey {
    .boolean(
      ("source", "loop"), SettingProperty({ $0.source.loops }, { $0.source.loops = $1 }),
      "What happens at a trace's end.",
      effects: [
        "true": "It begins anew; the time of the frames goes on.",
        "false": "The stream ends there, and subscribers are told: DEVICE, \"ended\".",
      ])
  }

  static let sampling = SettingTable(
    name: "sampling",
    summary: "How often the picture gets a new place, and how samples become frames.",
    keys: [
      samplingRate,
      samplingResample,
      samplingOversample,
    ])

  private static var samplingRate: SettingKey {
    .numberOrWord(
      ("sampling", "rate"),
      "Frames a second, R.",
      unit: "Hz",
      allowed: "0.1 to 1000, or \"native\"",
      effects: [
        "Up": """
        Finer steps and less delay; more wakeups for the daemon and every subscriber. No \
        subscriber gets more than 60 a second.
        """,
        "Down": """
        Coarser and later, and cheaper. A display that redraws slowly gains nothing \
        from more than it can show.
        """,
        "\"native\"": "A frame for every sample, at the gyroscope's own rate.",
      ],
      number: { (value, allowed, configuration) throws(SettingError) in
        configuration.motion.frameRate = .hertz(
          try value.number(in: FrameRate.range, allowed: allowed))
      },
      word: { (text, configuration) throws(SettingError) in
        configuration.motion.frameRate = try FrameRate(parsing: text)
      },
      show: { configuration in
        switch configuration.motion.frameRate {
        case .native: TomlText.quoted("native")
        case .hertz(let hertz): TomlText.number(hertz)
        }
      })
  }

  private static var samplingResample: SettingKey {
    .choice(
      ("sampling", "resample"),
      SettingProperty({ $0.motion.resampling }, { $0.motion.resampling = $1 }),
      "How the samples of 1/R become one frame.",
      effects: [
        "\"auto\"": """
        One frame a sample where the source runs at about R (from R/1.02 to \
        1.2 R), else "mean".
        """,
        "\"mean\"": "Their mean: quiet, and nothing is lost between frames.",
        "\"linear\"": """
        Interpolated at the frame's instant: exact in time, noisier than the \
        mean.
        """,
        "\"hold\"": "The newest one: the least work and the most noise.",
      ])
  }

  private static var samplingOversample: SettingKey {
    .numberOrWord(
      ("sampling", "oversample"),
      """
      Samples asked of the gyroscope for each frame: it is set to the lowest rate that it has \
      at or above R x oversample.
      """,
      unit: "samples a frame",
      allowed: "a whole number, 1 to 64, or \"auto\"",
      defaultNote: "4 in tilt mode where the device streams through a buffer, else 1",
      effects: [
        "Up": """
        Less noise, and in tilt mode less drift: at 30 Hz its error is twice that of 120 \
        Hz. More power.
        """,
        "Down": "Cheaper, noisier.",
      ],
      number: { (value, allowed, configuration) throws(SettingError) in
        configuration.sampling.oversample = try value.integer(
          in: Configuration.Sampling.oversampleRange, allowed: allowed)
      },
      word: { (text, configuration) throws(SettingError) in
        guard text == "auto" else {
          throw SettingError("'\(text)' is no oversampling; use a whole number, 1 to 64, or auto")
        }
        configuration.sampling.oversample = nil
      },
      show: { $0.sampling.oversample.map { "\($0)" } ?? TomlText.quoted("auto") })
  }
}
