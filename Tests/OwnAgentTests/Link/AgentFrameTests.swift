import Codec
import Runtime
import Testing

@testable import OwnAgent

private func frame(_ kind: AgentFrame.Kind, _ body: [UInt8]) -> [UInt8] {
  let room = FixedBuffer(capacity: AgentFrame.headBytes + Budget.agentFrameBytes)
  let count = AgentFrame.write(kind, into: room.bytes) { $0.bytes(body.span) }
  return Array(room.bytes[..<count])
}

/// What a reader finds in bytes that arrive in pieces of this size.
private func read(_ bytes: [UInt8], by size: Int) -> (frames: [(AgentFrame.Kind, [UInt8])], isBroken: Bool) {
  var reader = AgentFrameReader()
  var found: [(AgentFrame.Kind, [UInt8])] = []
  var start = 0
  while start < bytes.count, !reader.isBroken {
    let room = reader.room()
    let count = min(size, bytes.count - start, room.count)
    for index in 0..<count { room[index] = bytes[start + index] }
    reader.wrote(count)
    start += count
    while let (kind, body) = reader.next() { found.append((kind, Array(body))) }
  }
  return (found, reader.isBroken)
}

@Suite struct AgentFrameTests {
  @Test func framesComeBackHoweverTheyAreCut() {
    let bodies: [[UInt8]] = [[], [1, 2, 3], Array(repeating: 7, count: 300)]
    let bytes = bodies.flatMap { frame(.say, $0) } + frame(.ended, [0])
    for size in [1, 2, 3, 5, 7, 64, 1000] {
      let (frames, isBroken) = read(bytes, by: size)
      #expect(!isBroken)
      #expect(frames.map(\.1) == bodies + [[0]])
      #expect(frames.map(\.0) == [.say, .say, .say, .ended])
    }
  }

  @Test func theLargestFrameFitsAndALargerBodyIsCut() {
    let body = Array(repeating: UInt8(9), count: Budget.agentFrameBytes + 5)
    let (frames, isBroken) = read(frame(.text, body), by: 4096)
    #expect(!isBroken)
    #expect(frames.first?.1.count == Budget.agentFrameBytes)
  }

  @Test func whatIsNoFrameEndsTheReading() {
    for bytes: [UInt8] in [
      [0, 0, 0, 0, 0], [0xFF, 1, 0, 0, 0, 1], [AgentFrame.Kind.say.rawValue, 1, 0x40, 0, 0],
      [AgentFrame.Kind.say.rawValue, 0xFF, 0xFF, 0xFF, 0xFF],
    ] {
      let (frames, isBroken) = read(bytes + [1, 2, 3], by: 3)
      #expect(frames.isEmpty)
      #expect(isBroken)
    }
  }

  @Test func aReaderBeginsAgainAfterAReset() {
    var reader = AgentFrameReader()
    let room = reader.room()
    room[0] = 0
    reader.wrote(5)
    let first = reader.next() == nil
    #expect(first && reader.isBroken)
    reader.reset()
    let bytes = frame(.ready, [])
    let again = reader.room()
    for index in 0..<bytes.count { again[index] = bytes[index] }
    reader.wrote(bytes.count)
    let kind = reader.next()?.kind
    #expect(kind == .ready)
  }

  @Test func fieldsAreReadInTheirOrder() {
    let room = FixedBuffer(capacity: 64)
    var writer = ByteWriter(into: room.bytes)
    writer.littleEndian(0x1234_5678_9ABC_DEF0, bytes: 8)
    writer.littleEndian(0xFEDC, bytes: 2)
    writer.text("name\u{0}rest")
    var fields = FrameFields(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room.bytes)[..<writer.count]).span)
    let numbers = [fields.number(bytes: 8), fields.number(bytes: 2)]
    #expect(numbers == [0x1234_5678_9ABC_DEF0, 0xFEDC])
    let name = fields.word().matches("name")
    let rest = fields.rest().matches("rest")
    #expect(name && rest && fields.isComplete)
  }

  @Test func fieldsThatAreNotThereReadAsNothing() {
    let bytes: [UInt8] = [1, 2, 3]
    var fields = FrameFields(bytes.span)
    let number = fields.number(bytes: 4)
    #expect(number == 0 && !fields.isComplete)
    var words = FrameFields(bytes.span)
    let isEmpty = words.word().isEmpty
    #expect(isEmpty && !words.isComplete)
  }

  @Test func randomBytesNeverTrap() {
    var state: UInt64 = 0x5EED
    for _ in 0..<300 {
      var bytes: [UInt8] = []
      for _ in 0..<200 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: state >> 56))
      }
      bytes[0] = AgentFrame.Kind.say.rawValue
      (bytes[3], bytes[4]) = (0, 0)
      _ = read(bytes, by: 1 + Int(state % 50))
    }
  }
}
