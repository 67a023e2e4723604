import Testing

@testable import Runtime

@Suite struct RedactorTests {
  /// `line` as it looks in a buffer of `capacity` bytes after `secrets` were hidden.
  private func redacted(_ line: String, capacity: Int = 1024, _ secrets: String...) -> String {
    var redactor = Redactor()
    for secret in secrets { secret.withBytes { redactor.add($0) } }
    let buffer = FixedBuffer(capacity: capacity)
    let count = min(line.utf8.count, capacity)
    for (index, byte) in line.utf8.prefix(count).enumerated() { buffer.bytes[index] = byte }
    let kept = redactor.redact(buffer.bytes, count: count)
    return String(decoding: buffer.bytes[..<kept], as: UTF8.self)
  }

  private func letters(_ count: Int) -> String { String(repeating: "abcdefghijklmnop", count: count / 16) }

  @Test(
    "a secret is hidden wherever it stands, and as often",
    arguments: [
      ("s3cret-token", "[hidden]"), ("a s3cret-token b", "a [hidden] b"), ("s3cret-token b", "[hidden] b"),
      ("a s3cret-token", "a [hidden]"), ("s3cret-tokens3cret-token", "[hidden][hidden]"),
      ("s3cret-s3cret-token", "s3cret-[hidden]"), ("s3cret-toke", "s3cret-toke"), ("", ""),
    ])
  func places(line: String, shown: String) {
    #expect(redacted(line, "s3cret-token") == shown)
  }

  @Test("a secret that takes the place of another pushes none out")
  func replaced() {
    var redactor = Redactor()
    "the-first-secret".withBytes { redactor.add($0) }
    "token-0".withBytes { redactor.add($0) }
    for index in 1...2 * Budget.logSecrets {
      "token-\(index)".withBytes { new in "token-\(index - 1)".withBytes { redactor.add(new, insteadOf: $0) } }
    }
    let buffer = FixedBuffer(capacity: 100)
    let line = "the-first-secret token-\(2 * Budget.logSecrets) token-0"
    for (index, byte) in line.utf8.enumerated() { buffer.bytes[index] = byte }
    let kept = redactor.redact(buffer.bytes, count: line.utf8.count)
    #expect(String(decoding: buffer.bytes[..<kept], as: UTF8.self) == "[hidden] [hidden] token-0")
  }

  @Test("a secret that is shorter than its mark is hidden too")
  func short() {
    #expect(redacted("x 123456 y 123456", "123456") == "x [hidden] y [hidden]")
  }

  @Test("values too short to be secrets are not hidden", arguments: ["", "a", "12345"])
  func tooShort(secret: String) {
    #expect(redacted("12345 a 12345", secret) == "12345 a 12345")
  }

  @Test("the longer of two secrets that begin alike is hidden whole, in whichever order they came")
  func overlap() {
    #expect(redacted("x abcdefghij y", "abcdef", "abcdefghij") == "x [hidden] y")
    #expect(redacted("x abcdefghij y", "abcdefghij", "abcdef") == "x [hidden] y")
    #expect(redacted("x abcdef y", "abcdef", "abcdefghij") == "x [hidden] y")
  }

  @Test("a secret that stands in the mark does not hide the mark again")
  func mark() {
    #expect(redacted("a hidden b", "hidden") == "a [hidden] b")
    #expect(redacted("a s3cret-token b", "s3cret-token", "[hidden]", "hidden") == "a [hidden] b")
  }

  @Test("the beginning of a secret at the end of a full line is hidden")
  func cutEdge() {
    #expect(redacted("ab s3cret-token", capacity: 10, "s3cret-token") == "ab [hidden")
    #expect(redacted("123456789 s3cret-token", capacity: 12, "s3cret-token") == "123456789 [h")
    #expect(redacted("ab s3cret-token", capacity: 15, "s3cret-token") == "ab [hidden]")
  }

  @Test("nothing is written after the buffer when a mark is longer than its secret")
  func growth() {
    #expect(redacted("123456 123456", capacity: 13, "123456") == "[hidden] [hid")
  }

  @Test("of a secret longer than the budget the rest of the line is hidden with it")
  func long() {
    let secret = letters(Budget.logSecretBytes + 160)
    #expect(redacted("token \(secret) end", secret) == "token [hidden]")
    let known = secret.prefix(Budget.logSecretBytes - 1)
    #expect(redacted("token \(known) end", secret) == "token \(known) end")
  }

  @Test("the newest secrets are hidden, and one that is told twice takes one place")
  func capacity() {
    var redactor = Redactor()
    let secrets = (0...Budget.logSecrets).map { "secret number \($0)" }
    for secret in secrets + secrets.suffix(Budget.logSecrets) { secret.withBytes { redactor.add($0) } }
    let buffer = FixedBuffer(capacity: 100)
    for (index, secret) in secrets.enumerated() {
      for (offset, byte) in secret.utf8.enumerated() { buffer.bytes[offset] = byte }
      let count = redactor.redact(buffer.bytes, count: secret.utf8.count)
      let shown = String(decoding: buffer.bytes[..<count], as: UTF8.self)
      #expect(shown == (index == 0 ? secret : "[hidden]"))
    }
  }
}
