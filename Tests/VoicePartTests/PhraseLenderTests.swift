import Codec
import Foundation
import Runtime
import Sound
import Testing
@testable import Agent
@testable import Benches
@testable import Node
@testable import VoicePart

@Suite("The microphone of a running agent is lent to who teaches it a phrase")
struct PhraseLenderTests {
  private let sound = SoundBench()
  private let server = NotingServer()
  private let bench: AgentBench
  private let control: Control
  private let wake = ScriptedListener()

  init() throws {
    bench = try AgentBench(connects: false, microphone: sound.microphone)
    control = Control(server: server, node: bench.agent)
    sound.want(.wake, wake)
  }

  private func ask(_ line: String, from client: Int = 0) {
    control.lineReceived(line.utf8.span, from: client)
    sound.runner.run()
  }

  private func take(_ id: Int, from client: Int = 0) { ask(#"{"op":"take","id":\#(id)}"#, from: client) }

  /// What was said since the last call; of a recording its first 60 characters.
  private func heard() -> [String] {
    defer { server.lines.removeAll() }
    return server.lines.map { String($0.text.prefix(180)) }
  }

  /// Blocks until it records, and of a recording.
  private let skipped = Budget.enrolSkippedSamples / Budget.soundBlock
  private let whole = Budget.enrolTakeSamples / Budget.soundBlock

  @Test(
    "recordings of three seconds, from when the microphone has settled; nobody listens for phrases until the console is gone"
  )
  func lends() throws {
    sound.capture.hear(5)
    take(1)
    sound.capture.hear(skipped - 1)
    #expect(heard().isEmpty)
    sound.capture.hear(1)
    #expect(heard() == [#"{"id":1,"type":"started"}"#])
    sound.capture.hear(whole - 1)
    #expect(heard().isEmpty)
    sound.capture.value = 700
    sound.capture.hear(1)
    let line = try #require(server.lines.first?.text)
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let result = try #require(answer["result"] as? [String: Any])
    let bytes = [UInt8](Data(base64Encoded: result["samples"] as? String ?? "") ?? Data())
    #expect(result["rate"] as? Int == 16_000 && bytes.count == 2 * Budget.enrolTakeSamples)
    func sample(_ place: Int) -> Int {
      Int(Int16(bitPattern: UInt16(bytes[2 * place]) | UInt16(bytes[2 * place + 1]) << 8))
    }
    // The high pass takes a little of both.
    let (first, last) = (abs(sample(0)), abs(sample(Budget.enrolTakeSamples - 1)))
    #expect(950...1_050 ~= first && 650...750 ~= last)
    // Between two recordings nobody wakes the board either.
    sound.capture.hear(10)
    #expect(wake.blocks == 5 && wake.turns == [true, false] && sound.capture.opens == 1)
    server.lines.removeAll()
    take(2)
    sound.capture.hear(skipped + whole)
    #expect(heard().count == 2)
    control.lineClientDisconnected(0)
    sound.capture.hear(7)
    #expect(wake.blocks == 12 && wake.turns == [true, false, true])
  }

  @Test("one console at a time, and one recording")
  func busy() {
    take(1)
    take(2)
    take(1, from: 1)
    let lines = heard()
    #expect(
      lines.count == 2
        && lines.allSatisfy { $0.contains(#""code":"BUSY","message":"another program at this board teaches"#) })
    control.lineClientDisconnected(1)
    sound.capture.hear(skipped)
    #expect(heard() == [#"{"id":1,"type":"started"}"#])
  }

  @Test("whoever talks with the board goes first, and so does what it says")
  func taken() {
    for use in [MicrophoneUse.pushToTalk, .talk, .playback] {
      take(1)
      sound.capture.hear(skipped + 3)
      sound.want(use, nil)
      #expect(
        heard().last?.contains(
          #""id":1,"type":"error","code":"BUSY","message":"a conversation or the board's own speech has the microphone"#
        ) == true)
      // Before it is over there is nothing to lend.
      take(2)
      #expect(heard().last?.contains(#""id":2,"type":"error","code":"BUSY""#) == true)
      sound.release(use)
      #expect(sound.microphone.use == .wake)
    }
  }

  @Test("panic ends it, and so does a card that fails; both are told")
  func lost() {
    take(1)
    sound.microphone.hold()
    sound.runner.run()
    #expect(heard() == [#"{"id":1,"type":"error","code":"UNAVAILABLE","message":"a person holds this board (panic)"}"#])
    take(2)
    #expect(heard().last?.contains("a person holds this board (panic)") == true)
    sound.microphone.letGo()
    sound.runner.run()
    #expect(sound.microphone.use == .wake && sound.capture.isOpen)
    take(3)
    sound.capture.reads = [.failure(.disconnected)]
    sound.capture.delegate?.soundReady()
    #expect(heard() == [#"{"id":3,"type":"error","code":"UNAVAILABLE","message":"the sound card was unplugged"}"#])
    #expect(sound.microphone.use == .wake)
  }

  @Test("a console that went away in the midst of a recording leaves nothing open")
  func gone() {
    sound.release(.wake)
    take(1)
    sound.capture.hear(skipped + 5)
    #expect(sound.capture.isOpen)
    control.lineClientDisconnected(0)
    sound.runner.run()
    #expect(!sound.capture.isOpen && sound.microphone.use == nil)
  }

  @Test("without a microphone there is none to lend; what was learned is of no use where nobody waits for phrases")
  func nothing() throws {
    let agent = try AgentBench(connects: false)
    let other = Control(server: server, node: agent.agent)
    other.lineReceived(#"{"op":"take","id":1}"#.utf8.span, from: 0)
    #expect(heard()[0].contains(#""code":"NO_MICROPHONE""#))
    ask(#"{"op":"wake-learnt","id":2,"phrase":"hey kitchen"}"#)
    #expect(heard() == [#"{"id":2,"type":"result","result":{"wakes":false}}"#])
    for request in [
      #"{"op":"wake-learnt","id":3}"#, #"{"op":"wake-learnt","id":3,"phrase":""}"#,
      #"{"op":"wake-learnt","id":3,"phrase":7}"#,
    ] {
      ask(request)
      #expect(heard()[0].contains(#""code":"INVALID_REQUEST","message":"\"phrase\" is a phrase"#))
    }
  }
}
