// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxClient
import Synchronization

/// What a display of 119.88 Hz draws through ParallaxClient, as a table for Tests/Motion/test_live.py.
///
///     LiveDraw SOCKET SECONDS
///
/// Lines: `frame SEQ ARRIVAL TIME X Y VX VY` for each OFFSET, `draw TIME X Y` for each picture; times in
/// nanoseconds of CLOCK_MONOTONIC.
@main
struct LiveDraw {
  static func main() async throws {
    guard CommandLine.arguments.count == 3, let seconds = Double(CommandLine.arguments[2]) else {
      print("usage: LiveDraw SOCKET SECONDS")
      exit(64)
    }
    let stream = ParallaxStream(
      ParallaxStream.Configuration(
        socketPath: CommandLine.arguments[1], watch: nil, reconnection: .never, bufferedOffsets: 64)
    )
    let lines = Mutex("")
    let reader = Task {
      for try await message in stream {
        guard case .offset(let offset) = message else { continue }
        let line =
          "frame \(offset.seq) \(MonotonicInstant.now.nanoseconds) \(offset.timeNanoseconds) "
          + "\(offset.x) \(offset.y) \(offset.vx ?? .nan) \(offset.vy ?? .nan)\n"
        lines.withLock { $0 += line }
      }
    }
    let thread = Task.detached {
      let period = 1 / (120 * 0.999)
      let start = MonotonicInstant.now.nanoseconds
      var count = 0.0
      while count * period < seconds {
        count += 1
        let due = start + Int64(count * period * 1e9)
        var request = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &request, nil) == EINTR {}
        let now = MonotonicInstant.now
        guard let offset = stream.offset(at: now) else { continue }
        lines.withLock { $0 += "draw \(now.nanoseconds) \(offset.x) \(offset.y)\n" }
      }
    }
    await thread.value
    stream.close()
    _ = await reader.result
    print(lines.withLock { $0 }, terminator: "")
  }
}
