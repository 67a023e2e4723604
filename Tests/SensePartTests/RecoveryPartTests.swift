import Board
import Codec
import Device
import Foundation
import Runtime
import Simulated
import Testing
@testable import SensePart

/// A board that shows what the test says, and notes what is asked for.
private final class HangingBoard: RecoveryReadings, RecoveryRequests {
  var reading = RecoveryReading(
    deadLink: DeadLink(name: DeviceName(cutting: "wlan0"), isWireless: true, reason: .noAddress))
  var requests: [String] = []
  var failure: Errno?
  private(set) var looks = 0

  func readRecovery() -> RecoveryReading {
    looks += 1
    return reading
  }

  func send(_ request: UnsafeBufferPointer<UInt8>) throws(Errno) {
    if let failure { throw failure }
    requests.append(String(decoding: request, as: UTF8.self))
  }
}

@Suite("Recovery as a part of the agent")
struct RecoveryPartTests {
  private let board = HangingBoard()
  private let store = MemoryStore()
  private let clock = VirtualClock()
  private let runner = DeferredRunner()

  private func part() -> RecoveryPart {
    let part = RecoveryPart(
      RecoveryDevices(readings: board, requests: board), store: store, runner: runner, clock: clock,
      log: Log(level: .error, output: nil))
    part.start()
    return part
  }

  private func pass(_ part: RecoveryPart, minutes: Int) {
    for _ in 0..<minutes {
      clock.advance(60_000)
      part.advance(to: clock.monotonic)
      runner.runAll()
    }
  }

  @Test("root's side is asked for each step, with its number and reason")
  func steps() {
    let part = part()
    pass(part, minutes: 20)
    #expect(
      board.requests == [
        "id = 1\ndo = interface\nname = wlan0\nreason = the link has a carrier and no address\n",
        "id = 2\ndo = driver\nname = wlan0\nreason = the link has a carrier and no address\n",
        "id = 3\ndo = restart\nreason = the link has a carrier and no address\n",
      ])
    #expect(board.requests.allSatisfy { $0.utf8.count <= Budget.recoveryRequestBytes })
  }

  @Test("the record and the request have room beside each other in the state folder")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talon-recovery-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try FileStore(folder: folder, recordBytes: Budget.recoveryRecordBytes)
    let part = RecoveryPart(
      RecoveryDevices(readings: board, requests: try RecoveryRequestFile(stateFolder: folder)), store: store,
      runner: runner, clock: clock, log: Log(level: .error, output: nil))
    part.start()
    for minutes in [11, 2] {
      pass(part, minutes: minutes)
      let request = try String(contentsOfFile: folder + "/recovery/request", encoding: .utf8)
      #expect(request.hasPrefix(minutes == 11 ? "id = 1\n" : "id = 2\n"))
    }
  }

  @Test("a step that flash does not take is not asked for; when flash takes it, it is")
  func flash() {
    let part = part()
    store.failure = .system(.noSpace)
    pass(part, minutes: 11)
    #expect(board.requests.isEmpty)
    store.failure = nil
    pass(part, minutes: 1)
    #expect(board.requests.count == 1)
  }

  @Test("after a step that flash took late, the next one waits as long as after any other")
  func late() {
    let part = part()
    store.failure = .system(.noSpace)
    pass(part, minutes: 12)
    store.failure = nil
    pass(part, minutes: 1)
    #expect(board.requests.count == 1)
    pass(part, minutes: 1)
    #expect(board.requests.count == 1)
    pass(part, minutes: 1)
    #expect(board.requests.count == 2)
  }

  @Test("a step that flash did not take is given up when the board works again, and when a person holds it")
  func givenUp() {
    for isHeld in [false, true] {
      let (board, store) = (HangingBoard(), MemoryStore())
      let part = RecoveryPart(
        RecoveryDevices(readings: board, requests: board), store: store, runner: runner, clock: clock,
        log: Log(level: .error, output: nil))
      part.start()
      store.failure = .system(.noSpace)
      pass(part, minutes: 11)
      if isHeld { part.hold() } else { board.reading = RecoveryReading() }
      pass(part, minutes: 1)
      store.failure = nil
      pass(part, minutes: 5)
      #expect(board.requests.isEmpty)
    }
  }

  @Test("the number and the counts go on after a restart of the agent")
  func record() {
    let first = part()
    pass(first, minutes: 20)
    first.stop()
    first.flush()
    runner.runAll()
    #expect(first.isStopped)
    let second = part()
    pass(second, minutes: 11)
    #expect(board.requests.count == 4 && board.requests[3].hasPrefix("id = 4\ndo = interface\n"))
  }

  @Test("while a person holds the board nothing is asked for, and patience begins when it is released")
  func held() {
    let part = part()
    part.hold()
    pass(part, minutes: 30)
    #expect(board.requests.isEmpty)
    part.letGo()
    pass(part, minutes: 9)
    #expect(board.requests.isEmpty)
    pass(part, minutes: 3)
    #expect(board.requests.count == 1)
  }

  @Test("a board that works is looked at each minute without a gateway, and no step is kept on flash")
  func calm() {
    board.reading = RecoveryReading()
    let part = part()
    pass(part, minutes: 60)
    #expect(board.looks == 60 && store.saves == 0 && board.requests.isEmpty)
  }
}
