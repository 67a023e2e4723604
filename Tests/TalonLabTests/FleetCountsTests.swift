import Testing

@testable import talon_lab

@Suite("What a gateway tells of a fleet")
struct FleetCountsTests {
  private static let prefix = "2026-11-26T10:57:52+0000 info talon-gateway: [talon_gateway] "

  private func counts(_ lines: [(String, Double)]) -> FleetCounts {
    var counts = FleetCounts()
    for (line, seconds) in lines { counts.read(Self.prefix + line, at: seconds) }
    return counts
  }

  @Test("a node counts when it is online first, whatever it does afterwards")
  func online() {
    let counts = counts([
      ("node aa online from 127.0.0.1 by device-token", 1.5), ("node aa gone", 2),
      ("node aa online from 127.0.0.1 by device-token", 3), ("operator bb online from 127.0.0.1 by token", 3),
    ])
    #expect(counts.online == ["aa": 1.5])
  }

  @Test("who was turned away counts by the reason, without the number of a request")
  func refusals() {
    let counts = counts([
      ("refused 127.0.0.1: pairing required: device is not approved yet (requestId: 1)", 0),
      ("refused 127.0.0.1: pairing required: device is not approved yet (requestId: 2)", 0),
      ("refused 127.0.0.1: too many unauthenticated sockets", 0.5),
    ])
    #expect(
      counts.refusals == [
        "pairing required: device is not approved yet": 2, "too many unauthenticated sockets": 1,
      ])
    #expect(counts.busiest == 3)
  }

  @Test("a share of the boards was back when the last of that share was")
  func times() {
    let counts = counts((0..<20).map { ("node n\($0) online from 127.0.0.1 by device-token", Double($0)) })
    #expect(counts.time(0.5, of: 20) == 9)
    #expect(counts.time(0.95, of: 20) == 18)
    #expect(counts.time(1, of: 20) == 19)
    #expect(counts.time(0.95, of: 40) == nil)
    #expect(counts.busiest == 1)
  }

  @Test("lines that are none of the log's say nothing")
  func others() {
    var counts = FleetCounts()
    for line in ["", "{\"url\":\"wss://127.0.0.1:1\"}", "] ", Self.prefix, Self.prefix + "node aa"] {
      counts.read(line, at: 0)
    }
    #expect(counts.online.isEmpty && counts.refusals.isEmpty && counts.busiest == 0)
  }
}
