import Board
import Codec
import Foundation
import Runtime
import Testing

@testable import Gateway

@Suite("Setup codes")
struct SetupCodeTests {
  private static func code(_ json: String) -> String {
    Data(json.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private func read(_ text: String) throws(SetupCodeError) -> SetupCode { try SetupCode(text.utf8.span) }

  @Test("address, secret and certificate are read, with or without the link's scheme and white space")
  func whole() throws {
    let pin = String(repeating: "ab", count: 32)
    let json =
      #"{"url":"wss://gateway.local:18789/ctx","bootstrapToken":"kR7sVb2LqXw9","tlsFingerprint":"sha256:\#(pin)","expiresAtMs":1800000000000}"#
    for text in [Self.code(json), "oc-pair://" + Self.code(json), "  OC-PAIR://\(Self.code(json))\n"] {
      let code = try read(text)
      #expect(code.urls.map(\.text) == ["wss://gateway.local:18789/ctx"])
      #expect(code.pin == Fingerprint(text: pin.utf8.span))
      #expect(!code.isExpired(wall: 1_799_999_999_999))
      #expect(code.isExpired(wall: 1_800_000_000_000))
      #expect(!code.isExpired(wall: 0), "a board without a clock leaves it to the gateway")
    }
  }

  @Test("up to eight addresses stand in order, each once")
  func addresses() throws {
    let list = (1...8).map { "\"ws://10.0.0.\($0):1\"" }.joined(separator: ",")
    let code = try read(Self.code(#"{"url":"ws://10.0.0.1:1","urls":[\#(list)],"token":"t"}"#))
    #expect(code.urls.map(\.host) == (1...8).map { "10.0.0.\($0)" })
    #expect(throws: SetupCodeError.tooManyURLs) {
      try read(Self.code(#"{"url":"ws://10.0.0.9:1","urls":[\#(list)],"token":"t"}"#))
    }
  }

  @Test(
    "what is wrong is named",
    arguments: [
      ("{}", SetupCodeError.noURL), (#"{"url":5}"#, .url), (#"{"url":"ftp://x"}"#, .url),
      (#"{"url":"wss://u@x"}"#, .url), (#"{"url":"wss://x"}"#, .noSecret),
      (#"{"url":"wss://x","bootstrapToken":""}"#, .secret), (#"{"url":"wss://x","token":"a\nb"}"#, .secret),
      (#"{"url":"wss://x","token":"a","password":"b"}"#, .manySecrets),
      (#"{"url":"wss://x","token":"a","tlsFingerprint":"abc"}"#, .fingerprint),
      (#"{"url":"wss://x","token":"a","expiresAtMs":"soon"}"#, .expiry), ("[]", .json), ("{", .json),
    ])
  func wrong(json: String, error: SetupCodeError) {
    #expect(throws: error) { try read(Self.code(json)) }
  }

  @Test("what is no code at all is named too")
  func garbage() {
    #expect(throws: SetupCodeError.json) { try read("") }
    #expect(throws: SetupCodeError.base64) { try read("what?") }
    #expect(throws: SetupCodeError.tooLong) { try read(String(repeating: "A", count: Budget.setupCodeBytes + 1)) }
  }

  @Test("a record takes over what the code says, and keeps the tokens of an earlier pairing")
  func adopted() throws {
    let cryptography = OpenSSLCryptography()
    let record = GatewayRecord(url: try GatewayURL("wss://a"), cryptography: cryptography)
    try read(Self.code(#"{"url":"wss://a","token":"old"}"#)).adopt(into: record)
    try read(Self.code(#"{"url":"wss://a","urls":["wss://b"],"bootstrapToken":"new"}"#)).adopt(into: record)
    #expect(record.urls.map(\.host) == ["a", "b"])
    #expect(text(record.secret(.bootstrapToken)) == "new")
    #expect(record.secret(.sharedToken).isEmpty)
  }
}
