import Codec
import Runtime

/// A line `key = value` of a small file.
struct ValueLines: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// Calls `take` with each key and value, without the white space around them. Other lines are skipped.
  mutating func forEach(_ take: (Span<UInt8>, Span<UInt8>) -> Void) {
    while index < text.count {
      var end = index
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      let line = text.extracting(index..<end)
      index = end + 1
      var equals = 0
      while equals < line.count, line[equals] != UInt8(ascii: "=") { equals += 1 }
      guard equals < line.count else { continue }
      take(line.extracting(0..<equals).trimmed, line.extracting((equals + 1)..<line.count).trimmed)
    }
  }
}

extension Span where Element == UInt8 {
  /// As much as there is room for, with question marks for what is not printable ASCII.
  fileprivate var printable: InlineText<200> {
    var text = InlineText<200>()
    text.fill { buffer in
      let length = Swift.min(count, buffer.count)
      for index in 0..<length {
        buffer[index] = self[index] >= 0x20 && self[index] < 0x7F ? self[index] : UInt8(ascii: "?")
      }
      return length
    }
    return text
  }

  /// A number of one to nine digits.
  fileprivate var number: Int64? {
    guard (1...9).contains(count) else { return nil }
    var value: Int64 = 0
    for index in 0..<count {
      guard self[index].isDigit else { return nil }
      value = value * 10 + Int64(self[index] - 48)
    }
    return value
  }
}

/// What a slot is: one of the board's two systems.
public enum SlotState: Equatable, Sendable {
  case empty
  /// It was confirmed once.
  case good
  /// A system was written, and not tried yet.
  case installed
  /// It is being tried.
  case trial
  /// It was tried and left.
  case bad

  /// The word of status objects.
  public var word: StaticString {
    switch self {
    case .good: "good"
    case .installed: "installed"
    case .trial: "trial"
    case .bad: "bad"
    case .empty: "empty"
    }
  }

  fileprivate init?(_ text: Span<UInt8>) {
    if text.matches("good") {
      self = .good
    } else if text.matches("installed") {
      self = .installed
    } else if text.matches("trial") {
      self = .trial
    } else if text.matches("bad") {
      self = .bad
    } else if text.matches("empty") {
      self = .empty
    } else {
      return nil
    }
  }
}

/// What root's side says of the slots: the file `slot` of `Budget.rootFolder`, `key = value` in lines.
public struct SlotReport: Sendable {
  /// The running slot's letter, `a` or `b`.
  public private(set) var slot: UInt8 = 0
  public private(set) var state = SlotState.good
  /// Of the running image.
  public private(set) var version = InlineText<64>()
  public private(set) var board = InlineText<32>()
  public private(set) var otherState = SlotState.empty
  public private(set) var otherVersion = InlineText<64>()
  public private(set) var startsLeft: Int64?
  /// Seconds from power-on that a trial may last; nil outside of one.
  public private(set) var trialSeconds: Int64?
  /// True when the last trial was left, of this version, for this reason.
  public private(set) var wasLeft = false
  public private(set) var lastVersion = InlineText<64>()
  public private(set) var lastReason = InlineText<200>()

  /// The running slot's letter.
  public var letter: StaticString { slot == UInt8(ascii: "a") ? "a" : "b" }

