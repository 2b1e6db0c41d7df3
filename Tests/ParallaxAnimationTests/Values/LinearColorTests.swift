// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import Testing

@testable import ParallaxAnimation

@Suite("Linear colors") struct LinearColorTests {
  @Test func bytesOfSRGBSurviveARoundTrip() {
    for byte in UInt8.min...UInt8.max {
      let color = LinearColor(sRGB: byte, 255 - byte, byte / 2, alpha: 255)
      #expect(color.sRGB == (byte, 255 - byte, byte / 2, 255))
      // With an alpha, too: dark bytes lose nothing.
      #expect(LinearColor(sRGB: byte, 9, 200, alpha: 128).sRGB == (byte, 9, 200, 128))
    }
    #expect(LinearColor(sRGB: 90, 80, 70, alpha: 0).sRGB == (0, 0, 0, 0))
  }

  /// Half the light is 188 of 255, 18 % gray is 118: the values of IEC 61966-2-1.
  @Test(arguments: [
    (0.0, 0), (0.0031308, 10), (0.18, 118), (0.5, 188), (1, 255), (2, 255), (-1, 0),
  ])
  func lightHasItsByte(light: Double, byte: UInt8) {
    #expect(LinearColor(red: light, green: light, blue: light).sRGB == (byte, byte, byte, 255))
  }

  @Test func numbersThatAreNotFiniteHaveBytes() {
    for number in [Double.nan, .infinity, -.infinity] {
      let color = LinearColor(red: number, green: 0, blue: number, alpha: number)
      #expect(color.sRGB.green == 0)
    }
  }

  /// From black to white, the light grows evenly.
  @Test func theMiddleOfTwoColorsHasTheMeanOfTheirLight() {
    let (black, white) = (LinearColor(sRGB: 0, 0, 0), LinearColor(sRGB: 255, 255, 255))
    let timeline = Timeline(.from(black, to: white, duration: .seconds(1), curve: .linear))
    #expect(timeline.value(at: .milliseconds(500)).sRGB == (188, 188, 188, 255))
  }

  /// A color that fades in keeps its hue: that of an invisible color does not show.
  @Test func aColorFadesInWithoutAFringe() {
    let orange = LinearColor(sRGB: 255, 128, 0)
    let fade = Timeline(.to(orange, duration: .seconds(1), curve: .linear))
    let half = fade.value(at: .milliseconds(500), from: LinearColor(sRGB: 0, 0, 255, alpha: 0))
    #expect(half.sRGB == (255, 128, 0, 128))
  }
}
