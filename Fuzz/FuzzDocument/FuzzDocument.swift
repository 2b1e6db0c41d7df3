// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import Glibc
import ParallaxAnimation
import ParallaxDocuments

/// Random bytes as an animation document, native or Lottie. The reader accepts or refuses them with
/// one line and never crashes. An accepted document has finite poses, independent of their order.
@main
enum FuzzDocument {
  static func main() {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
        test(Array(UnsafeRawBufferPointer(start: bytes, count: size)))
        return 0
      })
  }
}

private func test(_ text: [UInt8]) {
  do throws(DocumentError) {
    let document = try DocumentReader.read(text, name: "fuzz.json", driver: "a")
    play(document.animation)
    if case .animation(let reduced) = document.reducedMotion { play(reduced) }
    document.unsupportedFeatures.forEach(checkLine)
    if let file = try DocumentReader.lottieFile(text, name: "fuzz.json") { test(file) }
  } catch {
    checkLine(error.description)
  }
}

/// Plays backward through time, then forward, with the same poses.
private func play(_ animation: Animation) {
  let timeline = Timeline(animation)
  let seconds = timeline.durationSeconds
  precondition(seconds >= 0, "lasts \(seconds) s")
  let whole = min(seconds, 100)
  let times = (-1...20).map { Double($0) / 18 * whole } + [seconds, seconds.nextDown]
  let poses = Array(times.reversed().map { timeline.pose(at: $0) }.reversed())
  for (time, pose) in zip(times, poses) {
    precondition(timeline.pose(at: time) == pose, "a different pose at \(time) s the second time")
    check(pose)
    check(timeline.velocity(at: time))
  }
  check(timeline.end(from: .rest))
  var ended = 0
  for time in times.prefix(20) {
    let now = timeline.stepsEnded(at: time)
    precondition(now >= ended, "fewer steps ended at \(time) s")
    ended = now
    if let next = timeline.nextStepEnd(after: time) { precondition(next > time) }
  }
}

private func test(_ file: LottieFile) {
  for row in file.tracks(rateHertz: 30).prefix(200) {
    let matrix = row.matrix
    for number in [
      row.frame, row.position.x, row.position.y, row.scale.x, row.scale.y, row.rotationDegrees,
      row.opacity, matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f,
    ] {
      precondition(number.isFinite, "a track that is not finite")
    }
  }
  file.unsupportedTrackFeatures.forEach(checkLine)
}

private func check(_ pose: Pose) {
  for channel in PoseChannel.allCases {
    precondition(pose[channel].isFinite, "\(channel) is \(pose[channel])")
  }
}

/// Checks a message: one printable line that is not empty.
private func checkLine(_ text: String) {
  precondition(!text.isEmpty, "no text")
  for scalar in text.unicodeScalars {
    precondition(
      scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "a control character")
  }
}
