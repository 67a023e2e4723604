import Testing

@testable import talon

@Suite("talon beacon")
struct BeaconTests {
  @Test("says what becomes of the beacon", arguments: [(0, "now"), (1, "in 1 s"), (59_001, "in 60 s")])
  func sentence(milliseconds: Int64, words: String) {
    #expect(ConsoleCommands.beaconSentence(leavesIn: milliseconds).hasPrefix("The gateway is told \(words) that"))
  }
}
