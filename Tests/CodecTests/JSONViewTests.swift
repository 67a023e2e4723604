import Testing

@testable import Codec

/// Rebuilds a text from what a view says about it.
private func rebuilt(_ view: borrowing JSONView) -> String {
  switch view.kind {
  case .null: return "null"
  case .bool: return view.bool == true ? "true" : "false"
  case .number, .string: return text(view.rawText)
  case .array:
    var parts: [String] = []
    var elements = view.elements()
    while let element = elements.next() { parts.append(rebuilt(element)) }
    return "[" + parts.joined(separator: ",") + "]"
  case .object:
    var parts: [String] = []
    var members = view.members()
    while let member = members.next() { parts.append(rebuilt(member.name) + ":" + rebuilt(member.value)) }
    return "{" + parts.joined(separator: ",") + "}"
  }
}

@Suite("RFC 8259: the view")
struct JSONViewTests {
  @Test(
    "gives the instant that a string names",
    arguments: [
      ("'1970-01-01T00:00:01Z'", 1_000), ("'1970-01-01T01:00:00.25+01:00'", 250), ("'tomorrow'", nil), ("''", nil),
      ("1000", nil), ("null", nil), ("'1970-01-01T00:00:00." + String(repeating: "0", count: 64) + "Z'", nil),
    ] as [(String, Int64?)])
  func instant(text: String, milliseconds: Int64?) {
    let json = text.replacing("'", with: "\"").bytes
    #expect(JSONView(json.span).unixMilliseconds == milliseconds)
  }

  @Test("finds members by name, at any depth")
  func members() {
    let text = #" {"a": 1, "b" : {"c":[true, {"d":"x"}], "e":null}, "f":-2.5 } "#.bytes
    let view = JSONView(text.span)
    #expect(view.kind == .object)
    #expect(view.member("a")?.int64 == 1)
    #expect(view.member("f")?.double == -2.5)
    #expect(view.member("b")?.member("e")?.isNull == true)
    #expect((view.member("c") == nil) == true)
    #expect((view.member("b")?.member("a") == nil) == true)
    var elements = view.member("b")!.member("c")!.elements()
    #expect(elements.next()?.bool == true)
    #expect(elements.next()?.member("d")?.equals("x") == true)
    #expect((elements.next() == nil) == true)
    #expect((elements.next() == nil) == true)
  }

  @Test("of members by the same name the last one counts, also when it is escaped")
  func lastDuplicateWins() {
    let text = #"{"a":1,"\u0061":2,"b":3}"#.bytes
    #expect(JSONView(text.span).member("a")?.int64 == 2)
  }

  @Test("compares names unescaped and whole")
  func names() {
    let text = #"{"ab":1,"a":2,"":3,"a\"b":4,"\ud83d\ude00":5,"\u00e9x":6,"abc":7}"#.bytes
    let view = JSONView(text.span)
    #expect(view.member("a")?.int64 == 2)
    #expect(view.member("ab")?.int64 == 1)
    #expect(view.member("")?.int64 == 3)
    #expect(view.member("a\"b")?.int64 == 4)
    #expect(view.member("😀")?.int64 == 5)
    #expect(view.member("éx")?.int64 == 6)
    #expect((view.member("abcd") == nil) == true)
  }

  @Test("is not taken in by brackets and quotes inside strings")
  func trickyStrings() {
    let text = #"{"x":"}]\"{[\\","y\\":["]","}"],"z":1}"#.bytes
    #expect(JSONView(text.span).member("z")?.int64 == 1)
    #expect(string(JSONView(text.span).member("x")!) == #"}]"{[\"#)
  }

  @Test(
    "unescapes every kind of escape",
    arguments: [
      (#""""#, ""), (#""plain""#, "plain"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0041\u00e9\u20ac\uD83D\uDE00""#, "Aé€😀"),
      (#""é\u0000€""#, "é\u{0}€"), (#""abcdefghijklmnop\nqrstuvwxyz""#, "abcdefghijklmnop\nqrstuvwxyz"),
      (#""\uffff\ud800\udc00""#, "\u{FFFF}\u{10000}"),
      (#""\\u0041""#, "\\u0041"), (#""\udbff\udfff""#, "\u{10FFFF}"),
    ])
  func unescapes(_ json: String, _ expected: String) {
    let text = json.bytes
    let view = JSONView(text.span)
    #expect(string(view) == expected)
    #expect(view.stringLength == expected.utf8.count)
    #expect(view.equals(expected.bytes.span) == true)
    #expect(view.equals((expected + "x").bytes.span) == false)
  }

  @Test("does not copy a string into too small a buffer, nor anything that is no string")
  func copyRefused() {
    let long = #""four""#.bytes
    let number = "4".bytes
    _ = writtenBytes(capacity: 3) { buffer in
      #expect(JSONView(long.span).copyString(into: buffer) == nil)
      #expect(JSONView(number.span).copyString(into: buffer) == nil)
      return 0
    }
    #expect(JSONView(number.span).stringLength == nil)
    #expect(JSONView(number.span).equals("4") == false)
  }

  @Test("answers nil for values of another kind")
  func otherKinds() {
    for json in ["{}", "[]", "\"1\"", "null"] {
      let text = json.bytes
      let view = JSONView(text.span)
      #expect(view.int64 == nil)
      #expect(view.uint64 == nil)
      #expect(view.double == nil)
      #expect(view.bool == nil)
      #expect((view.member("a") == nil) == true)
      var elements = view.elements()
      #expect((elements.next() == nil) == true)
    }
  }

  @Test("shows a value as it is written")
  func rawText() {
    let json = #"{"a" : [1, {"b":"]"} ] , "n":-1.5e3 , "s":"x\"y", "t":true}"#.bytes
    let view = JSONView(json.span)
    #expect(text(view.member("a")!.rawText) == #"[1, {"b":"]"} ]"#)
    #expect(text(view.member("n")!.rawText) == "-1.5e3")
    #expect(text(view.member("s")!.rawText) == #""x\"y""#)
    #expect(text(view.member("t")!.rawText) == "true")
  }

  @Test("visits every value of every text that the grammar allows, once and in order")
  func visitsAll() {
    for json in JSONConformance.accepted where json.utf8.first != 0x22 {
      let bytes = json.bytes
      let plain = rebuilt(JSONView(bytes.span))
      #expect(verdict(plain) == nil)
      #expect(plain == json.filter { !$0.isWhitespace }, "\(json)")
    }
  }

  @Test("reads a text that stands in a string of another")
  func nestedText() throws {
    let outer = #"{"paramsJSON":"{\"facing\":\"front\",\"note\":\"a\\\"b\\u00e9\",\"maxWidth\":1600}"}"#.bytes
    let inner = writtenBytes { JSONView(outer.span).member("paramsJSON")!.copyString(into: $0)! }
    try JSONValidator.check(inner.span, depthLimit: 8)
    #expect(JSONView(inner.span).member("facing")?.equals("front") == true)
    #expect(JSONView(inner.span).member("note")?.equals("a\"bé") == true)
    #expect(JSONView(inner.span).member("maxWidth")?.int64 == 1600)
  }

  @Test("on unchecked text the results are meaningless, but it reads nothing outside and ends")
  func uncheckedText() {
    var random = Seeded(9)
    let base = (JSONConformance.accepted + JSONConformance.refused).map(\.bytes)
    for round in 0..<6000 {
      let json = mutated(base[round % base.count], &random)
      let view = JSONView(json.span)
      let length = rebuilt(view).utf8.count
      #expect(length <= 4 * json.count + 8)
      _ = (view.double, view.int64, string(view), view.member("a")?.kind)
    }
  }
}
