import OwnAgent
import Runtime

/// The process of the board's own agent: it answers what the node says, calls tools, asks for what makes no sense,
/// sends what are no frames, and ends.
final class FuzzOwnAgent: AgentLink {
  private var delegate: (any AgentLinkDelegate)?
  private var reader = AgentFrameReader()
  /// The last turn and question of the node, the last summary of the agent, and the tools that it may call.
  private(set) var turn: UInt64 = 0
  private(set) var question: UInt64 = 0
  private var serial: UInt64 = 0
  private var tools: [[UInt8]] = []
  private var calls: UInt64 = 0

  func open(_ delegate: any AgentLinkDelegate) -> Bool {
    self.delegate = delegate
    reader.reset()
    tools.removeAll()
    return true
  }

  func close() { delegate = nil }

  /// The node's frames are whole and known.
  func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var start = 0
    while start < bytes.count {
      let room = reader.room()
      let count = min(room.count, bytes.count - start)
      for index in 0..<count { room[index] = bytes[start + index] }
      reader.wrote(count)
      start += count
      while let (kind, body) = reader.next() { take(kind, Array(body)) }
      expect(!reader.isBroken, "the node sends the agent what is no frame")
    }
    return bytes.count
  }

  private func take(_ kind: AgentFrame.Kind, _ body: [UInt8]) {
    var fields = FrameFields(body.span)
    switch kind {
    case .tool: if tools.count < 64, let name = Self.name(body) { tools.append(name) }
    case .say: turn = fields.number(bytes: 4)
    case .ask: question = fields.number(bytes: 4)
    case .board, .ready, .cancel, .gateway, .handedOver, .resultPiece, .picturePiece, .result: break
    default: expect(false, "the node sends a frame of an agent")
    }
  }

  /// `{"name":"photo"`.
  private static func name(_ body: [UInt8]) -> [UInt8]? {
    let parts = body.split(separator: 0x22, maxSplits: 4)
    return parts.count > 3 ? Array(parts[3]) : nil
  }

  // MARK: What it does

  func act(_ maker: Maker) {
    let dice = maker.dice
    if dice.chance(1, in: 30) { return lose() }
    if dice.chance(1, in: 20) { return deliver((0..<dice.below(40)).map { _ in dice.byte() }) }
    for _ in 0..<(1 + dice.below(4)) { frame(maker) }
  }

  /// A text of a turn, or its end, whenever it comes.
  func say(_ text: String, turn: UInt64, ends: Bool) {
    send(ends ? .ended : .text, Self.number(turn, 4) + (ends ? [0] : []) + Array(text.utf8))
  }

  /// The answer to what the owner asked.
  func answer(_ text: String, question: UInt64) { send(.answer, Self.number(question, 4) + [0] + Array(text.utf8)) }

  private func lose() {
    let delegate = delegate
    self.delegate = nil
    delegate?.agentLinkLost()
  }

  private func frame(_ maker: Maker) {
    let dice = maker.dice
    let turn = dice.chance(1, in: 6) ? UInt64(dice.below(1 << 20)) : turn
    switch dice.below(12) {
    case 0: send(.state, Self.number(UInt64(dice.below(6)), 1))
    case 1, 2: send(.text, Self.number(turn, 4) + text(maker))
    case 3: send(.ended, Self.number(turn, 4) + [UInt8(dice.below(6))] + text(maker))
    case 4:
      send(.step, Self.number(turn, 4) + [UInt8(dice.below(5))] + name(dice) + [0] + arguments(maker))
    case 5, 6, 7:
      calls += dice.chance(1, in: 8) ? 0 : 1
      send(.call, Self.number(calls, 4) + [UInt8(dice.below(3))] + name(dice) + [0] + arguments(maker))
    case 8: send(.drop, Self.number(dice.chance(1, in: 2) ? calls : UInt64(dice.below(9)), 4))
    case 9: send(.remind, text(maker))
    case 10:
      serial += dice.chance(1, in: 2) ? 1 : 0
      send(.summary, Self.number(serial, 8) + text(maker))
    default:
      dice.chance(1, in: 2)
        ? send(.answer, Self.number(question, 4) + [UInt8(dice.below(2))] + text(maker))
        : send(.message, Self.number(calls, 4) + text(maker))
    }
  }

  private func name(_ dice: Dice) -> [UInt8] {
    tools.isEmpty || dice.chance(1, in: 10) ? [dice.byte(), 0x61] : dice.pick(tools)
  }

  private func arguments(_ maker: Maker) -> [UInt8] { maker.apart { maker.value(.soup) } }

  private func text(_ maker: Maker) -> [UInt8] {
    let dice = maker.dice
    switch dice.below(8) {
    case 0: return (0..<dice.below(300)).map { _ in dice.byte() }
    case 1: return [UInt8](repeating: dice.byte(), count: dice.pick([0, 1, 2_000, Budget.agentFrameBytes - 8]))
    default: return Array(dice.pick(Maker.texts).utf8)
    }
  }

  private func send(_ kind: AgentFrame.Kind, _ body: [UInt8]) {
    deliver([kind.rawValue] + Self.number(UInt64(body.count), 4) + body)
  }

  private func deliver(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count, let delegate {
      let room = delegate.agentLinkRoom()
      let count = min(room.count, bytes.count - start)
      for index in 0..<count { room[index] = bytes[start + index] }
      delegate.agentLinkReceived(count)
      start += count
    }
  }

  private static func number(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }
}
