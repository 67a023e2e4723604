import Runtime
import Testing

@testable import OwnAgent

@Suite("The cache of pages") struct PageCacheTests {
  @Test("the cache drops what was not used for longest, and takes nothing that does not fit")
  func cacheOrder() throws {
    let cache = try PageCache()
    func keep(_ key: String, _ text: String, at now: Int64) {
      key.withBytes { key in text.withBytes { cache.keep(.page, key, $0, isCut: false, at: now) } }
    }
    func find(_ key: String, at now: Int64, _ kind: PageCache.Kind = .page) -> String? {
      key.withBytes { cache.find(kind, $0, at: now) }.map { String(decoding: $0.text, as: UTF8.self) }
    }
    for index in 0..<Budget.pageCacheEntries { keep("k\(index)", "t\(index)", at: 1) }
    #expect(find("k0", at: 2) == "t0" && find("k0", at: 2, .search) == nil)
    keep("new", "x", at: 3)
    #expect(find("k1", at: 4) == nil && find("k0", at: 4) == "t0" && find("new", at: 4) == "x")
    keep("k2", "other", at: 5)
    #expect(find("k2", at: 6) == "other" && find("k3", at: 6) == "t3")
    keep(String(repeating: "k", count: Budget.fetchURLBytes + 1), "x", at: 7)
    keep("big", String(repeating: "x", count: Budget.pageTextBytes + 1), at: 7)
    #expect(find("big", at: 8) == nil && find("k3", at: 8) == "t3")
    #expect(find("k3", at: 1 + Budget.pageCacheMilliseconds) == nil)
  }
}
