// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxTool
import Testing

@Suite("The progress of a recording")
struct RecordingTerminalTests {
  @Test func theTextIsTheTimeTheSamplesAndTheRate() {
    var tally = RecordingTally()
    #expect(RecordingTerminal.text(of: tally, nil) == "0.0 s, 0 samples")
    for index in 0..<1_235 {
      tally.add(MotionInstant(nanoseconds: 5) + .milliseconds(10) * Int64(index))
    }
    #expect(RecordingTerminal.text(of: tally, nil) == "12.3 s, 1235 samples, 100.0 Hz")
    #expect(
      RecordingTerminal.text(of: tally, .seconds(60))
        == "12.3 of 60.0 s, 1235 samples, 100.0 Hz")
  }
}
