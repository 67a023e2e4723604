import Codec
import Runtime
import Testing

@testable import Hands

/// A device at the end of a line: it answers as a test says.
final class ScriptedLine: SerialLine {
  var sent: [[UInt8]] = []
  /// What comes back after each request, in pieces.
  var answers: [[[UInt8]]] = []
  var failure: Errno?
  private var waiting: [[UInt8]] = []
  let clock = LineClock()
  private(set) var closed = 0

  func send(_ bytes: UnsafeBufferPointer<UInt8>) throws(Errno) {
    if let failure { throw failure }
    sent.append(Array(bytes))
    waiting = answers.isEmpty ? [] : answers.removeFirst()
  }

  func receive(into bytes: UnsafeMutableBufferPointer<UInt8>, milliseconds: Int64) throws(Errno) -> Int {
    guard !waiting.isEmpty else {
      clock.monotonic += milliseconds
      return 0
    }
    clock.monotonic += 1
    let piece = waiting.removeFirst()
    for index in 0..<min(piece.count, bytes.count) { bytes[index] = piece[index] }
    if piece.count > bytes.count { waiting.insert(Array(piece[bytes.count...]), at: 0) }
    return min(piece.count, bytes.count)
  }

  func close() { closed += 1 }
}

final class LineClock: Clock {
  var monotonic: Int64 = 0
  var wall: Int64 { 0 }
}

@Suite("Modbus RTU") struct ModbusTests {
  private func frame(_ bytes: [UInt8]) -> [UInt8] {
    let sum = ModbusFrame.checksum(bytes.span)
    return bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }

  private func register(_ text: String, name: String = "value") throws -> ModbusRegister {
    let (register, complaint) = ModbusRegister.parse(name: name, text)
    #expect(complaint.isEmpty)
    return try #require(register)
  }

  private func client(_ line: ScriptedLine, address: UInt8 = 1) -> ModbusClient {
    ModbusClient(address: address, baud: 115_200, timeout: 100, line: line, clock: line.clock)
  }

  @Test("the checksum of the standard's example is 41 12 on the line")
  func checksum() {
    // MODBUS over serial line V1.02, section 6.2.2.
    let example: [UInt8] = [0x02, 0x07]
    #expect(ModbusFrame.checksum(example.span) == 0x1241)
  }

  @Test("silence between frames is 3.5 characters, and 1.75 ms above 19200 baud")
  func silence() {
    #expect(ModbusFrame.silenceMilliseconds(baud: 9600) == 5)
    #expect(ModbusFrame.silenceMilliseconds(baud: 1200) == 33)
    #expect(ModbusFrame.silenceMilliseconds(baud: 19_200) == 3)
    #expect(ModbusFrame.silenceMilliseconds(baud: 115_200) == 2)
  }

  @Test("the examples of the application protocol: reading")
  func reading() throws {
    // V1.1b3, section 6.4: input register 9 (address 8) holds 10.
    let line = ScriptedLine()
    line.answers = [[frame([1, 4, 2, 0, 10])]]
    #expect(client(line).read(try register("input 8 u16")) == .success(10))
    #expect(line.sent == [frame([1, 4, 0, 8, 0, 1])])
    // Section 6.3: registers 108 to 110 hold 555, 0 and 100; two of them as one number.
    line.answers = [[frame([17, 3, 4, 0x02, 0x2B, 0, 100])]]
    #expect(client(line, address: 17).read(try register("holding 107 u32")) == .success(Double(0x022B_0064)))
    #expect(line.sent.last == frame([17, 3, 0, 0x6B, 0, 2]))
    // Section 6.1: coil 20 (address 19) of CD 6B 05 is on.
    line.answers = [[frame([1, 1, 1, 0xCD])], [frame([1, 2, 1, 0xAC])]]
    #expect(client(line).read(try register("coil 0x13")) == .success(1))
    #expect(client(line).read(try register("discrete 196")) == .success(0))
    #expect(line.sent.last == frame([1, 2, 0, 196, 0, 1]))
  }

  @Test("the examples of the application protocol: writing")
  func writing() throws {
    let line = ScriptedLine()
    // Section 6.5: output 173 (address 172) on. Section 6.6: register 2 (address 1) becomes 3.
    line.answers = [[frame([1, 5, 0, 0xAC, 0xFF, 0])], [frame([1, 6, 0, 1, 0, 3])]]
    #expect(client(line).write(try register("coil 172 writable"), 1) == nil)
    #expect(client(line).write(try register("holding 1 u16 writable 0..9"), 3) == nil)
    #expect(line.sent == [frame([1, 5, 0, 0xAC, 0xFF, 0]), frame([1, 6, 0, 1, 0, 3])])
    // Section 6.12: two registers from address 1 become 000Ah and 0102h.
    line.answers = [[frame([1, 16, 0, 1, 0, 2])]]
    #expect(client(line).write(try register("holding 1 u32 writable 0..99999999"), Double(0x000A_0102)) == nil)
    #expect(line.sent.last == frame([1, 16, 0, 1, 0, 2, 4, 0, 10, 1, 2]))
  }

