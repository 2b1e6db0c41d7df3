// SPDX-License-Identifier: Apache-2.0

import CTerminal
import ParallaxBase

/// Signals of this thread as a descriptor: they arrive where the program waits for its other events.
struct SignalReader: ~Copyable {
  private let source: FileDescriptor

  /// Blocks the signals from now on. Programs that this one starts inherit that.
  init(_ signals: [Int32]) throws(SystemError) {
    let raw = parallax_signal_descriptor(signals, Int32(signals.count))
    guard raw >= 0 else { throw .last("signalfd") }
    source = FileDescriptor(owning: raw)
  }

  /// For poll().
  var descriptor: Int32 { source.raw }

  /// Returns the next signal that has arrived.
  borrowing func next() -> Int32? {
    let number = parallax_next_signal(source.raw)
    return number == 0 ? nil : number
  }
}
