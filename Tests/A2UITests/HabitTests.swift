import Runtime
import Testing

@testable import A2UI

/// Later versions, and what agents write that is not one JSON object a line.
@Suite("Later versions, and habits of agents")
struct HabitTests {
  private let first = update(label("root"))

  private func read(_ text: String) -> Page { Page().push(text: text) }

  // MARK: Versions

  @Test("v0.10 is read as v0.9 is", arguments: ["v0.10", "0.10", "v0.10.1"])
  func tenth(version: String) {
    func page(_ version: String) -> Page {
      let lines = [
        create(theme: ##"{"primaryColor":"#112233"}"##), define(flat("root", "Text", #""text":{"path":"/a"}"#)),
        put(#"{"a":"x","b":null}"#), put("null", at: "/c"), put(nil, at: "/b"),
      ].map { $0.replacing(#""v0.9""#, with: "\"\(version)\"") }
      return Page().push(text: lines.joined(separator: "\n"))
    }
    let (new, old) = (page(version), page("v0.9"))
    #expect(new.outline == "root" && new.string("root") == "x" && new.warnings == [])
    #expect(new.dump == old.dump && new.model() == #"{"a":"x","c":null}"#)
  }

  @Test(
    "createSurface of v1.0 brings components, data and properties, and needs no catalog", arguments: ["v1.0", "1.0"])
  func first(version: String) {
    let page = read(
      ##"{"version":"\##(version)","createSurface":{"surfaceId":"main","surfaceProperties":{"primaryColor":"#112233"},"##
        + ##""dataModel":{"a":"x"},"components":[\##(flat("root", "Text", #""text":{"path":"/a"}"#))]}}"##)
    #expect(page.warnings == [] && page.outline == "root" && page.string("root") == "x")
    #expect(page.store.primaryColor(page.store.surface(at: 0)) == 0x112233)
    let empty = read(#"{"version":"1.0","createSurface":{"surfaceId":"main"}}"#)
    #expect(empty.warnings == [] && empty.store.count == 1)
  }

  @Test("a null deletes in v1.0, and is a value before", arguments: ["v0.9", "v0.10", "v1.0", "1.0"])
  func null(version: String) {
    let page = read(create()).push(put(#"{"a":1,"b":{"c":2,"d":3}}"#))
    for path in ["/a", "/b/c"] { page.push(put("null", at: path).replacing("v0.9", with: version)) }
    let deletes = version.hasSuffix("1.0")
    #expect(page.model() == (deletes ? #"{"b":{"d":3}}"# : #"{"a":null,"b":{"c":null,"d":3}}"#))
    #expect(page.warnings == [])
  }

  @Test(
    "calls of functions are read and told",
    arguments: [
      ("callFunction", "asks for a function"), ("callRendererFunction", "asks for a function"),
      ("agentFunctionResponse", "answers what was not asked"), ("actionResponse", "answers what was not asked"),
    ])
  func calls(key: String, sentence: String) {
    let page = Page().push(
      #"{"version":"1.0","functionCallId":"1","wantResponse":true,"\#(key)":{"call":"x","catalogId":"c"}}"#, first,
      begin())
    #expect(page.warnings == ["line 1: \(key) \(sentence), ignored here"])
    #expect(page.outline == "root")
  }

  // MARK: Habits

  @Test("commas that nothing follows are passed over, with a warning")
  func commas() {
    for text in [
      first.replacing("}}}]}}", with: "}}},],}}") + "\n" + begin(), first + ",\n" + begin() + ",",
      first + "\n" + begin().replacing("}}", with: " , \n }}"),
    ] {
      let page = read(text)
      #expect(page.outline == "root")
      #expect(
        page.warnings.contains { $0.hasSuffix("a comma that nothing follows is passed over") }, "\(page.warnings)")
    }
  }

  @Test("a code fence, with and without a language, is passed over, with a warning")
  func fences() {
    for text in [
      "```json\n\(first)\n\(begin())\n```", "```\n\(first)\n\(begin())\n```\n",
      "\n\n```jsonl\r\n\(first)\r\n\(begin())", "```json \(first)\n\(begin()) ```", "```\(first)\n\(begin())```",
      "```json\(first)\n```\n```json\(begin())\n``` that is all",
    ] {
      let page = read(text)
      #expect(page.outline == "root" && page.warnings.count == 1, "\(page.warnings)")
      #expect(page.warnings[0].hasSuffix("a code fence is passed over"))
    }
  }

  @Test("messages on several lines, and several on one, are read, with a warning that names the line")
  func spread() {
    let pretty = first.replacing("{", with: "{\n  ").replacing(",", with: ",\n")
    let page = read(pretty + "\n" + begin().replacing(":{", with: ":\n{"))
    #expect(page.outline == "root")
    #expect(page.warnings == ["line 1: a message that stands on several lines is read as one"])
    let joined = read(first + begin() + " " + begin())
    #expect(joined.outline == "root" && joined.warnings == ["line 1: several messages stand on one line"])
    let late = read(begin() + "\n" + pretty.replacing("surfaceId", with: "x"))
    #expect(late.warnings.contains { $0.hasPrefix("line 2: a message that stands") })
    #expect(late.warnings.contains { $0.hasPrefix("line 2: no surfaceId") })
  }

  @Test("an array of messages, on a line or over several, is read, with a warning")
  func arrays() {
    for text in [
      "[\(first),\(begin())]", "[\n\(first),\n\(begin())\n]", "[\(first)]\n[\(begin())]", "[\(first),\(begin()),]",
      "\u{FEFF}[\(first),\(begin())]", "```json\n[\n  \(first),\n  \(begin())\n]\n```",
    ] {
      let page = read(text)
      #expect(page.outline == "root", "\(text)")
      #expect(page.warnings.contains { $0.hasSuffix("an array of messages is read as its messages") })
      #expect(page.summary.messages == 2)
    }
  }

  @Test("of an array that is cut the messages that are complete are read, with a warning")
  func cutArrays() {
    let rests = ["", ",", ",\n", "," + first.dropLast(4), ",{\"deleteSurface\":{\"surfaceId\":\"a\\", ",{\"a\":\""]
    for rest in rests {
      let page = read("[\(first),\n\(begin())" + rest)
      #expect(page.outline == "root" && page.summary.messages == 2, "\(rest)")
      #expect(
        page.warnings.contains { $0.hasSuffix("is not closed: those that are complete are read") }, "\(page.warnings)")
    }
    let page = read("```json\n[\(first),\n\(begin()),\n{\"deleteSurface\":{\"surfaceId\":\"main\"")
    #expect(page.outline == "root")
    #expect(page.warnings.contains { $0.hasPrefix("line 4: the array of messages is not closed") })
    // Nothing of it is complete, or the text is no array.
    #expect(Page().refusal("[" + first.dropLast()) == "INVALID_A2UI_JSONL: line 1: not JSON: it ends in the middle")
    #expect(
      Page().refusal(begin() + "\n" + first.dropLast()) == "INVALID_A2UI_JSONL: line 2: not JSON: it ends in the middle"
    )
  }

  @Test("an array in one line may be longer than a message, up to the bytes of a push")
  func longArrays() {
    let text = String(repeating: "x", count: 60_000)
    let long = (0..<40).map { update(component($0 == 0 ? "root" : "t\($0)", "Text", #""text":"\#(text)""#)) }
    let line = "[" + long.joined(separator: ",") + "," + begin() + "]"
    #expect(line.utf8.count > Budget.a2uiLineBytes && line.utf8.count < Budget.a2uiPushBytes)
    let page = read(line)
    #expect(page.outline == "root" && page.summary.messages == 41)
    #expect(page.warnings == ["line 1: an array of messages is read as its messages"])
    let joined = read(long.joined() + begin())
    #expect(joined.warnings == ["line 1: several messages stand on one line"] && joined.summary.messages == 41)
    let components = long.indices.map { component("c\($0)", "Text", #""text":"\#(text)""#) }.joined(separator: ",")
    #expect(
      Page().refusal(#"[{"surfaceUpdate":{"surfaceId":"main","components":[\#(components)]}}]"#)
        == "INVALID_A2UI_JSONL: line 1: a message may have 2097152 bytes")
  }

  @Test("a text beside the messages is passed over, with a warning that names the line")
  func prose() {
    for text in [
      "Here it is: \(first)\n\(begin())", "Here are [two] messages:\n\n\(first)\n\(begin())\n\nAnything else?",
      "---a2ui_JSON---\n[\(first),\(begin())]", "<a2ui-json>\(first)\n\(begin())</a2ui-json>",
      "data: \(first)\ndata: \(begin())", "\(first)\n**Then** `it` is {shown}:\n\(begin())",
      "Gut für \u{201E}main\u{201C} \u{2026} \(first)\(begin()) that's all", "Both: [ \(first), \(begin()) ] done",
    ] {
      let page = read(text)
      #expect(page.outline == "root" && page.summary.messages == 2, "\(text)")
      #expect(
        page.warnings.contains { $0.hasSuffix("a text beside the messages is passed over") }, "\(page.warnings)")
    }
    let late = read("\(first)\n\(begin())\nThat is all.")
    #expect(late.warnings == ["line 3: a text beside the messages is passed over"])
  }

  @Test("comments are passed over, with a warning")
  func comments() {
    for text in [
      "// the card\n\(first)\n\(begin())", "/* the\ncard */\(first)\n/**/\(begin())",
      first.replacing("\"components\":", with: "// what {\"is\": in it\n\"components\":/*/ ] */") + "\n" + begin(),
      "[\(first), // and\n\(begin()), /* no more */]", "\(first)\n// \(update(label("root2")))\n\(begin())",
    ] {
      let page = read(text)
      #expect(page.outline == "root" && page.summary.messages == 2, "\(text)")
      #expect(page.warnings.contains { $0.hasSuffix("a comment is passed over") }, "\(page.warnings)")
    }
    let address = update(component("root", "Text", #""text":"http://x/*y*/""#))
    #expect(read("[\(address),\(begin())]").string("root") == "http://x/*y*/")
  }

  @Test("messages in an object, an array or a string around them are read, with one warning")
  func wrapped() throws {
    let told = "messages that stand in another array, object or string are read as messages"
    func quoted(_ text: String) -> String { "\"" + text.replacing("\"", with: "\\\"") + "\"" }
    for text in [
      #"{"messages":[\#(first),\#(begin())]}"#, #"{"a2ui":\#(first)}"# + "\n" + #"{"a2ui":\#(begin())}"#,
      #"{"version":"v0.8","a2ui":{"messages":[[\#(first)],\#(begin())]}}"#,
      #"{"a2ui_messages":[\#(first),{"a2uiMessages":[\#(begin())]}]}"#,
    ] {
      let page = read(text)
      #expect(page.outline == "root" && page.summary.messages == 2, "\(text)")
      #expect(page.warnings == ["line 1: " + told], "\(page.warnings)")
    }
    #expect(read("[[\(first)],[\(begin())]]").outline == "root")
    for text in [
      "[[\(first),\(begin())]]", #"[{"messages":[\#(first),\#(begin())]}]"#, "[\(quoted(first)),\(quoted(begin()))]",
      "[[\(quoted(first))],\(begin())]", "[\(quoted("[\(first),\(begin())]"))]",
    ] {
      let page = Page()
      #expect(try page.store.push(messages: text.utf8.span).messages == 2)
      page.update()
      #expect(page.outline == "root" && page.warnings == ["message 1: " + told])
    }
    for (text, sentence) in [
      (#"["{\"a\":tru}"]"#, "message 1: not JSON: unexpected character"),
      (#"[{"deleteSurface":{}},"x"]"#, "message 2: not JSON"),
      (#"["{\"a\":1}"]"#, "message 1: expected exactly one of"),
      (#"["[\"{}\"]"]"#, "message 1: expected one object"), (#"[""]"#, "message 1: not JSON"),
    ] {
      let page = Page()
      var refusal = ""
      do throws(PushError) { _ = try page.store.push(messages: text.utf8.span) } catch {
        refusal = A2UITests.text(error)
      }
      #expect(refusal.hasPrefix("INVALID_A2UI_JSONL: " + sentence) && page.store.count == 0, "\(text): \(refusal)")
    }
    // What stands in it is no message, or nothing, or too deep.
    #expect(Page().refusal(#"{"messages":[{"a":1}]}"#)?.contains("; found a") == true)
    #expect(Page().refusal(#"{"messages":[]}"#) == "INVALID_REQUEST: there is no message in it")
    #expect(Page().refusal(#"{"messages":7}"#)?.contains("; found messages") == true)
    let deep = String(repeating: #"{"a2ui":"#, count: 5) + first + String(repeating: "}", count: 5)
    #expect(Page().refusal(deep)?.contains("; found a2ui") == true)
    let many = Array(repeating: first, count: Budget.a2uiMessages + 1).joined(separator: ",")
    #expect(Page().refusal(#"{"messages":[\#(many)]}"#)?.contains("4096 messages") == true)
  }

  @Test("strings keep what looks like a habit")
  func strings() {
    let text = #"a,} b,] [ ``` \" \\"#
    let page = read("[" + update(component("root", "Text", #""text":"\#(text)""#)) + "," + begin() + "]")
    #expect(page.string("root") == #"a,} b,] [ ``` " \"#)
  }

  @Test("what is no habit is refused as before, and nothing of it is applied")
  func refused() {
    let page = Page()
    for text in [
      "nonsense", "1. \(first)", first + "]", first.dropLast() + "", "[", "{,}x", "\"text\"", "[\(first),7]",
      "[\(first), and \(begin())]", "Here it is: {\"a\":tru}", first + "\n}", "// \(first)", "/* \(first)",
    ] {
      #expect(page.refusal(text)?.hasPrefix("INVALID_A2UI_JSONL: line ") == true, "\(text)")
      #expect(page.store.count == 0)
    }
    // Of a text that is read otherwise, what is wrong in it is told.
    #expect(
      page.refusal("[\(first),\n{\"a\":1}]")?.hasPrefix("INVALID_A2UI_JSONL: line 2: expected exactly one of") == true)
    #expect(
      page.refusal("```\n{\"a\":tru}\n```") == "INVALID_A2UI_JSONL: line 2: not JSON: unexpected character at byte 9")
  }

  @Test("messages of a string within a command are read in the same ways")
  func quoted() throws {
    let text = "```json\n[\(first),\n\(begin()),]\n```"
    let quoted = "\"" + text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    let page = Page()
    #expect(try page.store.push(messages: quoted.utf8.span).messages == 2)
    page.update()
    #expect(page.outline == "root" && page.warnings.count == 2)
  }
}
