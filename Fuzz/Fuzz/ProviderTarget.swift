// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon

/// Random bytes as the provider's answer. It is accepted or refused with one line, whatever the pieces
/// in which it arrives; an accepted document has the announced size.
enum ProviderTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let whole = read(bytes, pieces: bytes.count)
    for pieces in [1, 7] {
      require(read(bytes, pieces: pieces) == whole, "the result depends on the pieces")
    }
    switch whole {
    case .success(let document?):
      require(document.text.count <= ProviderAnswer.documentLimit, "over the limit")
      if let note = document.note { checkLine(note) }
    case .success(nil): break
    case .failure(let error): checkLine(error.description)
    }
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, pieces: Int
  ) -> Result<ProvidedDocument?, ProviderError> {
    var answer = ProviderAnswer(id: "a")
    var rest = bytes[...]
    do throws(ProviderError) {
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(pieces))
        if try answer.add(piece) { break }
        rest = rest.dropFirst(pieces)
      }
      return .success(answer.whole())
    } catch {
      return .failure(error)
    }
  }
}
