import Codec
import Runtime
import Testing

@testable import OwnAgent

/// A message in memory that lives as long as the test's call.
func composed(
  sender: String = "board@example.org", name: String = "", recipient: String = "a@example.net", subject: String = "Hi",
  text: [UInt8] = Array("x".utf8), date: Int64 = 0
) throws(MailError) -> String {
  let room = FixedBuffer(capacity: Budget.mailMessageBytes)
  let parts = [sender, name, recipient, subject].map { Array($0.utf8) }
  let kept = parts + [text]
  let buffers = kept.map { bytes in
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + 1)
    for index in 0..<bytes.count { copy[index] = bytes[index] }
    return UnsafeBufferPointer(copy).extracting(0..<bytes.count)
  }
  defer { for buffer in buffers { UnsafeMutablePointer(mutating: buffer.baseAddress!).deallocate() } }
  var mail = MailMessage(
    sender: buffers[0], recipient: buffers[2], subject: buffers[3], text: buffers[4], date: date, id: (1, 0xABCD))
  mail.name = buffers[1]
  let count = try mail.compose(into: room.bytes)
  return String(decoding: room.bytes[..<count], as: UTF8.self)
}

private func fields(_ message: String) -> [String] { head(message).split(separator: "\r\n").map(String.init) }

private func head(_ message: String) -> String {
  let bytes = Array(message.utf8)
  for index in 0..<max(bytes.count - 3, 0) where Array(bytes[index..<index + 4]) == [13, 10, 13, 10] {
    return String(decoding: bytes[..<index], as: UTF8.self)
  }
  return message
}

private func body(_ text: String) throws -> String {
  let message = try composed(text: Array(text.utf8))
  return String(message.dropFirst(head(message).count).utf8.dropFirst(4))!
}

/// A field's value with its encoded words decoded, and each line of it.
private func decoded(_ message: String, _ field: String) -> (text: [UInt8], lines: [String]) {
  let all = head(message).split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
  guard let first = all.firstIndex(where: { $0.hasPrefix(field + ": ") }) else { return ([], []) }
  var lines = [all[first]]
  var next = first + 1
  while next < all.count, all[next].hasPrefix(" ") {
    lines.append(all[next])
    next += 1
  }
  var bytes: [UInt8] = []
  for line in lines {
    for word in line.split(separator: " ") where word.hasPrefix("=?UTF-8?B?") && word.hasSuffix("?=") {
      let base64 = Array(word.utf8.dropFirst(10).dropLast(2))
      let room = FixedBuffer(capacity: 100)
      let count = (try? Base64Decoder.decode(base64.span, .standard, padding: .required, into: room.bytes)) ?? 0
      let part = Array(room.bytes[..<count])
      // Each word is UTF-8 on its own.
      if String(validating: part, as: UTF8.self) == nil { return ([], lines) }
      bytes += part
    }
  }
  return (bytes, lines)
}

