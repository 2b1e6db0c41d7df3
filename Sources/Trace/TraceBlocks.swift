// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// The blocks of a trace for several threads, from where a reader has stopped.
package struct TraceBlocks: ~Copyable, Sendable {
  /// What the reader has read: a block, and samples of it that were not returned.
  struct First: ~Copyable, Sendable {
    var block: LineBlock
    var samples: SampleColumns
    /// The index of the next sample.
    var upcoming: Int
  }

  private var blocks: LineBlocks
  private var first: First?
  private var isAtEnd = false

  init(blocks: consuming LineBlocks, first: consuming First) {
    self.blocks = consume blocks
    self.first = consume first
  }

  /// Reads the next block; always `.end` after an outcome other than `.lines`.
  ///
  /// With the first one come samples: those from `upcoming` on are the next ones, and the trace's rows have
  /// counted them. The other blocks come without samples.
  package mutating func read(
    into block: inout LineBlock, samples: inout SampleColumns, upcoming: inout Int
  ) -> LineBlocks.Outcome {
    if let start = first.take() {
      start.move(to: &block, &samples, &upcoming)
      return .lines
    }
    samples.count = 0
    upcoming = 0
    guard !isAtEnd else { return .end }
    let outcome = blocks.read(into: &block)
    if case .lines = outcome {} else { isAtEnd = true }
    return outcome
  }
}

extension TraceBlocks.First {
  fileprivate consuming func move(
    to block: inout LineBlock, _ samples: inout SampleColumns, _ upcoming: inout Int
  ) {
    upcoming = self.upcoming
    block = self.block
    samples = self.samples
  }
}
