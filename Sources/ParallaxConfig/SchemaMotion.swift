import ParallaxMotion

extension ConfigSchema {
  static let motion = SettingTable(
    name: "motion",
    summary: "How turning the device becomes pixels. `parallax replay` tries all of it on a "
      + "recording, with options of the same names.",
    keys: [
      .choice(
        ("motion", "mode"), \.motion.mode,
        "What the picture follows.",
        effects: [
          "\"rate\"": "How fast the device turns: the picture springs back when the hand stops.",
          "\"tilt\"": "How far it has turned, forgotten slowly (recenter): the picture stays out "
            + "while the device is held aslant.",
        ]),
      .number(
        ("motion", "recenter"), \.motion.recenterSeconds, in: MotionSettings.recenterRange,
        unit: "s",
        "Tilt mode only: the time constant with which a tilt is forgotten and the picture "
          + "returns to its middle. After this time 37 % of it are left.",
        effects: [
          "up": "The picture stays out longer; the gyroscope's drift shows more.",
          "down": "It returns sooner, and slow tilts show less.",
        ]),
      .optional(
        ("motion", "bias"), \.motion.estimatesBias, absent: "auto",
        "Whether the gyroscope's own error, what it reads while at rest, is learnt whenever the "
          + "device lies still, and taken away.",
        allowed: "\"auto\", \"on\" or \"off\"",
        defaultNote: "on for gyroscopes, off for traces and synthetic motion",
        effects: [
          "\"on\"": "Always, for traces too.",
          "\"off\"": "Never: an error at rest shows as a picture that is off its middle.",
        ],
        parse: SettingGrammar.onOff, show: { $0 ? "on" : "off" }),
      .numberOrWord(
        ("motion", "scale"),
        "How many pixels the picture moves for a given motion, on both axes or on each axis of "
          + "the screen.",
        unit: "px per rad/s in rate mode, px per rad in tilt mode (1 rad = 57.3 degrees)",
        allowed: "a number from -1000000 to 1000000, \"SX,SY\" as in \"5,-5\", or \"auto\"",
        defaultNote: "5 in rate mode, 14.3 in tilt mode, where 20 degrees then reach 5 px",
        effects: [
          "up": "A stronger effect, that reaches its range sooner.",
          "down": "A fainter one; 0 stops it.",
          "below 0": "The picture moves the other way.",
        ],
        number: { (value, allowed, configuration) throws(SettingError) in
          let scale = try value.number(
            in: -PixelScale.limit...PixelScale.limit, allowed: allowed)
          configuration.motion.scale = PixelScale(x: scale, y: scale)
        },
        word: { (text, configuration) throws(SettingError) in
          configuration.motion.scale = text == "auto" ? nil : try PixelScale(parsing: text)
        },
        show: { configuration in
          guard let scale = configuration.motion.scale else { return TomlText.quoted("auto") }
          let (x, y) = (TomlText.number(scale.x), TomlText.number(scale.y))
          return x == y ? x : TomlText.quoted("\(x),\(y)")
        }),
      range("range-x", \.motion.rangeX, axis: "to the left and to the right"),
      range("range-y", \.motion.rangeY, axis: "up and down; y grows downward"),
      .optional(
        ("motion", "smoothing"), \.motion.smoothing, absent: "auto",
        "How the shaking of hand and sensor is taken out.",
        unit: "TAU and RESPONSE s, MINCUTOFF and DCUTOFF Hz, BETA Hz per px/s, DAMPING none",
        allowed: "\"auto\", \"none\", \"ema:TAU\", \"one-euro:MINCUTOFF,BETA[,DCUTOFF]\" or "
          + "\"spring:RESPONSE[,DAMPING]\"",
        defaultNote: "one-euro with MINCUTOFF 1 and BETA 1 / the range's farther end",
        effects: [
          "\"none\"": "Nothing is: the least delay, every tremor.",
          "\"ema:0.12\"": "An exponential average with time constant TAU, 0.001 to 1000. Up: "
            + "calmer, and later in all motion.",
          "\"one-euro:1,0.2\"": "The 1 Euro filter: calm at rest, quick in motion. MINCUTOFF "
            + "(0.001 to 1000) down: calmer at rest. BETA (0 to 1000000) up: less delay in fast "
            + "motion. DCUTOFF: 1 if left out.",
          "\"spring:0.5,0.825\"": "A spring that follows with RESPONSE, 0.001 to 1000. Up: softer "
            + "and later. DAMPING (0.01 to 100; 1 if left out) below 1 swings over.",
        ],
        parse: Smoothing.init(parsing:), show: SettingGrammar.text(of:)),
      .optional(
        ("motion", "mount-matrix"), \.motion.mountMatrix, absent: "auto",
        "The rotation from the sensor's axes to the device's (x to the right, y up, z out of the "
          + "screen), row by row.",
        allowed: "\"a,b,c;d,e,f;g,h,i\" or \"auto\"; it has to be a rotation: each row of length "
          + "1, at right angles to the others (within 0.02), determinant above 0",
        defaultNote: "the gyroscope's own from the kernel, a recording's from its header, else "
          + "1,0,0;0,1,0;0,0,1",
        effects: [
          "\"0,1,0;-1,0,0;0,0,1\"": "A sensor that sits a quarter turn aslant. Take one if the "
            + "picture moves across the motion, or against it on one axis only."
        ],
        parse: MountMatrix.init(parsing:), show: SettingGrammar.text(of:)),
    ])

  static let orientation = SettingTable(
    name: "orientation",
    summary: "How the screen is turned, so that right stays right.",
    keys: [
      .optional(
        ("orientation", "source"), \.orientation.source, absent: "auto",
        "Who says how the screen is turned.",
        allowed: "\"auto\", \"normal\", \"left-up\", \"bottom-up\" or \"right-up\"",
        defaultNote: "the session's agent, iio-sensor-proxy or the accelerometer; normal where "
          + "none of them speaks",
        effects: [
          "an orientation": "The screen counts as turned so, always; `parallax set orientation` "
            + "is stronger still."
        ],
        parse: Orientation.init(parsing:), show: { $0.rawValue }),
      .choice(
        ("orientation", "panel"), \.orientation.panel,
        "How the panel itself sits in the device. Added to what \"auto\" finds.",
        effects: [
          "\"left-up\"": "A portrait panel in a device held as landscape. Take the one with which "
            + "the picture moves along the motion."
        ]),
    ])

  private static func range(
    _ name: String, _ property: SettingKey.Property<PixelRange>, axis: String
  ) -> SettingKey {
    .parsed(
      ("motion", name), property,
      "How far motion moves the picture at most, \(axis).",
      unit: "px",
      allowed: "\"LO:HI\" with LO <= 0 <= HI and LO < HI, as in \"-5:5\"; at most 1000000 px",
      effects: [
        "wider": "More depth; the picture's hidden margin has to be as wide.",
        "narrower": "A smaller margin is enough. \"0:0\" is refused: scale 0 stops an axis.",
      ],
      parse: PixelRange.init(parsing:),
      show: { "\(TomlText.number($0.low)):\(TomlText.number($0.high))" })
  }
}
