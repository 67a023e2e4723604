import Codec
import Runtime
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import Node
@testable import VoicePart

@Suite("Sessions of the gateway's relay")
struct RelaySessionTests {
  private final class Owner: RelaySessionDelegate {
    var told: [String] = []

    func relayOpened(_ payload: borrowing JSONView) { told.append("opened") }
    func relayRefused(_ failure: DeskFailure) { told.append("refused: \(NotingListener.text(failure.sentence.span))") }
    func relayHasRoom() { told.append("room") }
    func relayFailed(_ failure: DeskFailure) { told.append("broke") }
    func relayWasClosed() { told.append("was closed") }
    func relayCancelled() { told.append("cancelled") }
  }

  private let desk: DeskBench
  private let delegate = Owner()
  private let relay: RelaySession
  private static let tooMany =
    #"{"code":"UNAVAILABLE","message":"Too many active realtime relay sessions for this connection"}"#

  init() throws {
    desk = try DeskBench()
    try desk.connect()
    _ = try desk.requests()
    let options = RelaySession.Options(
      mode: "realtime", brain: "agent-consult", form: SoundForm(.pcm16, rate: 16_000), timeout: 10_000, roomPause: 100)
    relay = RelaySession(desk.desk, options, delegate: delegate)
  }

  private func open() throws {
    relay.open()
    desk.answer(try desk.request("talk.session.create"), #"{"sessionId":"r1"}"#)
  }

  private func send(_ count: Int) {
    withUnsafeTemporaryAllocation(of: Int16.self, capacity: count) { samples in
      samples.initialize(repeating: 1)
      relay.send(UnsafeBufferPointer(samples))
    }
  }

  private func pass(_ milliseconds: Int64) {
    desk.pass(milliseconds)
    relay.advance(to: desk.clock.monotonic)
  }

  private func methods() throws -> [String] { try desk.requests().map(\.method) }

  @Test("a gateway that still has as many as it allows is asked again each second, as long as somebody wants one")
  func tooManyAreActive() throws {
    relay.open()
    relay.asksUntil = desk.clock.monotonic + 2_500
    for _ in 0..<2 {
      desk.refuse(try desk.request("talk.session.create"), Self.tooMany)
      pass(999)
      #expect(try methods().isEmpty && delegate.told.isEmpty)
      pass(1)
    }
    desk.refuse(try desk.request("talk.session.create"), Self.tooMany)
    #expect(
      delegate.told.count == 1 && delegate.told[0].hasPrefix("refused: ")
        && delegate.told[0].contains("Too many active"))
    #expect(relay.nextDeadline == nil)
  }

  @Test("no more pieces are on their way than may be; each answer makes room")
  func piecesOnTheirWay() throws {
    try open()
    for _ in 0..<Budget.appendsInFlight { send(160) }
    #expect(!relay.hasRoom && !relay.isDrained)
    let sent = try desk.requests()
    #expect(sent.map(\.method) == [String](repeating: "talk.session.appendAudio", count: Budget.appendsInFlight))
    for request in sent { desk.answer(request, "{}") }
    #expect(relay.hasRoom && relay.isDrained)
    #expect(delegate.told == ["opened"] + [String](repeating: "room", count: Budget.appendsInFlight))
  }

  @Test("a piece for which the connection had no room is the next to be sent")
  func noRoom() throws {
    try open()
    // All of the desk's slots are taken by others.
    for tag in 0..<Budget.requests { desk.ask("status", tag: tag) }
    let others = try desk.requests().filter { $0.method == "status" }
    send(160)
    #expect(try methods().isEmpty && !relay.hasRoom)
    for request in others { desk.answer(request, "{}") }
    pass(100)
    #expect(try methods() == ["talk.session.appendAudio"])
    #expect(relay.pieces == 1)
  }

  @Test("a session that comes when nobody waits for it any more is closed, and is not mistaken for the next one")
  func comesTooLate() throws {
    relay.open()
    let first = try desk.request("talk.session.create")
    relay.leave()
    relay.open()
    let second = try desk.request("talk.session.create")
    desk.answer(first, #"{"sessionId":"r1"}"#)
    let close = try desk.request("talk.session.close")
    #expect(close.params["sessionId"] as? String == "r1" && relay.state == .creating)
    desk.answer(second, #"{"sessionId":"r2"}"#)
    #expect(delegate.told == ["opened"])
  }

  @Test("left, it is closed at the gateway, but not where that has closed it itself; late answers are nobody's")
  func leaving() throws {
    try open()
    send(160)
    let piece = try desk.request("talk.session.appendAudio")
    relay.leave()
    #expect(try methods() == ["talk.session.close"])
    desk.refuse(piece, #"{"code":"INVALID_REQUEST","message":"unknown session"}"#)
    #expect(delegate.told == ["opened"])
    try open()
    relay.leave(isGone: true)
    #expect(try methods().isEmpty)
  }

  @Test("a gateway that names no session, or wants sound that cannot be made, is refused")
  func unusable() throws {
    relay.open()
    desk.answer(try desk.request("talk.session.create"), "{}")
    relay.leave()
    relay.open()
    desk.answer(
      try desk.request("talk.session.create"),
      #"{"sessionId":"r1","audio":{"inputEncoding":"mp3","inputSampleRateHz":16000}}"#)
    #expect(
      delegate.told == [
        "refused: the gateway's response has no session",
        "refused: the gateway expects an encoding of sound that this board does not support",
      ])
  }
}
