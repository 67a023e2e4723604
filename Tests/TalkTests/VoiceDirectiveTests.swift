import Codec
import Runtime
import Testing

@testable import Talk

@Suite("The first line of a reply may say how it is spoken")
struct VoiceDirectiveTests {
  private func read(_ line: String) -> VoiceDirective? { VoiceDirective.read(line.utf8.span) }

  /// What `talk.speak` is asked for.
  private func members(_ directive: VoiceDirective?) -> String? {
    guard let directive else { return nil }
    let buffer = FixedBuffer(capacity: 1_024)
    var writer = JSONWriter(into: buffer.bytes)
    writer.beginObject()
    directive.writeMembers(to: &writer)
    writer.endObject()
    return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
  }

  @Test(
    "every key, each of its names, and what it becomes",
    arguments: [
      (#"{"voice":"Ada"}"#, #"{"voiceId":"Ada"}"#),
      (#" {"voice_id":" Ada "} "#, #"{"voiceId":"Ada"}"#),
      (#"{"voiceId":"a","modelId":"m"}"#, #"{"voiceId":"a","modelId":"m"}"#),
      (#"{"speed":1.5}"#, #"{"speed":1.5}"#),
      (#"{"speed":"1.25"}"#, #"{"speed":1.25}"#),
      (#"{"rate":350,"voice":"a"}"#, #"{"voiceId":"a"}"#),
      (#"{"rate":210,"speed":0.9}"#, #"{"speed":1.2}"#),
      (#"{"wpm":"140"}"#, #"{"speed":0.8}"#),
      (#"{"stability":0,"similarity_boost":1,"style":0.5}"#, #"{"stability":0,"similarity":1,"style":0.5}"#),
      (#"{"speakerBoost":"yes"}"#, #"{"speakerBoost":true}"#),
      (#"{"no_speaker_boost":1}"#, #"{"speakerBoost":false}"#),
      (#"{"seed":4294967295}"#, #"{"seed":4294967295}"#),
      (#"{"apply_text_normalization":"off"}"#, #"{"normalize":"off"}"#),
      (#"{"language_code":" DE "}"#, #"{"language":"de"}"#),
      (#"{"latencyTier":4}"#, #"{"latencyTier":4}"#),
      (#"{"output_format":"mp3_44100"}"#, "{}"),
      (#"{"once":true}"#, "{}"),
    ])
  func keys(line: String, expected: String) {
    #expect(members(read(line)) == expected)
  }

  @Test(
    "a value outside its range is left out; where nothing usable is left, it is text",
    arguments: [
      #"{"speed":0.5}"#, #"{"speed":2}"#, #"{"rate":87.5}"#, #"{"rate":87}"#, #"{"stability":1.01}"#, #"{"seed":-1}"#,
      #"{"seed":1.5}"#, #"{"normalize":"maybe"}"#, #"{"lang":"deu"}"#, #"{"lang":"d1"}"#, #"{"lang":"0A"}"#,
      #"{"latency":5}"#,
      #"{"once":"perhaps"}"#, #"{"voice":""}"#, #"{"voice":"  "}"#, #"{"voice":7}"#, #"{"Voice":"a"}"#,
      #"{"colour":"red"}"#,
      "{}", "[1]", #"{"voice":"a"} and text"#, #"{"voice":"a""#, "", "{", #"{"speed":1e999}"#,
    ])
  func refused(line: String) {
    #expect(read(line) == nil)
  }

  @Test("a name that is too long, and a line that is, are left out")
  func lengths() {
    #expect(read(#"{"voice":"\#(String(repeating: "v", count: 128))"}"#) != nil)
    #expect(read(#"{"voice":"\#(String(repeating: "v", count: 129))"}"#) == nil)
    let filling = String(repeating: " ", count: Budget.directiveBytes)
    #expect(read(#"{"voice":"a",\#(filling)"once":true}"#) == nil)
  }

  @Test("keys that mean nothing are reported")
  func unknownKeys() {
    let directive = read(#"{"voice":"a","colour":"red","mood":1,"x":2,"y":3,"z":4}"#)
    #expect(directive?.unknownKeys.count == 4)
    #expect(directive.map { text($0.unknownKeys[0].span) } == "colour")
  }

  @Test("voice and model stay for what follows, unless it is for once")
  func choice() {
    var choice = VoiceChoice()
    var asked: [String?] = []
    for line in [
      "", #"{"voice":"a","speed":1.5}"#, "", #"{"voice":"b","model":"m","once":true}"#, #"{"model":"n"}"#, "",
    ] {
      let directive = choice.take(read(line))
      asked.append(members(directive))
    }
    #expect(
      asked == [
        "{}", #"{"voiceId":"a","speed":1.5}"#, #"{"voiceId":"a"}"#, #"{"voiceId":"b","modelId":"m"}"#,
        #"{"voiceId":"a","modelId":"n"}"#, #"{"voiceId":"a","modelId":"n"}"#,
      ])
  }

  /// What passes, and whether there was a directive; cut as `dice` says.
  private func head(_ reply: String, _ dice: inout Dice) -> (String, Bool) {
    let head = ReplyHead()
    var passed: [UInt8] = []
    let bytes = Array(reply.utf8)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 1 + dice.below(7))
      head.add(bytes.span.extracting(start..<end)) { passed += $0.withUnsafeBufferPointer { Array($0) } }
      start = end
    }
    head.finish { passed += $0.withUnsafeBufferPointer { Array($0) } }
    return (String(decoding: passed, as: UTF8.self), head.directive != nil)
  }

  @Test(
    "the line goes, and one blank line after it; all else is as it was",
    arguments: [
      ("{\"voice\":\"a\"}\nHello", "Hello", true),
      ("\n \n{\"voice\":\"a\"}\n\nHello\n\nyou", "Hello\n\nyou", true),
      ("{\"voice\":\"a\"}\n \t\n\nHello", "\nHello", true),
      ("{\"voice\":\"a\"}", "", true),
      ("{\"voice\":\"a\"}\n  Hello", "Hello", true),
      ("Hello\n{\"voice\":\"a\"}", "Hello\n{\"voice\":\"a\"}", false),
      ("{\"colour\":1}\nHello", "{\"colour\":1}\nHello", false),
      ("{not json}\nHello", "{not json}\nHello", false),
      (" \n ", " \n ", false),
      ("", "", false),
    ])
  func heads(reply: String, passed: String, isDirective: Bool) {
    for seed in 1...8 as ClosedRange<UInt64> {
      var dice = Dice(seed)
      let (rest, found) = head(reply, &dice)
      #expect(rest == passed)
      #expect(found == isDirective)
    }
  }

  @Test("a line that is too long to be one passes whole")
  func longLine() {
    let reply = "{\"voice\":\"" + String(repeating: "a", count: 3_000) + "\"}\nHello"
    var dice = Dice(1)
    let (rest, found) = head(reply, &dice)
    #expect(rest == reply)
    #expect(!found)
  }
}
