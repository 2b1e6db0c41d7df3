// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments

/// Random bytes as an animation document, native or Lottie. The reader accepts or refuses them with
/// one line and never crashes. An accepted document has finite poses, independent of their order.
enum DocumentTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    test(Array(bytes))
  }
}

private func test(_ text: [UInt8]) {
  do throws(DocumentError) {
    let document = try DocumentReader.read(text, name: "fuzz.json", driver: "a")
    for part in document.parts { play(part.animation) }
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
  require(seconds >= 0, "lasts \(seconds) s")
  let whole = min(seconds, 100)
  let times = (-1...20).map { Double($0) / 18 * whole } + [seconds, seconds.nextDown]
  let poses = Array(times.reversed().map { timeline.pose(at: $0) }.reversed())
  for (time, pose) in zip(times, poses) {
    require(timeline.pose(at: time) == pose, "a different pose at \(time) s the second time")
    check(pose)
    check(timeline.velocity(at: time))
  }
  check(timeline.end(from: .rest))
  var ended = 0
  for time in times.prefix(20) {
    let now = timeline.stepsEnded(at: time)
    require(now >= ended, "fewer steps ended at \(time) s")
    ended = now
    if let next = timeline.nextStepEnd(after: time) { require(next > time, "a step ends twice") }
  }
}

private func test(_ file: LottieFile) {
  for row in file.tracks(rateHertz: 30, hasNested: true).prefix(200) {
    let matrix = row.matrix
    for number in [
      row.frame, row.position.x, row.position.y, row.scale.x, row.scale.y, row.rotationDegrees,
      row.opacity, matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f,
    ] {
      require(number.isFinite, "a track that is not finite")
    }
  }
  file.unsupportedTrackFeatures.forEach(checkLine)
}

private func check(_ pose: Pose) {
  for channel in PoseChannel.allCases {
    require(pose[channel].isFinite, "\(channel) is \(pose[channel])")
  }
}
