// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxMotion

/// The Swift code of docs/animations.md, word for word, so that it is compiled; and by name, so
/// that the JSON next to it can be compared with it.
enum AnimationsExample {
  static var all: [String: Animation] {
    let nudge = Animation.move(
      by: PixelOffset(x: 12, y: 0), duration: .seconds(0.1), curve: .easeOut)
    let home = Animation.move(to: PixelOffset(x: 0, y: 0))

    let turn = Animation.rotate(by: 180, duration: .seconds(0.5))
    let upright = Animation.rotate(to: 0)

    let hinge = Animation.rotate(by: 30, about: PixelOffset(x: 0, y: -40))
    let closed = Animation.rotate(to: 0, about: PixelOffset(x: -60, y: 0))

    let grow = Animation.scale(by: 1.5)
    let natural = Animation.scale(to: 1)

    let squash = Animation.scale(toX: 1.2, y: 0.8, duration: .seconds(0.1))
    let widen = Animation.scale(byX: 2, y: 1)

    let dim = Animation.fade(to: 0.2, duration: .seconds(0.3))

    let pause = Animation.delay(.seconds(0.05))

    let drop = Animation.move(from: PixelOffset(x: 0, y: -20), to: PixelOffset(x: 0, y: 0))
    let level = Animation.rotate(from: -90, to: 0)
    let shrink = Animation.scale(from: 2, to: 1)
    let show = Animation.fade(from: 0, to: 1, duration: .seconds(0.3))

    let straight = Animation.fade(to: 0, curve: .linear)
    let eased = Animation.fade(to: 0, curve: .ease)
    let late = Animation.fade(to: 0, curve: .easeIn)
    let early = Animation.fade(to: 0, curve: .easeOut)
    let both = Animation.fade(to: 0, curve: .easeInOut)
    let bezier = CubicBezier(x1: 0.3, y1: -0.5, x2: 0.7, y2: 1.5)
    let own = Animation.fade(to: 0, curve: .bezier(bezier))

    let ticks = Animation.rotate(by: 360, curve: .steps(StepCurve(4)))
    let clock = Animation.rotate(by: 360, curve: .steps(StepCurve(12, .jumpNone)))
    let atOnce = Animation.rotate(by: 360, curve: .steps(StepCurve(1, .jumpStart)))
    let atLast = Animation.rotate(by: 360, curve: .steps(StepCurve(1, .jumpEnd)))

    typealias Stop = PointCurve.Stop
    let over = PointCurve(stops: [Stop(output: 0), Stop(output: 1.2, input: 0.6), Stop(output: 1)])
    let bounce = Animation.scale(to: 1.1, curve: .points(over))

    let sprung = Animation.scale(to: 1.1, curve: .spring(response: .seconds(0.3), damping: 0.6))
    let cut = Animation.scale(
      to: 1.1, duration: .seconds(0.2), curve: .spring(response: .seconds(0.3), damping: 0.6))
    let usual = Animation.scale(to: 1.1, curve: .spring(response: .seconds(0.5), damping: 0.825))
    let thrown = Animation.move(
      by: PixelOffset(x: 80, y: 0),
      curve: .spring(Spring(response: .seconds(0.5), damping: 1, initialVelocity: 3)))

    let calm = Animation.scale(to: 1.1, curve: .smooth)
    let brisk = Animation.scale(to: 1.1, curve: .snappy)
    let lively = Animation.scale(to: 1.1, curve: .bouncy)

    typealias Frame = Keyframes.Frame
    let unseen = Frame(share: 0, pose: Pose(opacity: 0), channels: .opacity)
    let turned = Frame(
      share: 0.6, pose: Pose(rotationDegrees: 8), channels: .rotation, curve: .easeOut)
    let there = Frame(
      share: 1, pose: Pose(offset: PixelOffset(x: 20, y: 0), scale: 1.2),
      channels: [.offset, .scale, .rotation, .opacity])
    let appear = Animation.keyframes(Keyframes([unseen, turned, there], duration: .seconds(0.8)))

    let row = Animation.sequence([
      .move(by: PixelOffset(x: 12, y: 0)),
      .delay(.seconds(0.05)),
      .move(by: PixelOffset(x: -12, y: 0)),
    ])
    let together = Animation.parallel([.rotate(by: 180, duration: .seconds(0.5)), .fade(to: 0.2)])
    let chain = Animation.move(by: PixelOffset(x: 12, y: 0)).then(.rotate(by: 180), .fade(to: 0.2))
    let beside = Animation.rotate(by: 180).with(.scale(by: 2), .fade(to: 0.2))
    let later = Animation.fade(to: 0.2).delayed(by: .seconds(0.5))
    let nothing = Animation.sequence([])

    let card = Animation {
      Animation.move(by: PixelOffset(x: 12, y: 0))
      Animation.together {
        Animation.rotate(by: 180)
        Animation.fade(to: 0.2)
      }
      for px in [4.0, -4] {
        Animation.move(by: PixelOffset(x: 0, y: px))
      }
    }

    let five = Animation.move(by: PixelOffset(x: 12, y: 0)).repeated(5)
    let endless = Animation.rotate(by: 360, duration: .seconds(2), curve: .linear).repeatedForever()
    let breath = Animation.scale(to: 1.03, duration: .seconds(2.4)).autoreversed()
    let back = Animation.move(by: PixelOffset(x: 12, y: 0)).reversed()
    let quick = Animation.sequence([.delay(.seconds(1)), .fade(to: 0)]).speed(2)

    let blink = Animation.fade(to: 0).autoreversed().looped(.times(3), pause: .seconds(0.5))
    let sigh = Animation.scale(to: 1.03).autoreversed().looped(pause: .seconds(2))

    let pulse = Animation.scale(to: 1.1).speed(2).reversed().autoreversed().repeated(3)
    let wave = Animation.move(by: PixelOffset(x: 0, y: 4)).autoreversed().repeatedForever()

    return [
      "nudge": nudge,
      "home": home,
      "turn": turn,
      "upright": upright,
      "hinge": hinge,
      "closed": closed,
      "grow": grow,
      "natural": natural,
      "squash": squash,
      "widen": widen,
      "dim": dim,
      "pause": pause,
      "drop": drop,
      "level": level,
      "shrink": shrink,
      "show": show,
      "straight": straight,
      "eased": eased,
      "late": late,
      "early": early,
      "both": both,
      "own": own,
      "ticks": ticks,
      "clock": clock,
      "atOnce": atOnce,
      "atLast": atLast,
      "bounce": bounce,
      "sprung": sprung,
      "cut": cut,
      "usual": usual, "thrown": thrown,
      "calm": calm,
      "brisk": brisk,
      "lively": lively,
      "appear": appear,
      "row": row,
      "together": together,
      "chain": chain,
      "beside": beside,
      "later": later,
      "nothing": nothing,
      "card": card,
      "five": five,
      "endless": endless,
      "breath": breath,
      "back": back,
      "quick": quick,
      "blink": blink,
      "sigh": sigh,
      "pulse": pulse,
      "wave": wave,
    ]
  }
}
