import Testing

@testable import Codec

/// Takes a client's frame apart by hand: opcode, payload unmasked.
private func parsed(_ bytes: [UInt8]) -> (first: UInt8, payload: [UInt8]) {
  precondition(bytes[1] & 0x80 != 0)
  let short = Int(bytes[1] & 127)
  let wide = short < 126 ? 0 : short == 126 ? 2 : 8
  let length = wide == 0 ? short : bytes[2..<2 + wide].reduce(0) { $0 << 8 | Int($1) }
  let key = bytes[(2 + wide)..<(6 + wide)]
  let payload = bytes[(6 + wide)...]
  precondition(payload.count == length)
  return (bytes[0], payload.enumerated().map { $1 ^ key[key.startIndex + $0 % 4] })
}

@Suite("RFC 6455 section 5: frames to the server")
struct WebSocketEncoderTests {
  @Test("masks the example of section 5.7")
  func example() {
    let mask = WebSocketMask(0x37FA_213D)
    var payload = "Hello".bytes
    let header = writtenBytes { WebSocketEncoder.header(.text, payloadLength: 5, mask: mask, into: $0) }
    payload.withUnsafeMutableBufferPointer { mask.apply(to: $0, at: 0) }
    #expect(header + payload == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
  }

  @Test("masks pieces of a payload as the whole")
  func maskedPieces() {
    let mask = WebSocketMask(0x0102_0304)
    let plain = (0..<67).map { UInt8($0) }
    let whole = plain.enumerated().map { $1 ^ [1, 2, 3, 4][$0 % 4] }
    for first in 0...40 {
      for second in first...67 {
        var bytes = plain
        bytes.withUnsafeMutableBufferPointer { buffer in
          mask.apply(to: UnsafeMutableBufferPointer(rebasing: buffer[..<first]), at: 0)
          mask.apply(to: UnsafeMutableBufferPointer(rebasing: buffer[first..<second]), at: first)
          mask.apply(to: UnsafeMutableBufferPointer(rebasing: buffer[second...]), at: second)
        }
        #expect(bytes == whole)
      }
    }
  }

  @Test(
    "writes each length as short as it can be", arguments: [0, 125, 126, 65535, 65536, 1 << 33] as [UInt64])
  func headers(_ length: UInt64) {
    let mask = WebSocketMask(0xAABB_CCDD)
    let header = writtenBytes {
      WebSocketEncoder.header(.binary, isFinal: false, payloadLength: length, mask: mask, into: $0)
    }
    #expect(header.count == WebSocketEncoder.headerLength(payloadLength: length))
    #expect(header.count == (length < 126 ? 6 : length < 65536 ? 8 : 14))
    #expect(header[0] == 0x02)
    #expect(header.suffix(4) == [0xAA, 0xBB, 0xCC, 0xDD])
    let stated = header[2..<header.count - 4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    #expect((header.count == 6 ? UInt64(header[1] & 127) : stated) == length)
  }

  @Test("writes whole pings and pongs")
  func pings() {
    let payload = [UInt8](repeating: 7, count: 125)
    let mask = WebSocketMask(0x1234_5678)
    let ping = parsed(writtenBytes { WebSocketEncoder.ping(payload.span, mask: mask, into: $0) })
    let pong = parsed(writtenBytes { WebSocketEncoder.pong("".bytes.span, mask: mask, into: $0) })
    #expect(ping == (0x89, payload))
    #expect(pong == (0x8A, []))
  }

  @Test("cuts the reason of a close between two characters (section 5.5.1)")
  func closes() {
    let mask = WebSocketMask(0x8765_4321)
    func close(_ code: UInt16?, _ reason: String) -> (first: UInt8, payload: [UInt8]) {
      parsed(writtenBytes { WebSocketEncoder.close(code, reason: reason.bytes.span, mask: mask, into: $0) })
    }
    #expect(close(nil, "") == (0x88, []))
    #expect(close(1000, "bye") == (0x88, [0x03, 0xE8] + "bye".bytes))
    for padding in 0..<8 {
      let reason = String(repeating: "a", count: padding) + String(repeating: "😀", count: 40)
      let payload = close(4000, reason).payload
      let kept = String(decoding: payload.dropFirst(2), as: UTF8.self)
      #expect(payload.count <= 125 && payload.count > 121)
      #expect(reason.hasPrefix(kept) && !kept.isEmpty)
      #expect(kept.utf8.elementsEqual(payload.dropFirst(2)))
    }
  }
}
