import Testing

@testable import talon_gateway

@Suite struct JSONTests {
  @Test(
    "what is read is written back the same",
    arguments: [
      #"{"a":[1,-2,true,false,null,"x"],"b":{}}"#, #"[]"#, #""é\n\"\\\u0001""#, #"9223372036854775807"#,
      #"1.5"#,
    ])
  func roundTrip(text: String) throws {
    #expect(try JSON(parsing: text).text == text)
  }

  @Test("escapes and surrogate pairs are decoded")
  func escapes() throws {
    #expect(try JSON(parsing: #""\u0041\/\ud83d\ude00\t""#) == "A/\u{1F600}\t")
  }

  @Test(
    "text that is not strict JSON is refused",
    arguments: [
      "", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "01", "-", "1.", "1e", "+1", "nul", "\"\\x\"",
      "\"\\ud800\"",
      "\"\\ud800\\u0041\"", "\"a\nb\"", "\"a", "1 2", "{\"a\" 1}", "'a'", "NaN", "1e999",
      String(repeating: "[", count: 200),
    ])
  func refused(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test("invalid UTF-8 is refused")
  func invalidUTF8() {
    #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xC3, 0x28, 0x22]) }
  }

  @Test("of two members with one name the last counts")
  func duplicates() throws {
    #expect(try JSON(parsing: #"{"a":1,"a":2}"#)["a"] == 2)
  }

  @Test("a double without a fraction is an integer, as for real gateways")
  func integers() throws {
    #expect(try JSON(parsing: "3.0").integer == 3)
    #expect(try JSON(parsing: "3.5").integer == nil)
    #expect(try JSON(parsing: "1e300").integer == nil)
  }
}

@Suite struct FrameTraceTests {
  @Test("a trace shows no secret and shortens what is long")
  func redaction() throws {
    let frame: JSON = [
      "params": [
        "auth": ["token": "secret-1", "password": "secret-2", "deviceToken": "secret-3"],
        "device": ["id": "visible", "signature": "secret-4", "nonce": "secret-5"],
        "payload": ["base64": .string(String(repeating: "A", count: 5000))],
      ]
    ]
    let text = FrameTrace.redacted(frame).text
    #expect(!text.contains("secret"))
    #expect(text.contains("visible"))
    #expect(text.contains("5000 bytes"))
    #expect(text.utf8.count < 600)
  }

  @Test("secrets inside JSON that is itself a string are redacted too")
  func nested() {
    let redacted = FrameTrace.redacted(["payloadJSON": #"{"token":"secret","kept":1}"#])
    #expect(!redacted.text.contains("secret"))
    #expect(redacted.text.contains("kept"))
  }
}
