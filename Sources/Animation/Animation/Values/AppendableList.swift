// SPDX-License-Identifier: Apache-2.0

/// A list that is built up by appending. That makes a new list in O(log n) and leaves the old one as it is, so that a
/// loop of `then` is not quadratic.
package struct AppendableList<Element: Sendable>: Sendable, RandomAccessCollection {
  /// From the first elements to the last, each chunk at least as long as the next.
  private var chunks: [[Element]] = []

  init(_ elements: [Element]) {
    if !elements.isEmpty { chunks = [elements] }
  }

  func appending(_ elements: [Element]) -> AppendableList {
    guard !elements.isEmpty else { return self }
    var list = self
    var chunk = elements
    // As in a binary counter: an element is copied once for each doubling of its chunk.
    while let last = list.chunks.last, last.count <= chunk.count {
      list.chunks.removeLast()
      chunk = last + chunk
    }
    list.chunks.append(chunk)
    return list
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { chunks.reduce(0) { $0 + $1.count } }

  package subscript(position: Int) -> Element {
    var position = position
    for chunk in chunks {
      if position < chunk.count { return chunk[position] }
      position -= chunk.count
    }
    preconditionFailure("index out of range")
  }

  package func makeIterator() -> FlattenSequence<[[Element]]>.Iterator {
    chunks.joined().makeIterator()
  }
}

extension AppendableList: Equatable where Element: Equatable {
  package static func == (left: AppendableList, right: AppendableList) -> Bool {
    left.elementsEqual(right)
  }
}
