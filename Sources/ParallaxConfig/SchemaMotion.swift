import ParallaxMotion

extension ConfigSchema {
  static let motion = SettingTable(
    name: "motion",
    summary: """
      How turning the device becomes pixels. x grows to the right, y downward; a positive \
      offset means that the screen points to the right of the viewer, or below. `parallax \
      replay` tries all of this on a recording, with options of the same names.
      """,
    keys: [
      motionMode,
      motionRecenter,
      motionBias,
      motionScale,
      range(
        "range-x", SettingProperty({ $0.motion.rangeX }, { $0.motion.rangeX = $1 }),
        axis: "to the left (LO) and to the right (HI)"),
      range(
        "range-y", SettingProperty({ $0.motion.rangeY }, { $0.motion.rangeY = $1 }),
        axis: "up (LO) and down (HI)"),
      motionSmoothing,
      motionMountMatrix,
    ])

  private static var motionMode: SettingKey {
    .choice(
      ("motion", "mode"), SettingProperty({ $0.motion.mode }, { $0.motion.mode = $1 }),
      "What the picture follows.",
      effects: [
        "\"rate\"": "How fast the device turns: the picture springs back when the hand stops.",
        "\"tilt\"": """
        How far it has turned, forgotten slowly (recenter): the picture stays out \
        while the device is held aslant.
        """,
      ])
  }

  private static var motionRecenter: SettingKey {
    .number(
      ("motion", "recenter"),
      SettingProperty({ $0.motion.recenterSeconds }, { $0.motion.recenterSeconds = $1 }),
      in: MotionSettings.recenterRange,
      unit: "s",
      """
      Tilt mode only: the time constant with which a tilt is forgotten and the picture \
      returns to its middle. After this time 37 % of it are left.
      """,
      effects: [
        "Up": "The picture stays out longer; the gyroscope's drift shows more.",
        "Down": "It returns sooner, and slow tilts show less.",
      ])
  }

  private static var motionBias: SettingKey {
    .optional(
      ("motion", "bias"),
      SettingProperty({ $0.motion.estimatesBias }, { $0.motion.estimatesBias = $1 }),
      absent: "auto",
      """
      Whether the gyroscope's own error, what it reads while at rest, is learnt whenever the \
      device lies still, and taken away.
      """,
      allowed: "\"auto\", \"on\" or \"off\"",
      defaultNote: "on for gyroscopes, off for traces and synthetic motion",
      effects: [
        "\"on\"": "Always, for traces too.",
        "\"off\"": "Never: an error at rest shows as a picture that is off its middle.",
      ],
      parse: SettingGrammar.onOff, show: { $0 ? "on" : "off" })
  }

  private static var motionScale: SettingKey {
    .numberOrWord(
      ("motion", "scale"),
      """
      How many pixels the picture moves for a given motion, on both axes or on each axis of \
      the screen.
      """,
      unit: "px per rad/s in rate mode, px per rad in tilt mode (1 rad = 57.3 degrees)",
      allowed: "a number from -1000000 to 1000000, \"SX,SY\" as in \"5,-5\", or \"auto\"",
      defaultNote: "5 in rate mode, 14.3 in tilt mode, where 20 degrees then reach 5 px",
      effects: [
        "Up": "A stronger effect, that reaches its range sooner.",
        "Down": "A fainter one; 0 stops it.",
        "Below 0": "The picture moves the other way.",
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
      })
  }

