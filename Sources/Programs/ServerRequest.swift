import Runtime

/// What the agent asks of the service that runs the owner's MCP servers, on a stream socket: one byte of length, and
/// the name of a section `[mcp NAME]`. The service runs the command of that section of root's file; the agent can name
/// no other, and no words of it.
///
/// Whatever the agent sends after it are bytes for the program's standard input, which ends when the agent's half of
/// the stream does. The service answers in frames of `RunMessage`.
public enum ServerRequest {
  /// Bytes of the longest request.
  public static let most = 1 + Budget.mcpServerNameBytes

  /// Writes a request, and returns its bytes; nil for what is no name.
  public static func write(_ name: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard isName(name), name.count < room.count else { return nil }
    room[0] = UInt8(truncatingIfNeeded: name.count)
    for index in 0..<name.count { room[1 + index] = name[index] }
    return 1 + name.count
  }

  /// What the first bytes of a connection say.
  public enum Reading {
    /// There are more to come.
    case waiting
    /// A name, which is in the bytes; the rest of them is for the program.
    case name(UnsafeBufferPointer<UInt8>)
    /// They are no request.
    case wrong
  }

  /// Reads a request from all bytes that have come so far.
  public static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Reading {
    guard let first = bytes.first else { return .waiting }
    let length = Int(first)
    guard length >= 1, length <= Budget.mcpServerNameBytes else { return .wrong }
    guard bytes.count > length else { return .waiting }
    let name = UnsafeBufferPointer(rebasing: bytes[1...length])
    return isName(name) ? .name(name) : .wrong
  }

  /// As the configuration has them: a to z, 0 to 9 and `_`, a letter first.
  private static func isName(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = name.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z"),
      name.count <= Budget.mcpServerNameBytes
    else { return false }
    for index in 0..<name.count {
      switch name[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): continue
      default: return false
      }
    }
    return true
  }
}
