import Codec
import Runtime
import Testing
@testable import Benches
@testable import Node

@Suite("A history with tools, thoughts and pictures")
struct ChatHistoryReaderTests {
  private final class Noting: ChatHistoryReader {
    var lines: [String] = []
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
    deinit { buffer.deallocate() }

    func messageRead(isPerson: Bool, _ text: Span<UInt8>, isCut: Bool, time: Int64) {
      lines.append("\(isPerson ? "person" : "agent"): \(NotingListener.text(text))")
    }
    func stepRead(_ step: ChatStep, time: Int64) {
      var text = InlineText<128>()
      text.fill { buffer in
        var line = LogLine(buffer)
        step.writeLine(to: &line)
        return line.count
      }
      lines.append("\(NotingListener.text(text.span)) | \(NotingListener.text(step.detail.span))")
    }
    func pictureRead(isPerson: Bool, _ part: borrowing JSONView, time: Int64) {
      guard let count = ChatPicture.writeAddress(part, into: buffer) else { return lines.append("no picture") }
      lines.append("picture \(String(decoding: buffer[..<count], as: UTF8.self))")
    }
  }

  private func read(_ messages: String) -> [String] {
    let reader = Noting()
    let bytes = Array(#"{"messages":[\#(messages)]}"#.utf8)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
    defer { buffer.deallocate() }
    ChatHistory.read(JSONView(bytes.span), into: buffer, reader)
    return reader.lines
  }

  @Test("thoughts, the text, tools with their time, and what they gave, in that order")
  func order() {
    let lines = read(
      #"""
      {"role":"user","content":[{"type":"text","text":"look"}],"timestamp":1000},
      {"role":"assistant","timestamp":2000,"content":[{"type":"thinking","thinking":"I look"},
      {"type":"text","text":"One moment"},
        {"type":"toolCall","id":"t1","name":"camera.snap","arguments":{"facing":"front"}},
        {"type":"toolCall","id":"t2","name":"exec","arguments":{}}]},
      {"role":"toolResult","toolCallId":"t1","isError":false,"timestamp":4000,
        "content":[{"type":"text","text":"taken"},{"type":"image","data":"QUJD","mimeType":"image/jpeg"}]},
      {"role":"toolResult","toolCallId":"t2","isError":true,"timestamp":4500,"content":"no"},
      {"role":"assistant","content":"There","timestamp":5000}
      """#)
    #expect(
      lines == [
        "person: look", "thought | I look", "agent: One moment", #"camera.snap (2 s) | {"facing":"front"}"#,
        "exec failed (3 s) | {}", "picture data:image/jpeg;base64,QUJD", "agent: There",
      ])
  }

  @Test("the forms of other gateways and models")
  func forms() {
    let lines = read(
      #"""
      {"role":"assistant","content":[{"type":"redacted_thinking","data":"x"},
      {"type":"tool_use","id":"a","name":"see","input":{"n":1}}],"timestamp":10},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,
        "content":[{"type":"image","source":{"type":"base64","media_type":"image/webp",
        "data":"QQ=="}}]}],"timestamp":1010},
      {"role":"assistant","content":[{"type":"image_url","image_url":{"url":"https://a.example/b.png"}},
        {"type":"input_image","image_url":"data:image/png;base64,QQ=="},{"type":"image","url":"http://a.example/c"},
        {"type":"image","source":{"type":"url","url":"https://a.example/d"}}]}
      """#)
    #expect(
      lines == [
        "thought | ", #"see failed (1 s) | {"n":1}"#, "picture data:image/webp;base64,QQ==",
        "picture https://a.example/b.png", "picture data:image/png;base64,QQ==", "picture http://a.example/c",
        "picture https://a.example/d",
      ])
  }

  @Test(
    "a picture that no board can read is none",
    arguments: [
      #"{"type":"image","omitted":true,"bytes":9}"#, #"{"type":"image","url":"/api/media/1"}"#,
      #"{"type":"image","url":"file:///etc/passwd"}"#, #"{"type":"image","data":""}"#, #"{"type":"image","data":7}"#,
      #"{"type":"image","source":{}}"#, #"{"type":"image_url","image_url":{}}"#,
    ])
  func unreadable(_ part: String) {
    #expect(read(#"{"role":"assistant","content":[\#(part)]}"#) == ["no picture"])
  }

  @Test("a picture that is larger than its buffer is none")
  func large() {
    let data = String(repeating: "QUJD", count: 100)
    #expect(
      read(#"{"role":"assistant","content":[{"type":"image","data":"\#(data)","mimeType":"image/png"}]}"#) == [
        "no picture"
      ])
  }

  @Test("a result is looked for in the next messages, and no further")
  func search() {
    func history(_ between: Int) -> String {
      let filler = String(repeating: #"{"role":"system","content":"-"},"#, count: between)
      return #"{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"x"}],"timestamp":1000},"# + filler
        + #"{"role":"toolResult","toolCallId":"t","timestamp":2000,"isError":true,"content":[]}"#
    }
    #expect(read(history(Budget.chatStepSearch - 1)) == ["x failed (1 s) | "])
    #expect(read(history(Budget.chatStepSearch)) == ["x | "])
  }

  @Test(
    "what is no history is nothing", arguments: [#"7"#, #"{"role":7}"#, #"{"role":"assistant","content":7}"#, #"{}"#])
  func nothing(_ message: String) { #expect(read(message) == []) }
}
