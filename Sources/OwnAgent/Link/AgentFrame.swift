// The board's own agent: what answers while the gateway is away. Turns with a model, tools and their rules, pages,
// messages, memory, reminders, and the hand-over to the gateway. It runs in a process of its own and must not know
// sockets, files, SQLite or the node's commands.

import Codec
import Runtime

/// The messages between the node and the process of the board's own agent, on a stream socket, in both directions: a
/// kind, four bytes of the body's length, least significant first, and the body. Numbers in a body are least
/// significant first as well.
///
/// Neither side trusts the other: lengths are bounded, and the node checks each call of a tool as one of a gateway.
public enum AgentFrame {
  /// Bytes before a body.
  public static let headBytes = 5

  /// The kinds of frames. Those of the node are lower case letters, those of the agent upper case.
  public enum Kind: UInt8, Sendable {
    /// The board begins to describe itself: JSON of its `name`, `language`, `release`, `hasCamera` and
    /// `utcOffsetMinutes`. Tools follow, then `ready`.
    case board = 0x62
    /// One tool of the board: JSON of name, description, parameters and effect, and of brings where its results are
    /// words of others.
    case tool = 0x74
    case ready = 0x72
    /// A person says something: four bytes of the turn's number, then text.
    case say = 0x73
    /// The turn with this number is not wanted any more.
    case cancel = 0x78
    /// A piece of a call's result: four bytes of the call's number, then JSON text; and its end: the number and a byte
    /// that is 0 for a success. Between the pieces of one result come none of another.
    case resultPiece = 0x70
    case result = 0x65
    /// A piece of a call's picture, JPEG, before its result ends: four bytes of the call's number, then bytes.
    case picturePiece = 0x69
    /// Whether the gateway is there: one byte.
    case gateway = 0x67
    /// The summary with this serial number, eight bytes, is on its way to the gateway for good.
    case handedOver = 0x68
    /// The owner asks something at a console: four bytes of the request's number, one of `OwnerRequest`, then what
    /// that needs.
    case ask = 0x6D

    /// What the agent does now: one byte, `AgentState`.
    case state = 0x53
    /// A turn's text as it comes, and its end: four bytes of its number, then text; for the end a byte, `TurnEnd`, and
    /// a sentence.
    case text = 0x54
    case ended = 0x45
    /// A tool has begun or ended in a turn: four bytes of the turn's number, one of the step's state, the name with a
    /// zero byte after it, then its arguments.
    case step = 0x50
    /// A tool of the board is called: four bytes of the call's number, one of `CallFlags`, the name with a zero byte
    /// after it, then the arguments as JSON.
    case call = 0x43
    /// Words for a person, by the gateway's channels: four bytes of the call's number, then text. Ends as a call.
    case message = 0x57
    /// The result of a call is not wanted any more: four bytes of its number.
    case drop = 0x58
    /// It is time: a reminder's text.
    case remind = 0x52
    /// A summary for the gateway: eight bytes of its serial number, then Markdown.
    case summary = 0x47
    /// The board has described itself in the middle of a turn, which keeps the tools that it began with: it is asked to
    /// do so again.
    case describe = 0x44
    /// The answer to `ask`: four bytes of the request's number, a byte that is 0 for a success, then text.
    case answer = 0x4D
  }

  /// Writes a frame into `room`, which has space for `headBytes` and `agentFrameBytes`, and returns its bytes; a body
  /// that is longer is cut.
  public static func write(
    _ kind: Kind, into room: UnsafeMutableBufferPointer<UInt8>, _ body: (inout ByteWriter) -> Void
  ) -> Int {
    let space = UnsafeMutableBufferPointer(rebasing: room[headBytes...])
    var writer = ByteWriter(into: space)
    body(&writer)
    let count = min(writer.count, space.count, Budget.agentFrameBytes)
    room[0] = kind.rawValue
    for index in 0..<4 { room[1 + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
    return headBytes + count
  }
}

/// How a call of a tool is to be taken.
public struct CallFlags: OptionSet, Sendable {
  public let rawValue: UInt8

  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The model has read words of others in this turn (a page, a message): what senses or acts needs a person's leave,
  /// whatever was granted before.
  public static let isTainted = CallFlags(rawValue: 1)
}

extension ByteWriter {
  /// Writes the least significant bytes of a number, that one first.
  public mutating func littleEndian(_ value: UInt64, bytes count: Int) {
    for index in 0..<count { byte(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }
}

/// Reads the fields of a frame's body from its start. What is not there reads as zero or empty, and `isComplete` tells.
public struct FrameFields: ~Escapable {
  private let body: Span<UInt8>
  private var place = 0
  /// False after more was read than there is.
  public private(set) var isComplete = true

  /// The fields of a body.
  @_lifetime(copy body)
  public init(_ body: Span<UInt8>) { self.body = body }

  /// A number of so many bytes, at most 8.
  public mutating func number(bytes count: Int) -> UInt64 {
    guard count <= body.count - place else {
      isComplete = false
      return 0
    }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(body[place + index]) << UInt64(8 * index) }
    place += count
    return value
  }

  /// Bytes up to a zero byte, which is left out.
  @_lifetime(copy self)
  public mutating func word() -> Span<UInt8> {
    var end = place
    while end < body.count, body[end] != 0 { end += 1 }
    guard end < body.count else {
      isComplete = false
      return body.extracting(0..<0)
    }
    let word = body.extracting(place..<end)
    place = end + 1
    return word
  }

  /// All that is left.
  @_lifetime(copy self)
  public mutating func rest() -> Span<UInt8> {
    let rest = body.extracting(place..<body.count)
    place = body.count
    return rest
  }
}
