import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxAnimation

private let second: Int64 = 1_000_000_000

/// 12 px to the right in 1 s, evenly.
private let right = Animation.move(by: PixelOffset(x: 12, y: 0), duration: 1, curve: .linear)
private let springy = Animation.move(
  to: PixelOffset(x: 100, y: 0), curve: .spring(response: 0.5, damping: 0.6))

/// A stage, by reference.
private final class Theatre {
  private var stage = AnimationStage(fadeSeconds: 0.3)

  var isMoving: Bool { stage.isMoving }
  var layers: [StageLayer] { stage.layers }
  var nextEventNanoseconds: Int64? { stage.nextEventNanoseconds }

  func layer(_ name: String?) -> StageLayer? { stage.layer(name) }
  func x(_ layer: String? = nil) -> Double { stage.layer(layer)?.pose.offset.x ?? 0 }
  func advance(toNanoseconds now: Int64) { stage.advance(toNanoseconds: now) }
  func completeAll(atNanoseconds now: Int64) { stage.completeAll(atNanoseconds: now) }
  func takeReports() -> [StageReport] { stage.takeReports() }

  @discardableResult
  func start(_ id: String, _ timeline: Timeline, layer: String?, atNanoseconds now: Int64)
    -> StageRun
  {
    stage.start(id, timeline, layer: layer, atNanoseconds: now)
  }

  func complete(_ run: StageRun, atNanoseconds now: Int64) {
    stage.complete(run, atNanoseconds: now)
  }

  func cancel(_ run: StageRun, atNanoseconds now: Int64) { stage.cancel(run, atNanoseconds: now) }

  @discardableResult
  func stop(id: String?, atNanoseconds now: Int64) -> Bool {
    stage.stop(id: id, atNanoseconds: now)
  }

  /// What was told, as `nudge started`.
  func told() -> [String] {
    stage.takeReports().map { report in
      switch report.event {
      case .started: "\(report.id) started"
      case .step: "\(report.id) step"
      case .completed(let position): "\(report.id) completed \(position)"
      case .cancelled(let position): "\(report.id) cancelled \(position)"
      }
    }
  }
}

@Suite("What plays") struct AnimationStageTests {
  private let stage = Theatre()

  @Test func `a run begins, moves, ends and stays`() {
    stage.start("nudge", Timeline(right), layer: nil, atNanoseconds: 5 * second)
    #expect(stage.told() == ["nudge started"])
    stage.advance(toNanoseconds: 5 * second + second / 4)
    #expect(stage.x() == 3)
    #expect(stage.isMoving)
    #expect(stage.nextEventNanoseconds == 6 * second)
    stage.advance(toNanoseconds: 6 * second)
    #expect(stage.x() == 12)
    #expect(stage.told() == ["nudge completed end"])
    #expect(!stage.isMoving)
    stage.advance(toNanoseconds: 60 * second)
    #expect(stage.x() == 12)
    #expect(stage.told().isEmpty)
  }

  @Test func `the next one begins where the last has left the layer`() {
    for start in [0, 2] as [Int64] {
      stage.start("nudge", Timeline(right), layer: nil, atNanoseconds: start * second)
      stage.advance(toNanoseconds: (start + 1) * second)
    }
    #expect(stage.x() == 24)
    let home = Animation.move(to: .zero, duration: 1, curve: .linear)
    stage.start("home", Timeline(home), layer: nil, atNanoseconds: 4 * second)
    stage.advance(toNanoseconds: 4 * second + second / 2)
    #expect(stage.x() == 12)
    stage.advance(toNanoseconds: 5 * second)
    #expect(stage.x() == 0)
  }