  private static var motionSmoothing: SettingKey {
    .optional(
      ("motion", "smoothing"),
      SettingProperty({ $0.motion.smoothing }, { $0.motion.smoothing = $1 }), absent: "auto",
      "How the shaking of hand and sensor is taken out.",
      unit: "TAU and RESPONSE s, MINCUTOFF and DCUTOFF Hz, BETA Hz per px/s, DAMPING none",
      allowed: """
        "auto", "none", "ema:TAU", "one-euro:MINCUTOFF,BETA[,DCUTOFF]" or \
        "spring:RESPONSE[,DAMPING]"
        """,
      defaultNote: "one-euro with MINCUTOFF 1 and BETA 1 / the range's farther end",
      effects: [
        "\"none\"": "Nothing is: the least delay, every tremor.",
        "\"ema:0.12\"": """
        An exponential average with time constant TAU, 0.001 to 1000. Up: \
        calmer, and later in all motion.
        """,
        "\"one-euro:1,0.2\"": """
        The 1 Euro filter: calm at rest, quick in motion. MINCUTOFF \
        (0.001 to 1000) down: calmer at rest. BETA (0 to 1000000) up: less delay in fast \
        motion. DCUTOFF: 1 if left out.
        """,
        "\"spring:0.5,0.825\"": """
        A spring that follows with RESPONSE, 0.001 to 1000. Up: softer \
        and later. DAMPING (0.01 to 100; 1 if left out) below 1 swings over.
        """,
      ],
      parse: Smoothing.init(parsing:), show: SettingGrammar.text(of:))
  }

  private static var motionMountMatrix: SettingKey {
    .optional(
      ("motion", "mount-matrix"),
      SettingProperty({ $0.motion.mountMatrix }, { $0.motion.mountMatrix = $1 }), absent: "auto",
      """
      The rotation from the sensor's axes to the device's (x to the right, y up, z out of the \
      screen), row by row.
      """,
      allowed: """
        "a,b,c;d,e,f;g,h,i" or "auto"; it has to be a rotation: each row of length \
        1, at right angles to the others (within 0.02), determinant above 0
        """,
      defaultNote: """
        the gyroscope's own from the kernel, a recording's from its header, else \
        1,0,0;0,1,0;0,0,1
        """,
      effects: [
        "\"0,1,0;-1,0,0;0,0,1\"": """
        A sensor that is soldered in a quarter turn about z. A matrix \
        mends a picture that moves across the motion, or the wrong way on one axis.
        """
      ],
      parse: MountMatrix.init(parsing:), show: SettingGrammar.text(of:))
  }

  static let orientation = SettingTable(
    name: "orientation",
    summary: "How the screen is turned, so that right stays right.",
    keys: [
      orientationSource,
      orientationPanel,
    ])

  private static var orientationSource: SettingKey {
    .optional(
      ("orientation", "source"),
      SettingProperty({ $0.orientation.source }, { $0.orientation.source = $1 }), absent: "auto",
      "Who says how the screen is turned.",
      allowed: "\"auto\", \"normal\", \"left-up\", \"bottom-up\" or \"right-up\"",
      defaultNote: """
        the session's agent, iio-sensor-proxy or the accelerometer; normal where \
        none of them speaks
        """,
      effects: [
        "An orientation": """
        The screen counts as turned so, always; `parallax set orientation` \
        is stronger still.
        """
      ],
      parse: Orientation.init(parsing:), show: { $0.rawValue })
  }

  private static var orientationPanel: SettingKey {
    .choice(
      ("orientation", "panel"),
      SettingProperty({ $0.orientation.panel }, { $0.orientation.panel = $1 }),
      """
      How the panel is built into the device: a quarter turn or more, for one whose own upper \
      edge is not the device's. It is added to what "auto" finds.
      """,
      effects: [
        "\"left-up\"":
          """
        A portrait panel built into a landscape device, its left edge up. Where x \
        and y are mistaken for each other, take this or "right-up"; where both run \
        backwards, "bottom-up".
        """
      ])
  }

  private static func range(
    _ name: String, _ property: SettingProperty<PixelRange>, axis: String
  ) -> SettingKey {
    .parsed(
      ("motion", name), property,
      "How far motion moves the picture at most, \(axis). Whatever comes, it never leaves this.",
      unit: "px",
      allowed: "\"LO:HI\" with LO <= 0 <= HI and LO < HI, as in \"-5:5\"; at most 1000000 px",
      effects: [
        "Wider": "More depth; the picture needs a hidden margin as wide.",
        "Narrower": "A smaller margin does. \"0:0\" is refused: scale 0 stops an axis.",
      ],
      parse: PixelRange.init(parsing:),
      show: { "\(TomlText.number($0.low)):\(TomlText.number($0.high))" })
  }
}