  /// Reads the file; nil when it does not name a slot, its state and its version.
  public init?(_ text: Span<UInt8>) {
    var (hasSlot, hasState) = (false, false)
    var lines = ValueLines(text)
    lines.forEach { key, value in
      if key.matches("slot"), value.count == 1, value[0] == UInt8(ascii: "a") || value[0] == UInt8(ascii: "b") {
        (slot, hasSlot) = (value[0], true)
      } else if key.matches("state"), let found = SlotState(value), found == .good || found == .trial {
        (state, hasState) = (found, true)
      } else if key.matches("version") {
        version.set(value)
      } else if key.matches("board") {
        // The word of bundles is `talon-arm64`.
        let skipped = value.hasPrefix("talon-") ? 6 : 0
        board.set(value.extracting(skipped..<value.count))
      } else if key.matches("other_state"), let found = SlotState(value) {
        otherState = found
      } else if key.matches("other_version") {
        otherVersion.set(value)
      } else if key.matches("starts_left") {
        startsLeft = value.number
      } else if key.matches("trial_seconds") {
        trialSeconds = value.number
      } else if key.matches("last_result") {
        wasLeft = value.matches("left")
      } else if key.matches("last_version") {
        lastVersion.set(value)
      } else if key.matches("last_reason") {
        lastReason = value.printable
      }
    }
    guard hasSlot, hasState, version.isWord else { return nil }
  }
}

/// How far root's side is with a request: the file `answer` of `Budget.rootFolder`.
public struct RootAnswer: Sendable {
  public enum State: Equatable, Sendable { case working, done, failed }

  /// The number of the request.
  public private(set) var id: Int64 = 0
  public private(set) var state = State.working
  /// Of an installation that is under way.
  public private(set) var percent: Int64?
  /// Why it failed.
  public private(set) var reason = InlineText<200>()

  /// Reads the file; nil when it has no number or no state.
  public init?(_ text: Span<UInt8>) {
    var (hasID, hasState) = (false, false)
    var lines = ValueLines(text)
    lines.forEach { key, value in
      if key.matches("id"), let number = value.number {
        (id, hasID) = (number, true)
      } else if key.matches("state") {
        hasState = true
        if value.matches("done") {
          state = .done
        } else if value.matches("failed") {
          state = .failed
        } else if !value.matches("working") {
          hasState = false
        }
      } else if key.matches("percent"), let number = value.number {
        percent = min(number, 100)
      } else if key.matches("reason") {
        reason = value.printable
      }
    }
    guard hasID, hasState else { return nil }
  }
}

/// What root's side is asked for.
public enum RootOrder: UInt8, Sendable {
  case install = 1
  /// Restart into the other slot, for a trial.
  case trial = 2
  /// The running slot is good.
  case confirm = 3
  /// The running trial is bad: restart into the other slot.
  case leave = 4
  case rollback = 5
  /// End a running installation.
  case cancel = 6

  fileprivate var word: StaticString {
    switch self {
    case .install: "install"
    case .trial: "try"
    case .confirm: "confirm"
    case .leave: "leave"
    case .rollback: "rollback"
    case .cancel: "cancel"
    }
  }
}

/// One request: the file that the agent writes and root's side reads.
public struct RootRequest: Sendable {
  public var id: Int64
  public var order: RootOrder
  /// Of `install`: an absolute path.
  public var bundle = UpdateLink()
  /// Of `leave`.
  public var reason = InlineText<200>()

  /// A request of this number.
  public init(_ id: Int64, _ order: RootOrder) {
    self.id = id
    self.order = order
  }

  /// Writes the file: its length, at most `Budget.updateRequestBytes`.
  public func encode(into bytes: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = ByteWriter(into: bytes)
    writer.text("id = ")
    writer.decimal(id)
    writer.text("\ndo = ")
    writer.text(order.word)
    writer.text("\n")
    Self.line("bundle = ", bundle.span, &writer)
    Self.line("reason = ", reason.span, &writer)
    return min(writer.count, bytes.count)
  }

  /// Line feeds and other control characters would begin a line of their own: they become question marks, as does what
  /// is not ASCII.
  private static func line(_ key: StaticString, _ value: Span<UInt8>, _ writer: inout ByteWriter) {
    if value.isEmpty { return }
    writer.text(key)
    for index in 0..<value.count {
      writer.byte(value[index] >= 0x20 && value[index] < 0x7F ? value[index] : UInt8(ascii: "?"))
    }
    writer.text("\n")
  }
}
