// SPDX-License-Identifier: Apache-2.0

import ParallaxClient

// The README's Swift blocks, word for word, so that the compiler sees them: RepositoryTests compares.

func everyOffset() async throws {
  let stream = ParallaxStream()
  for try await message in stream {
    if case .offset(let offset) = message {
      print(offset.x, offset.y)
    }
  }
}

func oneFrame(of stream: ParallaxStream, draw: (Double, Double) -> Void) {
  if let offset = stream.offset(at: .now) {
    draw(offset.x, offset.y)
  }
}
