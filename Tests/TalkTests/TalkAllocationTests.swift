import CAllocationCounter
import Codec
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
    var allocations: UInt64 = 0
    for round in 0..<2 {
      // What is made once is made in the first round.
      tl_count_allocations()
      block.withUnsafeBufferPointer { block in
        for _ in 0..<50 {
          _ = recorder.push(block)
          _ = interrupt.push(block)
          let count = converter.convert(block, into: output)
          for index in 0..<count { codes += Int(G711.muLaw(encoding: output[index])) }
          jitter.push(block)
          jitter.pull(output)
        }
        var chime = Chime(.sent, volume: 1)
        while chime.fill(output) == output.count {}
      }
      let counted = tl_counted_allocations()
      if round == 1 { allocations = counted }
    }
    #expect(allocations == 0)
    #expect(recorder.count == 100 * block.count && codes > 0)
  }

  @Test("sentences are cut, and words compared, without taking memory")
  func words() {
    let spoken = SpokenText()
    var echo = EchoGuard()
    let transcript = Transcript()
    let reply = Array("Hello **there**. See [this](http://a.b) now. ".utf8)
    let heard = Array("Computer, lights on".utf8)
    let phrase = Array("computer".utf8)
    var said = 0
    var counts = [UInt64](repeating: 0, count: 4)
    for _ in 0..<2 {
      tl_count_allocations()
      for _ in 0..<50 { spoken.add(reply.span) { said += $0.count } }
      counts[0] = tl_counted_allocations()
      tl_count_allocations()
      for _ in 0..<50 {
        echo.speak(heard.span)
        if echo.isOwnVoice(heard.span) { said += 1 }
      }
      counts[1] = tl_counted_allocations()
      tl_count_allocations()
      for _ in 0..<50 {
        transcript.clear()
        transcript.add(heard.span)
      }
      counts[2] = tl_counted_allocations()
      tl_count_allocations()
      for _ in 0..<50 { if let range = WakeText.command(in: heard.span, after: phrase.span) { said += range.count } }
      counts[3] = tl_counted_allocations()
    }
    #expect(counts == [0, 0, 0, 0])
    #expect(said > 0 && transcript.count == heard.count)
  }
}
