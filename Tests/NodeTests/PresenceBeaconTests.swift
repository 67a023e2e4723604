import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import Node

@Suite("Presence beacon")
struct PresenceBeaconTests {
  private let clock = VirtualClock()
  private let channel = FakeChannel()
  private let beacon: PresenceBeacon

  init() {
    beacon = PresenceBeacon(
      card: PresenceBeacon.Card(
        displayName: InlineText(cutting: "Field \"1\""), version: InlineText(cutting: "1.2"),
        model: InlineText(cutting: "Pi")),
      clock: clock, log: Log(level: .error, output: nil))
  }

  private func pass(_ milliseconds: Int64) {
    clock.advance(milliseconds)
    beacon.advance(to: clock.monotonic)
  }

  private func answer(_ rest: String) { channel.answer("node.event", #"{"ok":true\#(rest)}"#) }
  private let persisted = #","event":"node.presence.alive","handled":true,"reason":"persisted""#
  private var triggers: [String] { channel.asked.map { $0.payload["trigger"] as? String ?? "" } }

  @Test("after hello-ok the node tells who it is and that it connected")
  func connect() {
    beacon.online(channel)
    let request = channel.asked[0]
    #expect(request.event == "node.presence.alive")
    #expect(request.timeout == 8_000)
    let payload = request.payload
    #expect(payload["trigger"] as? String == "connect")
    #expect(payload["sentAtMs"] as? Int64 == clock.wall)
    #expect(payload["displayName"] as? String == "Field \"1\"")
    #expect(payload["version"] as? String == "1.2")
    #expect(payload["modelIdentifier"] as? String == "Pi")
    #expect(payload["platform"] as? String == "linux")
    #expect(payload["deviceFamily"] as? String == "Linux")
  }

  @Test("texts that are not known are left out, and the longest ones fit")
  func texts() {
    let worst = InlineText<128>(cutting: String(repeating: "\u{1}", count: 128))
    for text in [InlineText<128>(), worst] {
      let beacon = PresenceBeacon(
        card: PresenceBeacon.Card(displayName: text, version: text, model: text), clock: clock,
        log: Log(level: .error, output: nil))
      let channel = FakeChannel()
      beacon.online(channel)
      #expect(channel.asked[0].payload.count == (text.isEmpty ? 4 : 7))
    }
  }

  @Test("only handled true counts as recorded; throttled is as good as persisted")
  func recorded() {
    beacon.online(channel)
    #expect(beacon.recorded == 0)
    answer(persisted)
    #expect(beacon.recorded == 1)
    #expect(beacon.lastRecorded == clock.monotonic)
    pass(60_000)
    beacon.send(.manual)
    answer(#","handled":true,"reason":"throttled""#)
    #expect(beacon.recorded == 2)
  }

  @Test("an older gateway's bare ok counts nothing, and it hears no more over this connection")
  func older() {
    beacon.online(channel)
    answer("")
    #expect(beacon.recorded == 0)
    #expect(!beacon.isSupported)
    pass(120_000)
    beacon.send(.manual)
    #expect(triggers == ["connect"])
    #expect(beacon.nextDeadline == nil)
    beacon.offline()
    beacon.online(channel)
    #expect(triggers == ["connect", "connect"])
  }

  @Test("at most one a minute and one at a time: the last reason waits its turn")
  func spacing() {
    beacon.online(channel)
    beacon.send(.manual)
    beacon.send(.significantLocation)
    answer(persisted)
    #expect(beacon.pauseLeft == 60_000)
    pass(59_999)
    #expect(beacon.pauseLeft == 1)
    #expect(triggers == ["connect"])
    #expect(beacon.nextDeadline == clock.monotonic + 1)
    pass(1)
    #expect(triggers == ["connect", "significant_location"])
    #expect(beacon.pauseLeft == 0)
    pass(60_000)
    beacon.send(.background)
    #expect(triggers.count == 2)
    answer(persisted)
    pass(0)
    #expect(triggers == ["connect", "significant_location", "background"])
  }

  @Test("the minute counts over connections")
  func reconnect() {
    beacon.online(channel)
    beacon.offline()
    pass(10_000)
    beacon.online(channel)
    #expect(triggers == ["connect"])
    pass(50_000)
    #expect(triggers == ["connect", "connect"])
  }

  @Test("a gateway that could not write, or was too slow, hears it again a minute later")
  func retry() {
    beacon.online(channel)
    answer(#","handled":false,"reason":"persist_failed""#)
    pass(60_000)
    #expect(triggers == ["connect", "connect"])
    channel.fail("node.event", .timedOut)
    pass(60_000)
    #expect(triggers.count == 3)
    #expect(beacon.recorded == 0)
  }

  @Test("other refusals end it for now", arguments: ["unpaired", "invalid_payload", "missing_device_identity"])
  func refused(reason: String) {
    beacon.online(channel)
    answer(#","handled":false,"reason":"\#(reason)""#)
    pass(600_000)
    #expect(triggers == ["connect"])
    beacon.send(.manual)
    channel.fail("node.event", .refused, code: "pairing_changed")
    pass(600_000)
    #expect(triggers == ["connect", "manual"])
  }

  @Test("offline nothing is sent and nothing is kept; a late answer counts nothing")
  func offline() {
    beacon.send(.manual)
    beacon.online(channel)
    beacon.send(.manual)
    beacon.offline()
    answer(persisted)
    #expect(beacon.recorded == 0)
    #expect(beacon.nextDeadline == nil)
    pass(120_000)
    #expect(triggers == ["connect"])
  }

  @Test("a link without room is tried again")
  func noRoom() {
    channel.hasRoom = false
    beacon.online(channel)
    channel.hasRoom = true
    pass(1_000)
    #expect(triggers == ["connect"])
  }
}
