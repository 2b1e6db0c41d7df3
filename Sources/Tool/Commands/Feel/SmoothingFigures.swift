// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import Synchronization

/// Several smoothings on one recording, for `feel --compare` and `replay --compare`.
enum SmoothingFigures {
  /// Parses the values of `--compare`.
  static func smoothings(parsing texts: [String]) throws(CommandFailure) -> [Smoothing] {
    var smoothings: [Smoothing] = []
    for text in texts {
      do throws(SettingError) {
        smoothings.append(try Smoothing(parsing: text))
      } catch {
        throw CommandFailure(.usage, "--compare: \(error.message)")
      }
    }
    return smoothings
  }

  /// Measures each smoothing, on all processors.
  ///
  /// - Parameter stops: Measures overshoot and settling time; nil leaves them out.
  static func measure(
    _ smoothings: [Smoothing], _ bench: FeelBench, stops: StopBench?
  ) -> [FeelFigures] {
    let results = Mutex([FeelFigures](repeating: FeelFigures(), count: smoothings.count))
    WorkerThreads.run(jobs: smoothings.count) { index in
      var figures = bench.figures(smoothing: smoothings[index])
      stops?.add(to: &figures, smoothing: smoothings[index])
      results.withLock { [figures] in $0[index] = figures }
    }
    return results.withLock { $0 }
  }
}
