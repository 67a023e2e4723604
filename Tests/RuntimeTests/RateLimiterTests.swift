import Runtime
import Testing

@Suite("A rate limiter")
struct RateLimiterTests {
  @Test("what is saved up in silence is bounded, and what was spent comes back with time")
  func savings() {
    var limiter = RateLimiter(perSecond: 1000, burst: 100)
    #expect(limiter.available(at: 5) == 100)
    limiter.spend(100)
    #expect(limiter.available(at: 5) == 0 && limiter.wait(for: 50) == 50)
    #expect(limiter.available(at: 55) == 50 && limiter.wait(for: 50) == 0)
    #expect(limiter.available(at: 60_000_000) == 100)
  }

  @Test("what passed too early is waited for, also by a clock that goes back")
  func debts() {
    var limiter = RateLimiter(perSecond: 1000, burst: 1000)
    limiter.spend(1000)
    #expect(limiter.available(at: 0) == 0 && limiter.wait(for: 0) == 0)
    limiter.spend(501)
    #expect(limiter.available(at: 50) == 0 && limiter.wait(for: 0) == 451)
    #expect(limiter.available(at: 10) == 0 && limiter.wait(for: 0) == 451)
    #expect(limiter.available(at: 100_000) == 1000 && limiter.wait(for: 0) == 0)
  }

  @Test("more than a burst is waited for as a burst is")
  func large() {
    var limiter = RateLimiter(perSecond: 10, burst: 100)
    limiter.spend(100)
    #expect(limiter.wait(for: 1_000_000) == 10_000)
  }
}
