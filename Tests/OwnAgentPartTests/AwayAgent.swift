import Codec
import Foundation
import Runtime
import Testing

@testable import OwnAgent

/// The agent's process: what it has answered, its flash, and what it does with frames.
final class AwayAgent {
  private var handOver = HandOver()
  private var flash: [UInt8]?
  private(set) var isGatewayThere = false
  /// Turns that are on flash: these must arrive.
  private(set) var kept: Set<Int> = []
  private var pending: [Int] = []
  private var lastTurn = 0

  var isEmpty: Bool { handOver.isEmpty }
  /// True while the power may go at a write.
  var isInDanger = true
  /// The process has ended since this was set to false.
  var hasEnded = false

  /// The process ends, and begins again with what flash has.
  func restart() {
    handOver = HandOver()
    (isGatewayThere, pending, hasEnded) = (false, [], true)
    guard let flash else { return }
    let isRead = flash.withUnsafeBufferPointer { handOver.readRecord(Span(_unsafeElements: $0)) }
    #expect(isRead)
  }

  /// False when the power went at the write.
  private func save(_ random: inout Dice) -> Bool {
    let room = FixedBuffer(capacity: Budget.handOverRecordBytes)
    var writer = JSONWriter(into: room.bytes)
    handOver.writeRecord(to: &writer)
    let isLost = isInDanger && random.one(in: 12)
    let isWritten = !isLost || random.one(in: 2)
    if isWritten {
      flash = Array(room.bytes[..<writer.count])
      kept.formUnion(pending)
      pending = []
    }
    if isLost { restart() }
    return !isLost
  }

  /// A person was answered.
  func answer(_ random: inout Dice) {
    lastTurn += 1
    let words = Array("turn-\(lastTurn).".utf8)
    handOver.add(
      AwayTurn(time: 1_767_225_600_000, end: .answered, question: words.span, answer: words.span, deeds: Span()))
    pending.append(lastTurn)
    _ = save(&random)
  }

  /// What it sends now that the connection stands, or the gateway has come.
  func summary(_ random: inout Dice) -> [UInt8]? {
    guard isGatewayThere else { return nil }
    if !handOver.isSealed {
      guard handOver.seal() else { return nil }
      guard save(&random) else { return nil }
    }
    let room = FixedBuffer(capacity: 2 * Budget.handOverBytes)
    var writer = ByteWriter(into: room.bytes)
    handOver.writeSummary(to: &writer)
    return OwnAgentBench.frame(.summary, OwnAgentBench.number(handOver.serial, 8) + Array(room.bytes[..<writer.count]))
  }

  /// Takes a frame; what it sends for it.
  func take(_ kind: AgentFrame.Kind, _ body: [UInt8], _ random: inout Dice) -> [UInt8]? {
    switch kind {
    case .gateway:
      isGatewayThere = body == [1]
      return summary(&random)
    case .handedOver:
      guard handOver.taken(OwnAgentBench.value(body[...])) else { return nil }
      guard save(&random) else { return nil }
      return summary(&random)
    default: return nil
    }
  }
}

/// Random numbers from a seed.
struct Dice {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return seed >> 33
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  mutating func one(in count: Int) -> Bool { below(count) == 0 }
}
