import Foundation
import Runtime
import Simulated
import Testing

@testable import Gateway

/// That the gateway lets commands through is kept with its record.
@Suite("What the gateway let through before")
struct InvokedTests {
  private func stored(_ bench: Bench) throws -> GatewayRecord {
    let record = GatewayRecord(url: try GatewayURL("wss://gateway.test:18789"), cryptography: bench.cryptography)
    _ = try record.load(from: bench.store)
    return record
  }

  private func refuse(_ bench: Bench, _ reason: String) throws {
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    _ = try bench.reachConnect()
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":false,"error":{"code":"NOT_PAIRED","message":"m","details":{"code":"PAIRING_REQUIRED","reason":"\#(reason)"}}}"#
    )
    bench.transport.fail(.init(.closedByPeer))
    bench.runner.runAll()
  }

  @Test("the first command is remembered with one write, those after it with none")
  func remembered() throws {
    let bench = try Bench()
    try bench.reachOnline()
    #expect(!bench.session.wasInvoked)
    let saves = bench.store.saves
    for _ in 0..<3 {
      bench.session.noteInvoked()
      bench.runner.runAll()
    }
    #expect(bench.session.wasInvoked && bench.store.saves == saves + 1)
    let kept = try stored(bench)
    #expect(kept.wasInvoked && kept.pin == Bench.leaf && !kept.token(.node).isEmpty)
  }

  @Test("a gateway that has forgotten the board needs its approvals anew; another reason to ask again changes nothing")
  func forgotten() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.session.noteInvoked()
    bench.runner.runAll()
    try refuse(bench, "metadata-upgrade")
    #expect(try bench.session.wasInvoked && stored(bench).wasInvoked)
    try refuse(bench, "not-paired")
    #expect(try !bench.session.wasInvoked && !stored(bench).wasInvoked)
  }

  @Test(
    "a record from before, and nonsense in it, count as never",
    arguments: ["", #","invoked":7"#, #","invoked":"true""#])
  func older(member: String) throws {
    let bench = try Bench()
    bench.record.wasInvoked = true
    let isRead = bench.record.decode(#"{"gateway":"g","tokens":{}\#(member)}"#.utf8.span)
    #expect(isRead && !bench.record.wasInvoked)
  }
}
