// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWebCore

/// The cache as an actor, which logs its errors.
actor CacheKeeper {
  private var cache: DocumentCache
  private var lastLoggedError: CacheError?
  private let environment: ProgramEnvironment

  init(_ cache: DocumentCache, _ environment: ProgramEnvironment) {
    self.cache = cache
    self.environment = environment
  }

  /// The current time, in seconds since 1970.
  nonisolated static var nowSeconds: Int64 { Int64(time(nil)) }

  func copy(of request: FetchRequest) -> CachedDocument? { cache.copy(of: request) }

  func apply(_ change: Fetch.CacheChange, for request: FetchRequest) {
    cache.apply(change, for: request)
    guard cache.error != lastLoggedError else { return }
    lastLoggedError = cache.error
    if let error = cache.error { environment.log(error.description) }
  }
}
