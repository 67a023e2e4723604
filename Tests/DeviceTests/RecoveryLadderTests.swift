import Runtime
import Simulated
import Testing
@testable import Device

@Suite("Steps against a board that hangs")
struct RecoveryLadderTests {
  private static let minute: Int64 = 60_000
  private static let wifi = RecoveryReading(
    deadLink: DeadLink(name: DeviceName(cutting: "wlan0"), isWireless: true, reason: .noAddress))
  private static let cable = RecoveryReading(
    deadLink: DeadLink(name: DeviceName(cutting: "eth0"), isWireless: false, reason: .routerSilent))
  private static let full = RecoveryReading(isMemoryFull: true)

  /// "10 interface wlan0": the steps of so many minutes of this reading, looked at each minute.
  private func steps(
    _ ladder: inout RecoveryLadder, _ reading: RecoveryReading, minutes: ClosedRange<Int64>, isOnline: Bool = false
  ) -> [String] {
    minutes.compactMap { minute in
      ladder.take(reading, isOnline: isOnline, at: minute * Self.minute).map { step in
        ladder.asked(at: minute * Self.minute)
        let name = step.name.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        return "\(minute) \(step.rung.word)\(name.isEmpty ? "" : " " + name)"
      }
    }
  }

  @Test("a dead Wi-Fi gets its interface again after ten minutes, then its driver, then the board a restart")
  func wireless() {
    var ladder = RecoveryLadder(at: 0)
    #expect(
      steps(&ladder, Self.wifi, minutes: 0...60) == ["10 interface wlan0", "12 driver wlan0", "14 restart"])
    #expect(ladder.record.last?.rung == .restart && ladder.record.last?.reason == .noAddress)
    #expect(ladder.record.number == 3)
  }

  @Test("a cable has no driver to load again")
  func wired() {
    var ladder = RecoveryLadder(at: 0)
    #expect(steps(&ladder, Self.cable, minutes: 0...60) == ["10 interface eth0", "12 restart"])
  }

  @Test("a link that comes back, a gateway that is reached and a person who holds the board begin patience anew")
  func patience() {
    var ladder = RecoveryLadder(at: 0)
    #expect(steps(&ladder, Self.wifi, minutes: 0...9).isEmpty)
    #expect(steps(&ladder, RecoveryReading(), minutes: 10...10).isEmpty)
    #expect(steps(&ladder, Self.wifi, minutes: 11...20).isEmpty)
    #expect(steps(&ladder, Self.wifi, minutes: 21...21) == ["21 interface wlan0"])
    #expect(steps(&ladder, Self.wifi, minutes: 22...60, isOnline: true).isEmpty)
    #expect(steps(&ladder, Self.wifi, minutes: 61...70).isEmpty)
    ladder.calm()
    #expect(steps(&ladder, Self.wifi, minutes: 71...80).isEmpty)
  }

  @Test("memory that stays full for ten minutes is a restart, with the gateway reached or not")
  func memory() {
    var ladder = RecoveryLadder(at: 0)
    #expect(steps(&ladder, Self.full, minutes: 0...60, isOnline: true) == ["10 restart"])
  }

  @Test("nothing follows a step before root's side was asked for it, and the pause begins then")
  func waiting() {
    var ladder = RecoveryLadder(at: 0)
    #expect(ladder.take(Self.cable, isOnline: false, at: 0) == nil)
    #expect(ladder.take(Self.cable, isOnline: false, at: 10 * Self.minute)?.rung == .interface)
    #expect(ladder.take(Self.cable, isOnline: false, at: 30 * Self.minute) == nil && ladder.isWaiting)
    ladder.asked(at: 30 * Self.minute)
    #expect(ladder.take(Self.cable, isOnline: false, at: 31 * Self.minute) == nil)
    #expect(ladder.take(Self.cable, isOnline: false, at: 32 * Self.minute)?.rung == .restart)
    ladder.calm()
    #expect(!ladder.isWaiting)
  }

  @Test("a link that is dead for a week: each step its limit in any day, and no more")
  func week() {
    var ladder = RecoveryLadder(at: 0)
    var taken: [String: [Int64]] = [:]
    for minute in 0..<(7 * 1440) as Range<Int64> {
      if let step = ladder.take(Self.wifi, isOnline: false, at: minute * Self.minute) {
        ladder.asked(at: minute * Self.minute)
        taken["\(step.rung.word)", default: []].append(minute)
      }
    }
    for (word, most) in [("interface", 12), ("driver", 6), ("restart", 3)] {
      let times = taken[word] ?? []
      #expect(times.count > most)
      for (index, time) in times.enumerated() where index >= most { #expect(time - times[index - most] >= 1440) }
    }
  }

  /// Everything that may go wrong with the record and the power of a board, for a hundred boards of forty days each.
  @Test("whatever happens, a board is restarted three times in a day at most", arguments: 0..<100)
  func boards(seed: UInt64) throws {
    var random = Lehmer(seed)
    var ladder = RecoveryLadder(at: 0)
    var flash = [UInt8](repeating: 0, count: Budget.recoveryRecordBytes)
    var restarts: [Int64] = []
    var monotonic: Int64 = 0
    var reading = Self.wifi
    for minute in 0..<(40 * 1440) as Range<Int64> {
      if random.next(400) == 0 { reading = [Self.wifi, Self.cable, Self.full, RecoveryReading()][random.next(4)] }
      let isOnline = random.next(50) == 0
      monotonic += Self.minute
      let step = ladder.take(reading, isOnline: isOnline, at: monotonic)
      if step != nil { ladder.asked(at: monotonic) }
      // A step is on flash before it is asked for; running time alone reaches flash now and then.
      if step != nil || random.next(60) == 0 {
        flash.withUnsafeMutableBufferPointer { _ = ladder.record.encode(into: $0) }
      }
      if step?.rung == .restart { restarts.append(minute) }
      // The board restarts, its power is cut, or the agent alone is started again.
      if step?.rung == .restart || random.next(300) == 0 {
        monotonic = random.next(2) == 0 ? 0 : monotonic
        let record = flash.withUnsafeBufferPointer { RecoveryRecord($0) }
        ladder = RecoveryLadder(record ?? RecoveryRecord(), at: monotonic)
      }
    }
    #expect(!restarts.isEmpty)
    for index in restarts.indices.dropFirst(3) { #expect(restarts[index] - restarts[index - 3] >= 1440) }
  }

  @Test("the record comes back from flash as it was; a newer one with more is read, another is none")
  func record() throws {
    var ladder = RecoveryLadder(at: 0)
    _ = steps(&ladder, Self.wifi, minutes: 0...90)
    var bytes = [UInt8](repeating: 0xAA, count: Budget.recoveryRecordBytes + 8)
    let count = bytes.withUnsafeMutableBufferPointer { ladder.record.encode(into: $0) }
    #expect(bytes.prefix(count).withUnsafeBufferPointer { RecoveryRecord($0) } == ladder.record)
    bytes[0] = 2
    #expect(bytes.withUnsafeBufferPointer { RecoveryRecord($0) } == ladder.record)
    #expect(bytes.prefix(count - 1).withUnsafeBufferPointer { RecoveryRecord($0) } == nil)
    bytes[0] = 0
    #expect(bytes.withUnsafeBufferPointer { RecoveryRecord($0) } == nil)
  }
}

/// Random numbers that are the same each time.
private struct Lehmer {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed * 2 + 1 }

  mutating func next(_ bound: UInt64) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % bound)
  }
}
