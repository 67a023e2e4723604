// HandsPart: the owner's own tools (`[tool NAME]`) as commands `io.NAME`: what they switch, read and count, their
// limits, their journal and what they keep on flash. It must not know a driver.

import Codec
import Gateway
import Hands
import Node
import Runtime

/// What a hand is as a tool of the agent.
public struct HandTool {
  public let name: String
  public let command: String
  public let description: String
  public let parameters: String
  public let sentence: String
  public let isReadOnly: Bool
}

/// The hands of this board.
public final class HandsPart: Part, CommandHandler {
  private let surroundings: HandSurroundings
  private let hands: [Hand]
  private var isHeld = false

  /// A part that opens no device before `start`. At most `Budget.hands` entries.
  @export(interface)
  public init(_ entries: [HandEntry], surroundings: HandSurroundings) {
    self.surroundings = surroundings
    hands = entries.prefix(Budget.hands).enumerated().map { Self.hand($1, surroundings, index: $0) }
    super.init()
    for hand in hands { findRivals(of: hand) }
  }

  /// Two that are never on together hold each other.
  deinit { for hand in hands { hand.rivals = [] } }

  private static func hand(_ entry: HandEntry, _ surroundings: HandSurroundings, index: Int) -> Hand {
    switch entry.device {
    case .output(let line): SwitchHand(entry.settings, line, surroundings, index: index)
    case .input(let line): InputHand(entry.settings, line, surroundings, index: index)
    case .pwm(let output): PWMHand(entry.settings, output, surroundings, index: index)
    case .counter(let line): CounterHand(entry.settings, line, surroundings, index: index)
    case .sensor(let device): SensorHand(entry.settings, device, surroundings, index: index)
    case .serial(let line) where entry.settings.serial.language == .modbus:
      ModbusHand(entry.settings, line, surroundings, index: index)
    case .serial(let line): SerialHand(entry.settings, line, surroundings, index: index)
    case .program(let runner): ProgramHand(entry.settings, runner, surroundings, index: index)
    }
  }

  /// Both sides know of it, whichever of them names the other.
  private func findRivals(of hand: Hand) {
    let names = hand.settings.gpio.neverWith + hand.settings.pwm.neverWith
    for other in hands where other !== hand && names.contains(other.settings.name) {
      if !hand.rivals.contains(where: { $0 === other }) { hand.rivals.append(other) }
      if !other.rivals.contains(where: { $0 === hand }) { other.rivals.append(hand) }
    }
  }

  /// The hands as tools, in the order of the configuration.
  public var tools: [HandTool] {
    hands.map { hand in
      let about = hand.settings.about
      return HandTool(
        name: hand.settings.name, command: "io." + hand.settings.name,
        description: about.isEmpty ? hand.explanation : Self.sentence(about) + " " + hand.explanation,
        parameters: hand.schema, sentence: hand.sentence, isReadOnly: hand.isReadOnly)
    }
  }

  /// The owner's words with a full stop.
  private static func sentence(_ about: String) -> String {
    switch about.utf8.last {
    case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): about
    default: about + "."
    }
  }

  // MARK: Part

  public override func addCommands(to router: Router) {
    router.add(
      hands.map { hand in
        CommandRow("io." + hand.settings.name, limit: Budget.handInvokes, hasSideEffects: !hand.isReadOnly)
      }, capability: "io", self)
  }

  public override func start() { for hand in hands { hand.start() } }

  public override func stop() { for hand in hands { hand.stop() } }

  public override func flush() { surroundings.keeper.flush() }

  public override var isStopped: Bool {
    for index in 0..<hands.count where !hands[index].isStopped { return false }
    return surroundings.keeper.isSettled
  }

  public override func hold() {
    isHeld = true
    for hand in hands { hand.hold() }
  }

  public override func letGo() {
    isHeld = false
    for hand in hands { hand.letGo() }
  }

  /// By index: tests count allocations.
  public override var nextDeadline: Int64? {
    var next = surroundings.keeper.nextDeadline
    for index in 0..<hands.count { next = earliest(next, hands[index].nextDeadline) }
    return next
  }

  public override func advance(to now: Int64) {
    for index in 0..<hands.count { hands[index].advance(to: now) }
    surroundings.keeper.advance(to: now)
  }

  public override var hasFault: Bool {
    for index in 0..<hands.count where hands[index].hasFault { return true }
    return false
  }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("io")
    writer.beginArray()
    for index in 0..<hands.count { hands[index].writeObject(to: &writer) }
    writer.endArray()
  }

  // MARK: CommandHandler

  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    let hand = hands[command]
    if isHeld { return surroundings.router.fail(token, HoldError.held) }
    hand.calls += 1
    if let wait = hand.limit.take(at: surroundings.clock.monotonic) {
      return hand.fail(token, .tooManyCalls(wait: wait))
    }
    guard parameters.isNull || parameters.kind == .object else {
      return hand.fail(token, .invalid("the parameters", wanted: "an object"))
    }
    hand.begin(token, parameters, deadline: deadline)
  }

  public func cancel(_ token: InvokeToken) {
    for index in 0..<hands.count { hands[index].cancel(token) }
  }
}
