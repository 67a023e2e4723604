import Codec
import Hands
import Runtime

/// Values of sensors are numbers, or none.
func checkSensorTexts(_ bytes: [UInt8]) {
  if let value = SensorTexts.number(bytes.span) { expect(value.isFinite, "a value of \(value)") }
  if case .value(let value) = SensorTexts.oneWire(bytes.span) { expect(value.isFinite, "\(value) degrees") }
  let (source, complaint) = SensorSource.parse(String(decoding: bytes, as: UTF8.self))
  expect((source == nil) == !complaint.isEmpty, "a source or a complaint")
  guard let source else { return }
  for name in [source.device, source.channel, source.place] {
    expect(!name.utf8.contains(UInt8(ascii: "/")) && !name.hasPrefix("."), "\(name) in a path")
  }
}

/// A line that answers with the fuzzer's bytes, in pieces.
private final class FuzzedLine: SerialLine, Clock {
  var monotonic: Int64 = 0
  var wall: Int64 { 0 }
  private let bytes: [UInt8]
  private var ranges: [Range<Int>]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    ranges = pieces(bytes).reversed()
  }

  func send(_ request: UnsafeBufferPointer<UInt8>) throws(Errno) { expect(request.count >= 1, "an empty request") }

  func receive(into room: UnsafeMutableBufferPointer<UInt8>, milliseconds: Int64) throws(Errno) -> Int {
    monotonic += 1
    guard let range = ranges.popLast() else {
      monotonic += milliseconds
      return 0
    }
    let count = min(range.count, room.count)
    for index in 0..<count { room[index] = bytes[range.lowerBound + index] }
    return count
  }

  func close() {}
}

/// Whatever a device sends: a number, or a failure.
func checkModbus(_ bytes: [UInt8]) {
  for description in ["holding 16 u16 scale 0.1", "input 3 f32 low-first", "coil 2", "holding 1 i32 writable -5..5"] {
    guard let register = ModbusRegister.parse(name: "value", description).register else { continue }
    let line = FuzzedLine(bytes)
    let client = ModbusClient(address: 7, baud: 921_600, timeout: 50, line: line, clock: line)
    if case .success(let value) = client.read(register) { expect(value.isFinite, "a value of \(value)") }
    if register.writable != nil { _ = client.write(register, 3) }
  }
  let text = String(decoding: bytes, as: UTF8.self)
  let (register, complaint) = ModbusRegister.parse(name: "value", text)
  expect((register == nil) == !complaint.isEmpty, "a register or a complaint")
}

/// Whatever an instrument sends is safe text of a bounded length.
func checkSerialAnswer(_ bytes: [UInt8]) {
  let line = FuzzedLine(bytes)
  let buffer = FixedBuffer(capacity: 256)
  let safe = FixedBuffer(capacity: 300)
  let request: [UInt8] = [0x3F]
  let outcome = request.withUnsafeBufferPointer {
    SerialExchange(terminator: [0x0D, 0x0A], timeout: 50).run($0, over: line, into: buffer.bytes, clock: line)
  }
  switch outcome {
  case .answer(let count), .cut(let count), .unfinished(let count):
    let length = SafeText.copy(UnsafeBufferPointer(rebasing: buffer.bytes[..<count]), into: safe.bytes)
    let text = UnsafeBufferPointer(rebasing: safe.bytes[..<length])
    expect(UTF8Validator.isValid(Span(_unsafeElements: text)), "no UTF-8")
    for byte in text { expect(byte >= 0x20 || byte == 0x0A || byte == 0x09, "a control character \(byte)") }
  default: break
  }
}

/// A pattern and a text after a line end; a command line and arguments after a line end.
func checkProgram(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
  let (first, second) = (Array(parts[0]), parts.count > 1 ? Array(parts[1]) : [])
  if let pattern = TextPattern(first.span), pattern.matches(second.span) {
    for byte in second { expect(byte >= 0x20 && byte < 0x7F, "a byte \(byte) that no pattern has") }
  }
  let (template, complaint) = ProgramTemplate.parse(String(decoding: first, as: UTF8.self))
  expect((template == nil) == !complaint.isEmpty, "a command line or a complaint")
  guard let template else { return }
  expect(template.path.hasPrefix("/"), "a path of \(template.path)")
  do throws(JSONError) { try JSONValidator.check(second.span, depthLimit: 8) } catch { return }
  let arguments = JSONView(second.span)
  guard arguments.kind == .object else { return }
  let words = ProgramWords()
  do throws(ProgramTemplate.Refusal) { try template.fill(words, arguments) } catch { return }
  var count = 0
  words.forEach { _ in count += 1 }
  expect((1...Budget.programWords).contains(count), "\(count) words")
}
