import Panel
import Testing

struct SignalTests {
  @Test func `Of all that holds the most urgent is said`() {
    var signals = SignalSet()
    #expect(signals.first == nil)
    signals[.connected] = true
    signals[.panic] = true
    #expect(signals.first == .panic)
    signals[.live] = true
    #expect(signals.first == .live)
    signals[.live] = false
    signals[.panic] = false
    #expect(signals.first == .connected)
  }
}
