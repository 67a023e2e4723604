import Runtime
import Testing

@testable import Codec
@testable import Completion

@Suite("Prompts")
struct PromptTests {
  /// The array of messages alone.
  private func messages(_ prompt: Prompt) -> String {
    let text = body(prompt, CompletionRequest(model: "m"))
    let head = #"{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":"#
    #expect(text.hasPrefix(head))
    return String(text.dropFirst(head.count).dropLast())
  }

  private func user(_ prompt: Prompt, _ text: String) -> Bool {
    withText(text) { prompt.addUser(Span(_unsafeElements: $0)) }
  }
  private func system(_ prompt: Prompt, _ text: String) -> Bool {
    withText(text) { prompt.addSystem(Span(_unsafeElements: $0)) }
  }
  private func said(_ prompt: Prompt, _ text: String) -> Bool {
    withText(text) { prompt.addAnswer(Span(_unsafeElements: $0)) }
  }
  private func call(_ prompt: Prompt, _ id: String, _ name: String = "f", _ arguments: String = "{}") -> Bool {
    withText(id) { id in
      withText(name) { name in withText(arguments) { prompt.addCall(id: id, name: name, arguments: $0) } }
    }
  }
  private func result(_ prompt: Prompt, _ id: String, _ text: String) -> Bool {
    withText(id) { id in withText(text) { prompt.addResult(id: id, Span(_unsafeElements: $0)) } }
  }