  @Test func `two on one layer add, and other layers stand`() {
    stage.start("a", Timeline(right), layer: "card", atNanoseconds: 0)
    stage.start("b", Timeline(right), layer: "card", atNanoseconds: second / 2)
    stage.start("c", Timeline(.fade(to: 0, duration: 1)), layer: nil, atNanoseconds: second / 2)
    stage.advance(toNanoseconds: second)
    #expect(stage.x("card") == 18)
    #expect(stage.x() == 0)
    #expect(stage.layer("card")?.channels == .offset)
    #expect(stage.layer(nil)?.channels == .opacity)
    #expect(stage.layer("fg") == nil)
  }

  @Test func `the outermost steps are told, one a frame`() {
    let chain = Timeline(right.then(.delay(0.5)).then(right).then(.empty))
    stage.start("chain", chain, layer: nil, atNanoseconds: 0)
    #expect(stage.told() == ["chain started"])
    #expect(stage.nextEventNanoseconds == second)
    stage.advance(toNanoseconds: second)
    #expect(stage.told() == ["chain step"])
    // Two parts are over behind this one, and it is told once.
    stage.advance(toNanoseconds: 3 * second)
    #expect(stage.told() == ["chain step", "chain completed end"])
  }

  @Test func `an empty one starts and completes at once`() {
    stage.start("nothing", Timeline(.empty), layer: nil, atNanoseconds: 0)
    #expect(stage.told() == ["nothing started", "nothing completed end"])
    #expect(!stage.isMoving)
    #expect(stage.layers.isEmpty)
  }

  @Test func `one without an end has passes but no end`() {
    stage.start(
      "breathe", Timeline(right.autoreversed().repeatedForever()), layer: nil, atNanoseconds: 0)
    stage.advance(toNanoseconds: 3601 * second)
    #expect(stage.x() == 12)
    #expect(stage.told() == ["breathe started", "breathe step"])
    #expect(stage.nextEventNanoseconds == 3602 * second)
    #expect(stage.isMoving)
  }

  @Test func `cancelled, it eases back to where it began`() {
    let run = stage.start("nudge", Timeline(right), layer: nil, atNanoseconds: 0)
    stage.cancel(run, atNanoseconds: second / 2)
    #expect(stage.told() == ["nudge started", "nudge cancelled start"])
    #expect(stage.x() == 6)
    var last = 6.0
    for tick in 1...9 {
      stage.advance(toNanoseconds: second / 2 + Int64(tick) * second / 30)
      #expect(stage.x() <= last)
      last = stage.x()
    }
    #expect(last == 0)
    #expect(stage.layers.isEmpty)
    #expect(!stage.isMoving)
    // It is over: nothing more to cancel.
    stage.cancel(run, atNanoseconds: second)
    #expect(stage.told().isEmpty)
  }

  @Test func `stop takes back what finished ones left, by id or all of it`() {
    stage.start("a", Timeline(right), layer: nil, atNanoseconds: 0)
    stage.start("b", Timeline(right), layer: nil, atNanoseconds: 0)
    stage.advance(toNanoseconds: second)
    #expect(stage.x() == 24)
    #expect(stage.stop(id: "a", atNanoseconds: second))
    stage.advance(toNanoseconds: 2 * second)
    #expect(stage.x() == 12)
    #expect(!stage.stop(id: "a", atNanoseconds: 2 * second))
    stage.start("c", Timeline(right), layer: nil, atNanoseconds: 2 * second)
    _ = stage.told()
    #expect(stage.stop(id: nil, atNanoseconds: 2 * second + second / 2))
    #expect(stage.told() == ["c cancelled start"])
    stage.advance(toNanoseconds: 4 * second)
    #expect(stage.layers.isEmpty)
  }

