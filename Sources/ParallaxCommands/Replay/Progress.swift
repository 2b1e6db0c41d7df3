import Glibc
import Synchronization

/// How far a long replay is, on one line of a terminal that is overwritten and wiped at the end.
/// Nothing is shown elsewhere, nor in the first half second.
final class Progress: Sendable {
  private let totalBytes: Int
  private let isShown: Bool
  private let startNanoseconds: Int64
  private let doneBytes = Atomic(0)
  private let nextShowNanoseconds: Atomic<Int64>

  private static let firstShowNanoseconds: Int64 = 500_000_000
  private static let intervalNanoseconds: Int64 = 200_000_000

  /// - Parameter totalBytes: of all traces; 0 where it is not known.
  init(totalBytes: Int, isShown: Bool) {
    self.totalBytes = totalBytes
    self.isShown = isShown
    startNanoseconds = Self.now()
    nextShowNanoseconds = Atomic(startNanoseconds + Self.firstShowNanoseconds)
  }

  /// More bytes of traces have been worked on.
  func add(bytes: Int) {
    guard isShown else { return }
    let done = doneBytes.wrappingAdd(bytes, ordering: .relaxed).newValue
    let now = Self.now()
    let due = nextShowNanoseconds.load(ordering: .relaxed)
    // Of several threads one shows it.
    guard now >= due,
      nextShowNanoseconds.compareExchange(
        expected: due, desired: now + Self.intervalNanoseconds, ordering: .relaxed
      ).exchanged
    else { return }
    show(done: done, seconds: Double(now - startNanoseconds) * 1e-9)
  }

  /// Wipes the line.
  func finish() {
    guard isShown, Self.now() >= startNanoseconds + Self.firstShowNanoseconds else { return }
    Self.write("\r\u{1B}[K")
  }

  private func show(done: Int, seconds: Double) {
    let megabytes = done / 1_000_000
    let rate = Int(Double(done) / 1e6 / seconds)
    if totalBytes > 0 {
      let percent = min(100, done * 100 / totalBytes)
      let left = Int(seconds * Double(max(0, totalBytes - done)) / Double(max(1, done)))
      Self.write(
        "\r\u{1B}[Kreplay: \(percent) % of \(totalBytes / 1_000_000) MB, \(rate) MB/s, \(left) s left"
      )
    } else {
      Self.write("\r\u{1B}[Kreplay: \(megabytes) MB, \(rate) MB/s")
    }
  }

  private static func write(_ text: String) {
    var text = text
    _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
