import Codec
import Runtime

/// One use of what a permission is for, or several like it: who, what, when, how long, and who had allowed it.
public struct Use: Equatable, Sendable {
  /// Why it was allowed.
  public enum Basis: Equatable, Sendable {
    /// The owner's file.
    case file
    case grant(Grant.Scope, Grant.Source)
    /// A person at the board did it: no request of the gateway.
    case board

    fileprivate var code: UInt8 {
      switch self {
      case .file: 0
      case .board: 1
      case .grant(let scope, let source): scope.rawValue << 4 | source.rawValue
      }
    }

    fileprivate init?(_ code: UInt8) {
      switch code {
      case 0: self = .file
      case 1: self = .board
      default:
        guard let scope = Grant.Scope(rawValue: code >> 4), let source = Grant.Source(rawValue: code & 0xF) else {
          return nil
        }
        self = .grant(scope, source)
      }
    }
  }

  /// When the first began, in milliseconds since the Unix epoch.
  public var wall: Int64
  /// Milliseconds from there to the end of the last.
  public var lasted: Int64 = 0
  /// How many.
  public var count: UInt32 = 1
  public var permissions: PermissionSet
  public var basis: Basis
  /// The command, "camera.snap"; or a tool of a server of the owner.
  public var command: InlineText<32>
  /// The agent's session; empty when the gateway does not say.
  public var who: InlineText<48>

  /// A use that begins; see the properties.
  public init(
    wall: Int64, permissions: PermissionSet, basis: Basis, command: InlineText<32>, who: InlineText<48>
  ) {
    self.wall = wall
    self.permissions = permissions
    self.basis = basis
    self.command = command
    self.who = who
  }

  /// True when both are of one kind, so that one entry can stand for both.
  func isLike(_ other: Use) -> Bool {
    permissions == other.permissions && basis == other.basis && command == other.command && who == other.who
  }

  /// Writes "camera.snap (3), granted once at the screen".
  public func writeSentence(to line: inout LogLine) {
    line.add(command.span)
    if count > 1 {
      line.add(" (")
      line.add(Int64(count))
      line.add(")")
    }
    switch basis {
    case .file: line.add(", allowed by the owner's file")
    case .board: line.add(", used at the board")
    case .grant(let scope, let source):
      line.add(", granted ")
      line.add(scope == .once ? "once" : scope == .session ? "for the session" : "for a time")
      line.add(" at the ")
      line.add(source.word)
    }
  }

  // MARK: On flash

  /// Bytes of an entry: two times of 8, a count of 4, four bytes, and the two texts.
  static let bytes = 24 + 32 + 48

  /// Writes the entry: numbers are little-endian.
  func encode(into buffer: UnsafeMutableBufferPointer<UInt8>) {
    for index in 0..<8 {
      buffer[index] = UInt8(truncatingIfNeeded: wall >> Int64(8 * index))
      buffer[8 + index] = UInt8(truncatingIfNeeded: lasted >> Int64(8 * index))
    }
    for index in 0..<4 { buffer[16 + index] = UInt8(truncatingIfNeeded: count >> UInt32(8 * index)) }
    buffer[20] = permissions.rawValue
    buffer[21] = basis.code
    buffer[22] = UInt8(command.count)
    buffer[23] = UInt8(who.count)
    Self.copy(command.span, buffer, 24, 32)
    Self.copy(who.span, buffer, 56, 48)
  }

  private static func copy(
    _ text: Span<UInt8>, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ place: Int, _ room: Int
  ) {
    for index in 0..<room { buffer[place + index] = index < text.count ? text[index] : 0 }
  }

  /// Reads an entry; nil when it is not valid.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.bytes else { return nil }
    wall = 0
    for index in 0..<8 {
      wall |= Int64(bytes[index]) << Int64(8 * index)
      lasted |= Int64(bytes[8 + index]) << Int64(8 * index)
    }
    count = 0
    for index in 0..<4 { count |= UInt32(bytes[16 + index]) << UInt32(8 * index) }
    permissions = PermissionSet(rawValue: bytes[20])
    guard let basis = Basis(bytes[21]), bytes[22] <= 32, bytes[23] <= 48, wall >= 0, lasted >= 0, count > 0 else {
      return nil
    }
    self.basis = basis
    command = InlineText(cutting: bytes.extracting(24..<24 + Int(bytes[22])))
    who = InlineText(cutting: bytes.extracting(56..<56 + Int(bytes[23])))
  }
}
