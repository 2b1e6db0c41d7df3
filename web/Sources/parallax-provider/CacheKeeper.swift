import Glibc
import ParallaxWebCore

/// The cache, used by one fetch after the other, with the machine's clock.
actor CacheKeeper {
  private var cache: DocumentCache
  private var toldTrouble: CacheTrouble?
  private let surroundings: ProgramSurroundings

  init(_ cache: DocumentCache, _ surroundings: ProgramSurroundings) {
    self.cache = cache
    self.surroundings = surroundings
  }

  /// Seconds since 1970.
  nonisolated static var nowSeconds: Int64 { Int64(time(nil)) }

  func copy(of request: FetchRequest) -> CachedDocument? { cache.copy(of: request) }

  func apply(_ change: Fetch.CacheChange, for request: FetchRequest) {
    cache.apply(change, for: request)
    guard cache.trouble != toldTrouble else { return }
    toldTrouble = cache.trouble
    if let trouble = cache.trouble { surroundings.say(trouble.description) }
  }
}
