/// What a property animator is to the pose that it moves.
final class AnimatorRun {
  var machine = AnimatorMachine()
  var parts: [AnimatorPart] = []
  private var completions: [(AnimationPosition) -> Void] = []
  /// The place that is about to be left; kept for a run that ends where it is.
  private var stoppedPlace = 0.0

  func addCompletion(_ completion: @escaping (AnimationPosition) -> Void) {
    completions.append(completion)
  }

  /// How far what it moves is from its end.
  func difference(atNanoseconds now: Int64) -> Pose {
    difference(at: machine.place(atNanoseconds: now))
  }

  /// The same once it has ended.
  func difference(whereEndedAt position: AnimationPosition, atNanoseconds now: Int64) -> Pose {
    switch position {
    // Beyond its ends: what happens in no time at the very end counts or does not count.
    case .start: difference(at: -.infinity)
    case .end: difference(at: .infinity)
    case .current: difference(at: stoppedPlace)
    }
  }

  func velocity(atNanoseconds now: Int64) -> Pose {
    guard case .running = machine.state else { return .zero }
    let place = machine.place(atNanoseconds: now)
    var sum = Pose.zero
    for index in parts.indices { sum = sum + parts[index].slope(at: place) }
    return sum * (machine.isReversed ? -machine.rate : machine.rate)
  }

  private func difference(at place: Double) -> Pose {
    var sum = Pose.zero
    for index in parts.indices { sum = sum + parts[index].difference(at: place) }
    return sum
  }

  /// To be called before the machine is told to end where it is.
  func keepPlace(atNanoseconds now: Int64) { stoppedPlace = machine.place(atNanoseconds: now) }

  /// It has ended: as new, and each completion is called once. They may begin it again.
  func tell(_ position: AnimationPosition) {
    let ended = completions
    completions = []
    parts = []
    machine.isEmpty = true
    for completion in ended { completion(position) }
  }
}
