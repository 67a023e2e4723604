import CAllocationCounter
import Runtime
import Testing

@testable import Talk

@Suite("Sound passes without allocation", .serialized)
struct TalkAllocationTests {
  @Test("a block is heard, recorded, converted, coded, buffered and played without taking memory")
  func blocks() throws {
    let recorder = try UtteranceRecorder()
    let converter = RateConverter(from: 16_000, to: 8_000)
    let jitter = try JitterBuffer(capacity: 16_000, start: 1_000)
    var interrupt = InterruptGate()
    let block = Sound.tone(32)
    let output = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 1_024)
    defer { output.deallocate() }
    recorder.begin(.hold)
    var codes = 0
    tl_count_allocations()
    block.withUnsafeBufferPointer { block in
      for _ in 0..<50 {
        _ = recorder.push(block)
        _ = interrupt.push(block)
        let count = converter.convert(block, into: output)
        for index in 0..<count { codes += Int(G711.encode(output[index])) }
        jitter.push(block)
        jitter.pull(output)
      }
      var chime = Chime(.sent, volume: 1)
      while chime.fill(output) == output.count {}
    }
    let allocations = tl_counted_allocations()
    #expect(allocations == 0)
    #expect(recorder.count == 50 * block.count && codes > 0)
  }

  @Test("words are read, cut and compared without taking memory")
  func words() {
    var spoken = SpokenText()
    var head = ReplyHead()
    var echo = EchoGuard()
    let transcript = Transcript()
    let reply = Array("{\"voice\":\"a\"}\nHello **there**. See [this](http://a.b) now. ".utf8)
    let heard = Array("Computer, lights on".utf8)
    let phrase = Array("computer".utf8)
    var said = 0
    tl_count_allocations()
    for _ in 0..<50 {
      head.reset()
      reply.withUnsafeBufferPointer { bytes in
        head.add(Span(_unsafeElements: bytes)) { text in spoken.add(text) { said += $0.count } }
      }
      echo.speak(heard.span)
      if echo.isOwnVoice(heard.span) { said += 1 }
      transcript.clear()
      transcript.add(heard.span)
      if let range = WakeText.command(in: Span(_unsafeElements: transcript.bytes), after: phrase.span) { transcript.keep(range) }
    }
    let allocations = tl_counted_allocations()
    #expect(allocations == 0)
    #expect(said > 0 && transcript.count == 9)
  }
}
