import Testing

@testable import Codec

/// A server's frame as bytes. The length is written as short as it can be unless told otherwise.
func frame(
  _ opcode: UInt8, _ payload: [UInt8] = [], fin: Bool = true, flags: UInt8 = 0, masked: Bool = false,
  lengthBytes: Int? = nil
) -> [UInt8] {
  let count = payload.count
  let wide = lengthBytes ?? (count < 126 ? 0 : count < 65536 ? 2 : 8)
  let short = wide == 0 ? UInt8(count) : wide == 2 ? 126 : 127
  let length = (0..<wide).reversed().map { $0 > 7 ? 0 : UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  return [opcode | (fin ? 0x80 : 0) | flags, short | (masked ? 0x80 : 0)] + length + payload
}

func frame(_ opcode: UInt8, _ text: String, fin: Bool = true) -> [UInt8] {
  frame(opcode, text.bytes, fin: fin)
}

/// A close frame as bytes.
func closeFrame(_ code: Int, _ reason: [UInt8] = []) -> [UInt8] {
  frame(8, [UInt8(code >> 8), UInt8(code & 255)] + reason)
}

/// What a stream says, one line an item; messages are put together.
func items(_ pieces: [[UInt8]]) -> [String] {
  var decoder = WebSocketDecoder()
  var found: [String] = []
  var message: [UInt8] = []
  var isInMessage = false
  do throws(WebSocketError) {
    for piece in pieces {
      var index = 0
      reading: while true {
        switch try decoder.next(piece.span, at: &index) {
        case .needMore:
          #expect(index == piece.count)
          break reading
        case .data(let chunk):
          #expect(chunk.isStart != isInMessage)
          message += piece[chunk.range]
          isInMessage = !chunk.isFinal
          guard chunk.isFinal else { continue }
          found.append(
            (chunk.isText ? "text " : "binary ") + "\(message.count) "
              + String(decoding: message.prefix(40), as: UTF8.self))
          message = []
        case .ping(let control): found.append("ping " + text(control.payload))
        case .pong(let control): found.append("pong " + text(control.payload))
        case .close(let close):
          found.append("close \(close.code.map(String.init) ?? "-") " + text(close.reason))
        }
      }
    }
  } catch {
    found.append("error \(error.kind) \(error.closeCode)")
  }
  return found
}
