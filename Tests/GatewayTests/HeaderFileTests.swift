import Gateway
import Runtime
import Testing

@Suite("Header fields of the owner's own")
struct HeaderFileTests {
  private func read(_ text: String) -> String {
    do throws(HeaderFileError) {
      return try HeaderFile.fields(Array(text.utf8)[...]).map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "each line is a name and a value; credentials may stand in clear",
    arguments: [
      ("", ""), ("# none\n\n   \n", ""), ("Remote-User: board\n", "Remote-User=board"),
      ("X-A:1\r\n\tX-B :2", "name(line: 2)"), ("  X-A :1", "name(line: 1)"), ("X-A:  a b  ", "X-A=a b"),
      ("Authorization: Basic Aladdin:open sesame", "Authorization=Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
      ("authorization: BASIC QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "authorization=BASIC QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
      ("Authorization: Bearer a.b.c", "Authorization=Bearer a.b.c"),
      ("Authorization: Basic a b", "credentials(line: 1)"),
      ("Authorization: Basic :b", "credentials(line: 1)"), ("# x\nnothing", "noColon(line: 2)"),
      (": x", "name(line: 1)"),
      ("X-Ä: x", "name(line: 1)"), ("X-A: \u{E4}", "value(line: 1)"), ("X-A:", "value(line: 1)"),
      ("X-A: a\u{0}b", "value(line: 1)"),
      ("HOST: x", "reserved(line: 1)"), ("Sec-WebSocket-Key: x", "reserved(line: 1)"),
      ("Content-Length: 0", "reserved(line: 1)"),
    ])
  func lines(text: String, expected: String) {
    #expect(read(text) == expected)
  }

  @Test("more fields or bytes than there is room for are refused, and as many as there is room for are not")
  func bounds() {
    let field = "X-A: b\n"
    #expect(read(String(repeating: field, count: Budget.ownHeaders)).hasPrefix("X-A=b|"))
    #expect(read(String(repeating: field, count: Budget.ownHeaders + 1)) == "tooMany")
    let rest = Budget.ownHeaderBytes - "X-A: ".utf8.count
    #expect(read("X-A: " + String(repeating: "b", count: rest)).hasPrefix("X-A=bbb"))
    #expect(read("X-A: " + String(repeating: "b", count: rest + 1)) == "tooLong")
  }

  @Test("no error has a word of the file, which is secret")
  func secrecy() {
    for error in [
      HeaderFileError.noColon(line: 7), .name(line: 7), .reserved(line: 7), .value(line: 7), .credentials(line: 7),
    ] {
      #expect(error.text.contains("line 7 "))
    }
  }
}
