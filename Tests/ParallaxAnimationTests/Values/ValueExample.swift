// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import Testing

// The Swift blocks of "Any value" in docs/animators.md, word for word, so that the compiler checks them, and their
// results. This file sees the library as a program does.

@Suite("Examples of any value in docs/animators.md") struct ValueExample {
  @Test func colors() {
    let fade = ValueAnimation<LinearColor> {
      ValueAnimation.to(LinearColor(sRGB: 255, 128, 0), duration: .seconds(0.4))
      ValueAnimation.label("orange")
      ValueAnimation.delay(.seconds(0.2))
      ValueAnimation.to(.zero, duration: .seconds(0.4))
    }
    let timeline = Timeline(fade)
    let color = timeline.value(at: .seconds(0.5)).sRGB
    let orange = timeline.time(of: "orange")

    #expect(color == (255, 128, 0, 255))
    #expect(orange == .seconds(0.4))
  }

  @Test func aTypeOfYourOwn() {
    struct Camera: Animatable {
      var pan = 0.0
      var zoom = 0.0
      static let zero = Camera()
      static func + (left: Camera, right: Camera) -> Camera {
        Camera(pan: left.pan + right.pan, zoom: left.zoom + right.zoom)
      }
      func scaled(by factor: Double) -> Camera {
        Camera(pan: pan * factor, zoom: zoom * factor)
      }
    }

    let out = ValueAnimation.to(Camera(pan: 30, zoom: 2), duration: .seconds(1))
    let flight = out.then(.by(Camera(pan: -10), duration: .seconds(0.5)))
    let camera = Timeline(flight).value(at: .seconds(1.2), from: Camera(zoom: 1))

    #expect(camera.pan < 30 && camera.pan > 20 && camera.zoom == 2)
    #expect(Timeline(flight).end() == Camera(pan: 20, zoom: 2))
  }

  @Test func springs() {
    let now: MotionInstant = 0
    var log: [String] = []
    func print(_ text: String) { log.append(text) }

    let volume = SpringAnimator(.snappy(), value: 0.2, restDistance: 0.001, at: now)
    volume.animate(to: 0.8, at: now)
    volume.addCompletion(.logicallyComplete) { _ in print("there") }
    volume.advance(to: now + .seconds(0.5))

    #expect(log == ["there"] && volume.isMoving && volume.value > 0.75)
  }
}