  @Test func `gated, the picture stands while it fades and is then at the end`() {
    stage.start("nudge", Timeline(right), layer: nil, atNanoseconds: 0)
    stage.start(
      "breathe", Timeline(right.autoreversed().repeatedForever()), layer: nil, atNanoseconds: 0)
    stage.completeAll(atNanoseconds: second / 4)
    #expect(
      stage.told() == [
        "nudge started", "breathe started", "nudge completed end", "breathe completed end",
      ])
    #expect(stage.x() == 6)
    stage.advance(toNanoseconds: second / 4 + second * 3 / 10)
    #expect(stage.x() == 6)
    stage.advance(toNanoseconds: second)
    #expect(stage.x() == 12)
    #expect(!stage.isMoving)
  }

  @Test func `taken to its end at once`() {
    let run = stage.start("nudge", Timeline(right), layer: nil, atNanoseconds: 0)
    stage.complete(run, atNanoseconds: 0)
    #expect(stage.told() == ["nudge started", "nudge completed end"])
    #expect(stage.x() == 12)
  }

  @Test func `started again it goes on from where it is, to the same target`() {
    stage.start("nudge", Timeline(right), layer: nil, atNanoseconds: 0)
    stage.advance(toNanoseconds: second / 2)
    _ = stage.told()
    stage.start("nudge", Timeline(right), layer: nil, atNanoseconds: second / 2)
    #expect(stage.told() == ["nudge cancelled current", "nudge started"])
    #expect(stage.x() == 6)
    stage.advance(toNanoseconds: second)
    #expect(stage.x() == 9)
    stage.advance(toNanoseconds: 2 * second)
    #expect(stage.x() == 12)
  }

  @Test func `a spring that is started again keeps its place and its speed`() {
    var random = SeededGenerator.forTest()
    var now: Int64 = 0
    let (small, response) = (1e-5, 0.5)
    stage.start("card", Timeline(springy), layer: nil, atNanoseconds: 0)
    for turn in 0..<10_000 {
      now += Int64.random(in: 1_000_000...200_000_000, using: &random)
      stage.advance(toNanoseconds: now)
      guard stage.isMoving else { break }
      let before = stage.x()
      stage.advance(toNanoseconds: now + 10_000)
      let speedBefore = (stage.x() - before) / small
      let there = stage.x()
      let target = PixelOffset(x: Double.random(in: -100...100, using: &random), y: 0)
      let next = Animation.move(to: target, curve: .spring(response: response, damping: 0.6))
      stage.start("card", Timeline(next), layer: nil, atNanoseconds: now + 10_000)
      #expect(abs(stage.x() - there) < 1e-9)
      stage.advance(toNanoseconds: now + 20_000)
      let speedAfter = (stage.x() - there) / small
      // The acceleration is bounded by the spring's own pull: w^2 * distance + 2 z w * speed.
      let w = 2 * Double.pi / response
      let pull = w * w * (there - target.x).magnitude + 2 * 0.6 * w * speedBefore.magnitude
      #expect(abs(speedAfter - speedBefore) < 2 * small * (pull + w * w * 250) + 1e-3, "\(turn)")
      now += 20_000
    }
  }

  @Test func `many ids leave no more than 64 things behind, and nothing jumps`() {
    let nudge = Timeline(.move(by: PixelOffset(x: 1, y: 0), duration: 0))
    for number in 0..<1000 {
      stage.start("n\(number)", nudge, layer: nil, atNanoseconds: Int64(number))
    }
    #expect(stage.x() == 1000)
    stage.stop(id: "n999", atNanoseconds: 1000)
    stage.advance(toNanoseconds: second)
    #expect(stage.x() == 999)
    stage.stop(id: nil, atNanoseconds: second)
    stage.advance(toNanoseconds: 2 * second)
    #expect(stage.layers.isEmpty)
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"))
  func `a frame allocates nothing`() {
    for number in 0..<20 {
      stage.start(
        "a\(number)", Timeline(springy.with(right.repeated(1000).delayed(by: 1))),
        layer: number % 2 == 0 ? nil : "card", atNanoseconds: 0)
    }
    stage.advance(toNanoseconds: second)
    _ = stage.takeReports()
    var now = second
    let count = AllocationCount.during {
      for _ in 0..<100 {
        now += second / 60
        stage.advance(toNanoseconds: now)
      }
    }
    #expect(count == 0)
    #expect(stage.x() > 0)
  }
}
