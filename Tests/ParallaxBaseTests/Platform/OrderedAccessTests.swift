// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Synchronization
import Testing

@Suite struct OrderedAccessTests {
  @Test(.timeLimit(.minutes(1)), arguments: 1...4)
  func threadsUseTheValueInTheOrderOfTheirNumbers(threads: Int) {
    let order = OrderedAccess<[Int]>([])
    let next = Atomic(0)
    WorkerThreads.run(jobs: threads, threads: threads) { _ in
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        // A turn may have several parts.
        order.use(turn: number, endsTurn: false) { $0.append(number) }
        let isLast = order.use(turn: number) { value in
          value.append(-number)
          return number >= 1_000
        }
        if isLast { return }
      }
    }
    let numbers = order.afterwards { $0 }
    #expect(numbers == (0..<(1_000 + threads)).flatMap { [$0, -$0] })
  }
}
