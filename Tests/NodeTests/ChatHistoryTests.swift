import Codec
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import Node

@Suite("Reading a chat's history")
struct ChatHistoryTests {
  private func read(_ json: String, room: Int = 4096) -> [String] { read(Array(json.utf8), room: room) }

  private func read(_ bytes: [UInt8], room: Int = 4096) -> [String] {
    let buffer = FixedBuffer(capacity: room)
    var messages: [String] = []
    ChatHistory.forEach(JSONView(bytes.span), into: buffer.bytes) { isPerson, text, isCut, time in
      messages.append("\(isPerson ? "person" : "agent") \(time) \(NotingListener.text(text))\(isCut ? " (cut)" : "")")
    }
    return messages
  }

  @Test("content is a string, or blocks of text; times are there or not")
  func shapes() {
    #expect(
      read(
        """
        {"sessionKey":"agent:main:main","messages":[
        {"role":"user","content":"hello","timestamp":1767225800000},
        {"role":"assistant","content":[{"type":"text","text":"Hi"},{"type":"text","text":"there"}],
        "timestamp":1767225801000},
        {"role":"user","text":"old shape"},
        {"role":"assistant","content":[{"type":"output_text","text":"yes"}],"timestamp":"2026-01-01"}]}
        """) == [
          "person 1767225800000 hello", "agent 1767225801000 Hi\nthere", "person 0 old shape", "agent 0 yes",
        ])
  }

  @Test("a time beyond all calendars is the last of the year 9999, to which a zone can be added")
  func endlessTimes() {
    let times = ["9223372036854775807", "-9223372036854775808", "1e30"]
    let messages = times.map { #"{"role":"user","content":"x","timestamp":\#($0)}"# }.joined(separator: ",")
    #expect(read(#"{"messages":[\#(messages)]}"#) == ["person 253402300799999 x", "person 0 x", "person 0 x"])
  }

  @Test("tools, thoughts and empty messages are left out")
  func others() {
    #expect(
      read(
        """
        {"messages":[{"role":"system","content":"x"},{"role":"toolResult","content":[{"type":"text","text":"42"}]},
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"toolCall","name":"f"}]},
        {"role":"assistant","content":""},{"role":"user","content":[{"type":"tool_result","text":"42"}]},
        {"content":"nobody"},7,
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"done"}]}]}
        """) == ["agent 0 done"])
  }

  @Test("the time that gateways put before what a person says is not shown, other brackets are")
  func dates() {
    func said(_ text: String) -> [String] { read(#"{"messages":[{"role":"user","content":"\#(text)"}]}"#) }
    #expect(said("[Sun 2026-11-22 15:46 UTC] lamp on") == ["person 0 lamp on"])
    #expect(said("[2026-11-22 15:46] lamp") == ["person 0 lamp"])
    for text in ["[x] lamp", "[2026-11-22]lamp", "[", "[2026-11-22 lamp", "lamp [2026-11-22] on"] {
      #expect(said(text) == ["person 0 \(text)"])
    }
  }

  @Test("what does not fit the buffer is cut at a character's edge")
  func cut() {
    #expect(read(#"{"messages":[{"role":"user","content":"aäää"}]}"#, room: 4) == ["person 0 aä (cut)"])
  }

  @Test("an answer that is no history, or is cut off at any byte, gives messages or none, and nothing else")
  func garbage() {
    for text in [
      "", "null", "7", "[]", "{}", #"{"messages":7}"#, #"{"messages":{"role":"user"}}"#, #"{"kind":"reset"}"#,
    ] {
      #expect(read(text).isEmpty)
    }
    let whole = Array(
      #"{"messages":[{"role":"user","content":"one"},{"role":"assistant","content":[{"type":"text","text":"twö"}],"timestamp":5}]}"#
        .utf8)
    #expect(read(whole) == ["person 0 one", "agent 5 twö"])
    for end in 0..<whole.count {
      for message in read(Array(whole[..<end])) {
        #expect("person 0 one".hasPrefix(message) || message.hasPrefix("agent "))
      }
    }
  }
}