  @Test("a plain conversation")
  func plain() {
    let prompt = Prompt()
    #expect(system(prompt, "Be brief.") && user(prompt, "Hi\n\"you\"") && said(prompt, "Hello") && user(prompt, "Bye"))
    #expect(
      messages(prompt)
        == #"[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi\n\"you\""},{"role":"assistant","content":"Hello"},{"role":"user","content":"Bye"}]"#
    )
  }

  @Test("calls and their results")
  func calls() {
    let prompt = Prompt()
    #expect(
      user(prompt, "Time?") && said(prompt, "") && call(prompt, "a", "clock", #"{"zone":"UTC"}"#) && call(prompt, "b"))
    #expect(result(prompt, "b", "done") && result(prompt, "a", "12:00"))
    #expect(
      messages(prompt)
        == #"[{"role":"user","content":"Time?"},{"role":"assistant","content":null,"tool_calls":["#
        + #"{"id":"a","type":"function","function":{"name":"clock","arguments":"{\"zone\":\"UTC\"}"}},"#
        + #"{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]},"#
        + #"{"role":"tool","tool_call_id":"b","content":"done"},{"role":"tool","tool_call_id":"a","content":"12:00"}]"#)
  }

  @Test("a picture is an image part, with text before it when there is some")
  func picture() {
    let prompt = Prompt()
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    jpeg.withUnsafeBufferPointer { jpeg in
      #expect(withText("What?") { prompt.addUser(Span(_unsafeElements: $0), picture: jpeg) })
      #expect(withText("") { prompt.addUser(Span(_unsafeElements: $0), picture: jpeg) })
      #expect(prompt.pictures == 2 && prompt.textBytes == 5)
      let image = #"{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,/9j/4A=="}}"#
      #expect(
        messages(prompt)
          == #"[{"role":"user","content":[{"type":"text","text":"What?"},\#(image)]},{"role":"user","content":[\#(image)]}]"#
      )
      prompt.dropPictures()
      #expect(prompt.pictures == 0 && messages(prompt).hasPrefix(#"[{"role":"user","content":"What?"}"#))
    }
  }

  @Test("a picture beyond the limit is refused")
  func largePicture() {
    let prompt = Prompt()
    let picture = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Budget.promptPictureBytes + 1)
    picture.initialize(repeating: 0)
    defer { picture.deallocate() }
    withText("a") { text in
      let isTaken = prompt.addUser(Span(_unsafeElements: text), picture: UnsafeBufferPointer(picture))
      #expect(!isTaken && prompt.isEmpty)
      let fitting = UnsafeBufferPointer(rebasing: picture.dropLast())
      let isFitting = prompt.addUser(Span(_unsafeElements: text), picture: fitting)
      #expect(isFitting)
    }
  }

  @Test("text that is not UTF-8 is mended")
  func mended() {
    let prompt = Prompt()
    let bytes: [UInt8] = [0x61, 0xFF, 0x62]
    let isTaken = prompt.addUser(bytes.span)
    #expect(isTaken)
    #expect(messages(prompt) == "[{\"role\":\"user\",\"content\":\"a\u{FFFD}b\"}]")
  }

  @Test("what does not fit is refused and changes nothing")
  func full() {
    let prompt = Prompt(bytes: 10)
    #expect(user(prompt, "12345678") && !said(prompt, "123") && prompt.count == 1 && prompt.textBytes == 8)
    #expect(said(prompt, "1") && !call(prompt, "a", "b") && prompt.count == 2 && prompt.textBytes == 9)
    #expect(said(prompt, "2") && said(prompt, "") && !said(prompt, "x"))
  }

  @Test("messages are bounded in number")
  func manyMessages() {
    let prompt = Prompt()
    for _ in 0..<Budget.promptMessages { #expect(user(prompt, "x")) }
    #expect(!user(prompt, "x") && prompt.count == Budget.promptMessages)
    #expect(prompt.dropOldest() && user(prompt, "x"))
  }

  @Test("the system's text comes first, calls after an answer, a result once and after its call")
  func order() {
    let prompt = Prompt()
    #expect(!call(prompt, "a") && !result(prompt, "a", "x"))
    #expect(system(prompt, "one") && system(prompt, "two") && user(prompt, "hi") && !system(prompt, "three"))
    #expect(!call(prompt, "a") && !result(prompt, "a", "x") && said(prompt, "") && call(prompt, "a"))
    #expect(!result(prompt, "b", "x") && result(prompt, "a", "x") && !result(prompt, "a", "y") && !call(prompt, "c"))
    #expect(said(prompt, "done") && !result(prompt, "a", "x"))
  }

  @Test("the oldest turn is dropped as a whole, and the system's text stays")
  func dropTurn() {
    let prompt = Prompt()
    #expect(
      system(prompt, "S") && user(prompt, "one") && said(prompt, "") && call(prompt, "a") && result(prompt, "a", "r"))
    #expect(said(prompt, "1") && user(prompt, "two") && said(prompt, "2") && user(prompt, "three") && prompt.turns == 3)
    #expect(prompt.dropOldest())
    #expect(
      messages(prompt)
        == #"[{"role":"system","content":"S"},{"role":"user","content":"two"},{"role":"assistant","content":"2"},{"role":"user","content":"three"}]"#
    )
    #expect(prompt.dropOldest() && prompt.turns == 1 && !prompt.dropOldest())
    #expect(messages(prompt) == #"[{"role":"system","content":"S"},{"role":"user","content":"three"}]"#)
    #expect(
      prompt.textBytes == 6 && said(prompt, "3") && messages(prompt).hasSuffix(#"{"role":"assistant","content":"3"}]"#))
  }

  @Test("in the last turn the oldest calls go with their results, and the last ones stay")
  func dropRound() {
    let prompt = Prompt()
    #expect(user(prompt, "go"))
    for id in ["a", "b", "c"] {
      #expect(said(prompt, "") && call(prompt, id) && call(prompt, id + "2"))
      #expect(result(prompt, id, id) && result(prompt, id + "2", id))
    }
    #expect(prompt.dropOldest() && prompt.dropOldest() && !prompt.dropOldest())
    #expect(messages(prompt).contains(#""tool_call_id":"c2""#) && !messages(prompt).contains(#""id":"b""#))
    #expect(prompt.turns == 1)
    prompt.removeAll()
    #expect(prompt.isEmpty && !prompt.dropOldest() && messages(prompt) == "[]")
  }

  @Test("any order of adding and dropping leaves results after their calls")
  func random() {
    var random = ModelNumbers(state: 11)
    let prompt = Prompt(bytes: 200)
    var open: [String] = []
    for step in 0..<3000 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: if user(prompt, "u\(step)") { open = [] }
      case 1: if said(prompt, "a\(step)") { open = [] }
      case 2: if call(prompt, "\(step)") { open.append("\(step)") }
      case 3, 4: if let id = open.first, result(prompt, id, "r") { open.removeFirst() }
      default: if prompt.dropOldest() { open = [] }
      }
      var known: [String] = []
      for index in 0..<prompt.count {
        let entry = prompt.entry(index)
        let id = string(prompt.bytes(entry.start, entry.first))
        if entry.kind == .call { known.append(id) }
        if entry.kind == .result { #expect(known.contains(id)) }
      }
    }
  }
}
