// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

extension ConfigSchema {
  static let motion = SettingTable(
    name: "motion",
    summary: """
      The motion of the picture in pixels. x grows to the right, y downward; a positive offset \
      means that the screen points to the right of the viewer, or below. `parallax replay` \
      applies these settings to a recording, with options of the same names.
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
      "Motion that the picture follows.",
      effects: [
        "\"rate\"": "The rate of turning: the picture springs back when the hand stops.",
        "\"tilt\"": """
        The angle turned, which is forgotten slowly (recenter): the picture stays off center \
        while the device is held at an angle.
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
      Time constant of the return to the center in tilt mode. After this time 37 % of a tilt \
      remains.
      """,
      effects: [
        "Up": "The picture stays off center longer. The gyroscope's drift shows more.",
        "Down": "The picture returns sooner. Slow tilts show less.",
      ])
  }

  private static var motionBias: SettingKey {
    .optional(
      ("motion", "bias"),
      SettingProperty({ $0.motion.estimatesBias }, { $0.motion.estimatesBias = $1 }),
      absent: "auto",
      """
      Whether the gyroscope's bias is estimated and subtracted. The bias is its reading at rest. It \
      is estimated in rests and, less exactly, in pauses of a held device.
      """,
      allowed: "\"auto\", \"on\" or \"off\"",
      defaultNote: "on for gyroscopes, off for traces and synthetic motion",
      effects: [
        "\"on\"": "Always, for traces too.",
        "\"off\"": "Never. A bias moves the picture off center.",
      ],
      form: .choice(["auto", "on", "off"]),
      parse: SettingGrammar.onOff, show: { $0 ? "on" : "off" })
  }

  private static var motionScale: SettingKey {
    .numberOrWord(
      ("motion", "scale"), SettingProperty({ $0.motion.scale }, { $0.motion.scale = $1 }),
      "Pixels per unit of motion: one number for both axes of the screen, or one for each.",
      unit: "px per rad/s in rate mode, px per rad in tilt mode (1 rad = 57.3 degrees)",
      allowed: "a number from -1000000 to 1000000, \"SX,SY\" as in \"5,-5\", or \"auto\"",
      defaultNote: "5 in rate mode, 14.3 in tilt mode (20 degrees are 5 px)",
      effects: [
        "Up": "A stronger effect, which reaches its range sooner.",
        "Down": "A weaker effect; 0 is none.",
        "Below 0": "The picture moves in the opposite direction.",
      ],
      form: .number(
        -PixelScale.limit...PixelScale.limit, usual: 0...100, words: ["auto"]),
      number: { (value, allowed) throws(SettingError) in
        let scale = try value.number(
          in: -PixelScale.limit...PixelScale.limit, allowed: allowed)
        return PixelScale(x: scale, y: scale)
      },
      word: { (text) throws(SettingError) in
        text == "auto" ? nil : try PixelScale(parsing: text)
      },
      show: { scale in
        guard let scale else { return .string("auto") }
        return scale.x == scale.y ? .float(scale.x) : .string(scale.text)
      })
  }

  private static func range(
    _ name: String, _ property: SettingProperty<PixelRange>, axis: String
  ) -> SettingKey {
    .parsed(
      ("motion", name), property,
      "Limits of motion \(axis). The picture never leaves them.",
      unit: "px",
      allowed: "\"LO:HI\" with LO <= 0 <= HI and LO < HI, as in \"-5:5\"; at most 1000000 px",
      effects: [
        "Wider": "More depth. The picture needs a hidden margin of the same width.",
        "Narrower": """
        A smaller margin is enough. "0:0" is refused; to stop an axis, set its scale to 0.
        """,
      ],
      form: .range(-PixelRange.limit...PixelRange.limit),
      parse: PixelRange.init(parsing:), show: { $0.text })
  }

  private static var motionSmoothing: SettingKey {
    .parsed(
      ("motion", "smoothing"),
      SettingProperty({ $0.motion.smoothing }, { $0.motion.smoothing = $1 }),
      "Filter for hand tremor and sensor noise.",
      unit: "s for TAU and RESPONSE, Hz for MINCUTOFF and DCUTOFF, Hz per px/s for BETA",
      allowed: TomlText.alternatives(Smoothing.forms),
      effects: [
        "\"auto\"": """
        Still at rest and close to the hand in motion: a lag of about 23 ms in rate mode and 2 ms in tilt \
        mode, at 30 Hz.
        """,
        "\"auto:calm\"": """
        The same without hand tremor and vibration from 8 Hz up, for vehicles and shaking hands: about \
        27 ms later.
        """,
        "\"none\"": "No filter: every tremor shows.",
        "\"ema:0.12\"": """
        Exponential moving average with the time constant TAU, 0.001 to 1000. Up: calmer, with \
        more delay in all motion.
        """,
        "\"one-euro:1,0.2\"": """
        1 Euro filter: calm at rest, quick in motion. MINCUTOFF (0.001 to 1000) down: calmer at \
        rest. BETA (0 to 1000000) up: less delay in fast motion. DCUTOFF: 1 if omitted.
        """,
        "\"spring:0.5,0.825\"": """
        A spring that follows the motion with RESPONSE, 0.001 to 1000. Up: softer, with more \
        delay. DAMPING (0.01 to 100; 1 if omitted) below 1 overshoots.
        """,
      ],
      form: .text(
        words: Smoothing.words, examples: Smoothing.examples.map(\.explicitText)),
      parse: Smoothing.init(parsing:), show: { $0.text })
  }

  private static var motionMountMatrix: SettingKey {
    .optional(
      ("motion", "mount-matrix"),
      SettingProperty({ $0.motion.mountMatrix }, { $0.motion.mountMatrix = $1 }), absent: "auto",
      """
      Rotation from the sensor's axes to the device's, row by row. The device's x points to the \
      right, y up and z out of the screen.
      """,
      allowed: """
        "a,b,c;d,e,f;g,h,i" or "auto"; a rotation: rows of length 1 at right angles to each \
        other (within 0.02), with a determinant above 0
        """,
      defaultNote: """
        the gyroscope's own from the kernel, a recording's from its header, else \
        1,0,0;0,1,0;0,0,1
        """,
      effects: [
        "\"0,1,0;-1,0,0;0,0,1\"": """
        A sensor that is mounted a quarter turn about z. A matrix fixes a picture that moves \
        across the motion, or the wrong way on one axis.
        """
      ],
      form: .text(words: ["auto"]),
      parse: MountMatrix.init(parsing:), show: { $0.text })
  }
}
