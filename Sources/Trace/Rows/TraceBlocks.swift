// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// The blocks of a trace for several threads, from its first row on.
package struct TraceBlocks: ~Copyable, Sendable {
  /// What has been read to find the nominal rate: a block, and samples of it that its rows have counted.
  struct First: ~Copyable, Sendable {
    var block: LineBlock
    var samples: SampleColumns
  }

  private let name: String
  private var blocks: LineBlocks
  private var first: First?
  /// The position in the file at which each pass begins; nil for one pass.
  private let firstRow: Int?
  private var isAtEnd = false

  init(name: String, _ blocks: consuming LineBlocks, _ first: consuming First, firstRow: Int?) {
    self.name = name
    self.blocks = consume blocks
    self.first = consume first
    self.firstRow = firstRow
  }

  /// Reads the next block. After an outcome other than `.lines`, another pass begins, or all further outcomes
  /// are `.end`.
  ///
  /// Samples come with the very first block only: they are counted, and the rest of the block comes after them.
  package mutating func read(
    into block: inout LineBlock, samples: inout SampleColumns
  ) -> LineBlocks.Outcome {
    if let start = first.take() {
      start.move(to: &block, &samples)
      return .lines
    }
    samples.count = 0
    guard !isAtEnd else { return .end }
    let outcome = blocks.read(into: &block)
    if case .lines = outcome { return outcome }
    guard case .end = outcome, let firstRow else {
      isAtEnd = true
      return outcome
    }
    return blocks.rewind(to: firstRow) ? .end : .failed(.cannotRewind(name))
  }
}

extension TraceBlocks.First {
  fileprivate consuming func move(to block: inout LineBlock, _ samples: inout SampleColumns) {
    block = self.block
    samples = self.samples
  }
}
