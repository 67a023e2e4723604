import Codec
import Runtime

/// The name under which an agent knows a tool: that of the board and that of the tool, so that agents of a gateway with
/// several boards choose the right one.
enum ToolName {
  /// Bytes of the longest name: gateways cut names that collide at 64, after they put the node's id before them
  /// (newer-gateways 1.2). Names of servers' tools may be longer than that leaves room for.
  static let bytes = 40
  /// Bytes of the board's name that stand in front whatever comes after them: without them the tools of two boards that
  /// have the same server would have the same names, and a gateway would rename both.
  static let boardBytes = 12

  /// The name of `tool` on the board `displayName`: lower-case letters and digits, anything else as `_`, a letter
  /// first.
  static func make(_ displayName: Span<UInt8>, _ tool: String) -> InlineText<64> {
    var name = InlineText<64>()
    name.fill { buffer in
      var count = 0
      let tool = tool.utf8.span
      let room = max(bytes - tool.count - 1, boardBytes)
      for index in 0..<displayName.count where count < room {
        let byte = letter(displayName[index])
        // A letter first, and never two `_` in a row.
        if count == 0, !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { continue }
        if byte == UInt8(ascii: "_"), buffer[count - 1] == byte { continue }
        buffer[count] = byte
        count += 1
      }
      if count > 0, buffer[count - 1] == UInt8(ascii: "_") { count -= 1 }
      if count == 0 {
        for byte in ("talon" as StaticString).utf8Bytes.indices {
          buffer[byte] = ("talon" as StaticString).utf8Bytes[byte]
          count += 1
        }
      }
      buffer[count] = UInt8(ascii: "_")
      count += 1
      for index in tool.indices { buffer[count + index] = tool[index] }
      return count + tool.count
    }
    return name
  }

  private static func letter(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    default: UInt8(ascii: "_")
    }
  }
}