@Suite("Messages of e-mail") struct MailMessageTests {
  @Test("a message has what RFC 5322 and MIME want")
  func whole() throws {
    let message = try composed(name: "The board", text: Array("Hello.\n".utf8), date: 1_795_824_102_345)
    #expect(
      message == """
        Date: Sat, 28 Nov 2026 00:01:42 +0000\r
        From: The board\r
         <board@example.org>\r
        To: <a@example.net>\r
        Message-ID: <0000000000000001000000000000abcd@example.org>\r
        Subject: Hi\r
        MIME-Version: 1.0\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Transfer-Encoding: quoted-printable\r
        Auto-Submitted: auto-generated\r
        \r
        Hello.\r

        """)
  }

  @Test("dates of all times, within four digits of a year")
  func dates() throws {
    for (instant, text) in [
      (Int64(0), "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400_000, "Tue, 29 Feb 2000 00:00:00 +0000"),
      (-1, "Thu, 01 Jan 1970 00:00:00 +0000"), (-1000, "Wed, 31 Dec 1969 23:59:59 +0000"),
      (Int64.max, "Fri, 31 Dec 9999 23:59:59 +0000"), (Int64.min, "Mon, 01 Jan 1900 00:00:00 +0000"),
    ] {
      #expect(fields(try composed(date: instant))[0] == "Date: \(text)")
    }
  }

  @Test("a subject beyond ASCII is in encoded words, none cut in a character, lines of at most 76")
  func subjects() throws {
    for subject in [
      "ü", "Grüße vom Balkon", String(repeating: "€", count: 80), String(repeating: "😀", count: 60), "=?UTF-8?B?eA==?=",
      String(repeating: "a", count: 240), String(repeating: "ab ", count: 40), " x", "x ",
      String(repeating: "aé", count: 80),
    ] {
      let (text, lines) = decoded(try composed(subject: subject), "Subject")
      #expect(text == Array(subject.utf8), "\(subject)")
      #expect(lines.allSatisfy { $0.utf8.count <= 76 }, "\(lines)")
    }
    #expect(fields(try composed(subject: "")).contains("Subject: "))
    #expect(fields(try composed(subject: "Plain: 100% = ok?")).contains("Subject: Plain: 100% = ok?"))
    let (name, lines) = decoded(try composed(name: "Gerät, \"A\" <x@y>"), "From")
    #expect(name == Array("Gerät, \"A\" <x@y>".utf8) && lines.last == " <board@example.org>")
  }

  @Test(
    "line ends and controls in addresses, name and subject are refused: no field is added",
    arguments: ["\r\nBcc: x@y.z", "\n", "\r", "\u{0}", "\u{1B}", "\u{7F}", "\u{85}", "\u{2028}", "\t"])
  func injection(text: String) {
    #expect(throws: MailError.subject) { try composed(subject: "Hi" + text) }
    #expect(throws: MailError.name) { try composed(name: "N" + text) }
    #expect(throws: MailError.sender) { try composed(sender: "a@b.c" + text) }
    #expect(throws: MailError.recipient) { try composed(recipient: "a" + text + "@b.c") }
  }

  @Test(
    "what is no address is refused",
    arguments: [
      "", "a", "@b.c", "a@", "a@b@c", "a b@c.d", "<a@b.c>", "a@b.c>", "a@b,c", "a@b.c,d@e.f", "a..b@c.d", ".a@b.c",
      "a.@b.c", "a@.b", "a@b.", "a@b..c", "a@-b", "a@[1.2.3.4]", "\"a b\"@c.d", "a(x)@b.c", "a:b@c.d", "a;b@c.d",
      "a\\b@c.d", String(repeating: "a", count: 65) + "@b.c", "a@" + String(repeating: "b", count: 254),
    ])
  func badAddresses(address: String) {
    #expect(!address.withBytes { MailAddress.isValid($0) })
    #expect(throws: MailError.recipient) { try composed(recipient: address) }
  }

  @Test("addresses that people have are taken")
  func goodAddresses() {
    for address in ["a@b", "first.last+tag@sub.example.org", "o'neil_x=1@e-x.org", "jürgen@exämple.org", "1@2.3"] {
      #expect(address.withBytes { MailAddress.isValid($0) }, "\(address)")
    }
    #expect("jürgen@b".withBytes { MailAddress.isInternational($0) })
    #expect(!"j@b".withBytes { MailAddress.isInternational($0) })
    let bytes: [UInt8] = [0x61, 0xFF, 0x40, 0x62]
    #expect(!bytes.withUnsafeBufferPointer { MailAddress.isValid($0) })
  }

  @Test("the text is quoted-printable: lines of at most 76, every byte comes back")
  func quotedPrintable() throws {
    #expect(try body("a=b é\n.x\n") == "a=3Db =C3=A9\r\n.x\r\n")
    #expect(try body("end \nend\t\r\nx ") == "end=20\r\nend=09\r\nx=20\r\n")
    #expect(try body("") == "")
    #expect(try body("a\rb\u{0}") == "a=0Db=00\r\n")
    for count in [74, 75, 76, 77, 78, 151, 152, 153] {
      for letter in ["a", "é", "= ", " "] {
        let text = String(repeating: letter, count: count)
        let lines = try body(text).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.utf8.count <= 76 }, "\(count) of \(letter)")
        #expect(back(Array(try body(text).utf8)) == text + "\n", "\(count) of \(letter)")
      }
    }
    #expect(try body(String(repeating: "a", count: 76)) == String(repeating: "a", count: 76) + "\r\n")
  }

  /// Decodes quoted-printable.
  private func back(_ bytes: [UInt8]) -> String {
    var (out, index): ([UInt8], Int) = ([], 0)
    while index < bytes.count {
      if bytes[index] == 0x3D, bytes[index + 1] == 0x0D {
        index += 3
      } else if bytes[index] == 0x3D {
        out.append(UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)!)
        index += 3
      } else {
        if bytes[index] != 0x0D { out.append(bytes[index]) }
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  @Test("what is longer than the budget, or no UTF-8, is refused; the longest fits")
  func bounds() throws {
    let most = [UInt8](repeating: 0x3D, count: Budget.mailTextBytes)
    #expect(try composed(subject: String(repeating: "=?", count: 120), text: most).utf8.count > 3 * most.count)
    #expect(throws: MailError.textTooLong) { try composed(text: most + [0x61]) }
    #expect(throws: MailError.subjectTooLong) { try composed(subject: String(repeating: "s", count: 241)) }
    #expect(throws: MailError.name) { try composed(name: String(repeating: "n", count: 81)) }
    #expect(throws: MailError.notUTF8) { try composed(text: [0xC3]) }
    let lines = [UInt8](repeating: 0x0A, count: Budget.mailTextBytes)
    #expect(try composed(text: lines).utf8.count > 2 * lines.count)
  }

  @Test("garbage in every part never traps, and makes no header that was not meant")
  func garbage() {
    for seed in 1...300 {
      var dice = PageDice(UInt64(seed))
      func some(_ count: Int) -> String {
        String(decoding: (0..<dice.below(count)).map { _ in UInt8(dice.below(256)) }, as: UTF8.self)
      }
      let text = Array(some(400).utf8)
      guard let message = try? composed(name: some(20), subject: some(60), text: text) else { continue }
      let names = fields(message).filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
      #expect(
        names == [
          "Date", "From", "To", "Message-ID", "Subject", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
          "Auto-Submitted",
        ])
      #expect(message.utf8.allSatisfy { $0 < 0x80 })
    }
  }
}
