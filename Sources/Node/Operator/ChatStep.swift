import Codec
import Runtime

/// What an agent does besides talking: a tool that it calls, or a thought.
public struct ChatStep: Sendable {
  /// Which of the two it is.
  public enum Kind: UInt8, Sendable { case tool, thought }

  /// How far it is.
  public enum State: UInt8, Sendable {
    case begun, done
    /// The tool said that it failed, or its run ended before it did.
    case failed
  }

  public var kind: Kind
  public var state: State
  /// The tool's name; empty for a thought.
  public var name = InlineText<64>()
  /// The tool's arguments as JSON, or the beginning of the thought; cut between characters.
  public var detail = InlineText<512>()
  /// How long it took; nil while it goes on, and when the gateway does not say.
  public var milliseconds: Int64?

  /// A step; see the properties.
  public init(_ kind: Kind, _ state: State) {
    self.kind = kind
    self.state = state
  }

  /// Copies the start of a string or, of any other value, of its JSON.
  public mutating func setDetail(_ value: borrowing JSONView) {
    if value.kind != .string { return detail = InlineText(cutting: value.rawText) }
    // A string that does not fit leaves the buffer full.
    var isCut = false
    detail.fill { buffer in
      if let count = value.copyString(into: buffer) { return count }
      isCut = true
      return buffer.count
    }
    if isCut { detail = Self.whole(detail) }
  }

  /// Without the first bytes of a character whose rest was cut off.
  private static func whole(_ text: InlineText<512>) -> InlineText<512> {
    var end = text.count
    let bytes = text.span
    var start = end - 1
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    let lead = bytes[start]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    if start + length > end { end = start }
    return InlineText(cutting: bytes.extracting(0..<end))
  }

  /// Writes it as one folded line: "camera.snap (2 s)", "thought 3 s".
  public func writeLine(to line: inout LogLine) {
    switch kind {
    case .tool:
      if name.isEmpty { line.add("a tool") } else { line.add(code: name.span) }
      if state == .begun { return line.add("\u{2026}") }
      if state == .failed { line.add(" failed") }
      guard let milliseconds else { return }
      line.add(" (")
      Self.write(milliseconds, to: &line)
      line.add(")")
    case .thought:
      if state == .begun { return line.add("thinks\u{2026}") }
      line.add("thought")
      guard let milliseconds else { return }
      line.add(" ")
      Self.write(milliseconds, to: &line)
    }
  }

  /// "0.4 s", "12 s", "3 min".
  private static func write(_ milliseconds: Int64, to line: inout LogLine) {
    let time = max(milliseconds, 0)
    if time < 1_000 {
      line.add("0.")
      line.add(time / 100)
      return line.add(" s")
    }
    line.add(time < 120_000 ? (time + 500) / 1_000 : time / 60_000)
    line.add(time < 120_000 ? " s" : " min")
  }
}

/// The steps of runs that have begun and not ended: a fixed number of slots.
struct ChatSteps: ~Copyable {
  struct Open {
    /// The run's slot, and how often that was used before.
    var run = 0
    var serial = 0
    /// The gateway's id of the tool call; empty for a thought.
    var id = InlineText<128>()
    var step = ChatStep(.thought, .begun)
    /// When it began: a monotonic time.
    var since: Int64 = 0
  }

  private var slots = Slots<Open>(capacity: Budget.chatSteps)

  var capacity: Int { slots.indices.count }

  subscript(_ index: Int) -> Open? {
    get { slots[index] }
    set { slots[index] = newValue }
  }

  /// Adds one; without room the oldest is forgotten, and its end is not told.
  mutating func add(_ open: Open) {
    var place = 0
    for index in slots.indices {
      guard let other = slots[index] else {
        place = index
        break
      }
      if other.since < slots[place]?.since ?? .max { place = index }
    }
    slots[place] = open
  }

  /// The open tool call of a run with this id.
  func index(of run: Int, _ serial: Int, id: borrowing JSONView) -> Int? {
    for index in slots.indices {
      guard let open = slots[index], open.run == run, open.serial == serial, open.step.kind == .tool else { continue }
      if id.equals(open.id.span) { return index }
    }
    return nil
  }

  /// The oldest open tool call of a run with this name.
  func index(of run: Int, _ serial: Int, named name: InlineText<64>) -> Int? {
    var (found, since) = (Int?.none, Int64.max)
    for index in slots.indices {
      guard let open = slots[index], open.run == run, open.serial == serial, open.step.kind == .tool,
        open.step.name == name, open.since < since
      else { continue }
      (found, since) = (index, open.since)
    }
    return found
  }

  /// The thought of a run that goes on.
  func thought(of run: Int, _ serial: Int) -> Int? {
    slots.first { $0.run == run && $0.serial == serial && $0.step.kind == .thought }
  }
}
