/// The smallest value of the last span of time, in memory that is taken once.
///
/// A queue of candidates whose values rise from the oldest to the newest: a value drops every
/// earlier one that is not smaller, for none of those can be the smallest again. Values that only
/// wait for their turn are kept at `spacing` apart; the smallest itself is always exact.
struct SlidingMinimum: Equatable, Sendable {
  private struct Entry: Equatable, Sendable {
    var time: Int64
    var value: Int64
  }

  /// ns.
  let span: Int64
  let spacing: Int64
  /// A ring; empty until the first value.
  private var entries: [Entry] = []
  private var head = 0
  private var count = 0

  init(spanNanoseconds: Int64, spacingNanoseconds: Int64) {
    span = spanNanoseconds
    spacing = spacingNanoseconds
  }

  mutating func removeAll() {
    head = 0
    count = 0
  }

  /// Takes a value in, and gives the smallest of those from `time` - span on.
  ///
  /// - Parameter time: ns, never before the last one.
  mutating func add(_ value: Int64, at time: Int64) -> Int64 {
    if entries.isEmpty {
      let most = Int(span / spacing) + 2
      entries = [Entry](repeating: Entry(time: 0, value: 0), count: most)
    }
    while count > 0, entries[head].time < time - span {
      head = index(1)
      count -= 1
    }
    while count > 0, entries[index(count - 1)].value >= value { count -= 1 }
    if count == 0 || time - entries[index(count - 1)].time >= spacing {
      if count == entries.count {
        // Not with times that rise; the oldest goes rather than anything else.
        head = index(1)
        count -= 1
      }
      entries[index(count)] = Entry(time: time, value: value)
      count += 1
    }
    return entries[head].value
  }

  private func index(_ offset: Int) -> Int {
    let index = head + offset
    return index < entries.count ? index : index - entries.count
  }
}
