import Testing

@testable import Runtime

@Suite struct IntakeBufferTests {
  private func write(_ text: String, into buffer: inout IntakeBuffer) {
    let room = buffer.room()
    for (index, byte) in text.utf8.prefix(room.count).enumerated() { room[index] = byte }
    buffer.wrote(text.utf8.count)
  }

  private func text(_ buffer: inout IntakeBuffer) -> String { String(decoding: buffer.bytes(), as: UTF8.self) }

  @Test func whatIsUsedMakesRoomForMore() {
    var buffer = IntakeBuffer(capacity: 8)
    write("abcdef", into: &buffer)
    buffer.use(4)
    #expect(text(&buffer) == "ef")
    write("ghijkl", into: &buffer)
    let (all, rest) = (text(&buffer), buffer.room().count)
    #expect(all == "efghijkl" && rest == 0)
    buffer.reset()
    let room = buffer.room().count
    #expect(text(&buffer).isEmpty && room == 8)
  }

  @Test func whatWasUsedStaysUntilTheNextCall() {
    var buffer = IntakeBuffer(capacity: 8)
    write("abcd", into: &buffer)
    let bytes = buffer.bytes()
    buffer.use(4)
    #expect(String(decoding: bytes, as: UTF8.self) == "abcd")
  }

  @Test func numbersThatAreTooLargeOrBelowZeroCountAsTheNearest() {
    var buffer = IntakeBuffer(capacity: 4)
    write("abcdefgh", into: &buffer)
    buffer.wrote(-5)
    buffer.use(-1)
    #expect(text(&buffer) == "abcd")
    buffer.use(.max)
    #expect(text(&buffer).isEmpty)
  }
}