  @Test("numbers of all types, in both orders, scaled")
  func types() throws {
    func value(_ text: String, _ bytes: [UInt8]) throws -> Double? { try register(text).decode(bytes.span) }
    #expect(try value("holding 0 i16 scale 0.1", [0xFF, 0x9C]) == -10)
    #expect(try value("holding 0 i32", [0xFF, 0xFF, 0xFF, 0xFE]) == -2)
    #expect(try value("holding 0 u32 low-first", [0x00, 0x01, 0x00, 0x02]) == 131_073)
    #expect(try value("holding 0 f32", [0x41, 0xBC, 0x00, 0x00]) == 23.5)
    #expect(try value("holding 0 f32 low-first", [0x00, 0x00, 0x41, 0xBC]) == 23.5)
    #expect(try value("holding 0 f32", [0x7F, 0xC0, 0x00, 0x00]) == nil)
    for text in ["i16 scale 0.1", "i32", "u32 low-first", "f32 low-first"] {
      let register = try register("holding 0 \(text) writable 0..100")
      let words = try #require(register.encode(42))
      var bytes: [UInt8] = []
      for index in 0..<words.count { bytes += [UInt8(words[index] >> 8), UInt8(words[index] & 0xFF)] }
      #expect(register.decode(bytes.span) == 42)
    }
    #expect(try register("holding 0 u16").encode(-1) == nil)
    #expect(try register("holding 0 i16").encode(.nan) == nil)
    #expect(try register("holding 0 u32").encode(1e300) == nil)
  }

  @Test("an exception is a sentence, and a refused reading is not repeated")
  func exceptions() throws {
    let line = ScriptedLine()
    line.answers = [[frame([1, 0x83, 2])]]
    #expect(client(line).read(try register("holding 9 u16")) == .failure(ModbusError(.exception(2))))
    #expect(line.sent.count == 1)
    for code in UInt8(0)...255 { #expect(ModbusFailure.exception(code).text.utf8CodeUnitCount > 10) }
  }

  @Test("a failure is a sentence; a line that does not work is told with the next step")
  func sentences() {
    func sentence(_ failure: ModbusFailure) -> String {
      let bytes = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
        var writer = ByteWriter(into: buffer)
        failure.write(to: &writer)
        count = min(writer.count, 256)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(sentence(.silence).hasPrefix("the device does not answer: look at its power"))
    #expect(sentence(.exception(2)) == "the device has no register at this address (exception 2)")
    for number: Int32 in 1...133 {
      let trouble = DeviceTrouble(Errno(number), of: .serial)
      #expect(sentence(.failed(Errno(number))) == "its line does not work: \(trouble.text); \(trouble.step)")
    }
  }

  @Test("noise and silence are asked again once; another device's answer is none")
  func noise() throws {
    let line = ScriptedLine()
    var bad = frame([1, 3, 2, 0, 7])
    bad[3] ^= 1
    line.answers = [[bad], [[1, 3], [2, 0], Array(frame([1, 3, 2, 0, 7])[4...])]]
    #expect(client(line).read(try register("holding 0 u16")) == .success(7))
    #expect(line.sent.count == 2)
    #expect(client(line).read(try register("holding 0 u16")) == .failure(ModbusError(.silence)))
    line.answers = [[frame([2, 3, 2, 0, 7])], [frame([2, 3, 2, 0, 7])]]
    #expect(client(line).read(try register("holding 0 u16")) == .failure(ModbusError(.otherDevice)))
    line.answers = [[frame([1, 3, 4, 0, 7, 0, 0])], [frame([1, 4, 2, 0, 7])]]
    #expect(client(line).read(try register("holding 0 u16")) == .failure(ModbusError(.malformed)))
  }

  @Test("a write is never repeated, and an answer of something else is not taken for it")
  func writes() throws {
    let line = ScriptedLine()
    let register = try register("holding 1 u16 writable 0..9")
    #expect(client(line).write(register, 3) == .silence)
    #expect(line.sent.count == 1)
    line.answers = [[frame([1, 6, 0, 1, 0, 4])]]
    #expect(client(line).write(register, 3) == .malformed)
    line.failure = .inputOutput
    #expect(client(line).write(register, 3) == .failed(.inputOutput))
    #expect(line.closed == 1)
  }

  @Test(
    "a wrong description is refused",
    arguments: [
      "", "holding", "holding 1", "holding 65536 u16", "holding 0xZZ u16", "coil 1 u16", "input 1 u16 writable 0..1",
      "holding 1 u16 writable", "holding 1 u16 writable 9..1", "holding 1 u16 writable 0..65536", "holding 1 u8",
      "holding 1 u16 scale 0", "holding 1 u16 scale", "holding 1 u16 low-first", "holding 1 u16 unit",
      "holding 1 u16 nonsense", "register 1 u16", "holding 1 i16 writable -40000..0",
    ])
  func wrong(text: String) {
    let (register, complaint) = ModbusRegister.parse(name: "value", text)
    #expect(register == nil && !complaint.isEmpty)
  }

  @Test("a register's name is one that a schema can have")
  func names() {
    for name in ["", "Flow", "1st", "a b", String(repeating: "x", count: 33)] {
      #expect(ModbusRegister.parse(name: name, "holding 0 u16").register == nil)
    }
  }
}
