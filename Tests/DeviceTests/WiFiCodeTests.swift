import Runtime
import Testing

@testable import Device

@Suite("A Wi-Fi network in a QR code")
struct WiFiCodeTests {
  private func code(_ text: String) throws -> WiFiCode { try WiFiCode(Array(text.utf8).span) }

  private func error(_ text: String) -> WiFiCodeError? {
    do throws(WiFiCodeError) {
      _ = try WiFiCode(Array(text.utf8).span)
      return nil
    } catch {
      return error
    }
  }

  private func string<let size: Int>(_ text: InlineText<size>) -> String {
    text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func request(_ text: String) throws -> String {
    var bytes = [UInt8](repeating: 0, count: Budget.wifiRequestBytes)
    let code = try code(text)
    let count = bytes.withUnsafeMutableBufferPointer { code.writeRequest(7, into: $0) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static let key = String(repeating: "0123456789abcdeF", count: 4)

  /// A code; its name, passphrase or key, and protection; whether it is hidden.
  private static let codes: [(String, String, String, WiFiCode.Protection, Bool)] = [
    ("WIFI:T:WPA;S:Barn;P:long enough;;", "Barn", "long enough", .passphrase, false),
    ("wifi:S:Barn;H:true;T:WPA2;P:long enough;;", "Barn", "long enough", .passphrase, true),
    ("WIFI:P:long enough;T:SAE;S:Barn;H:false;;", "Barn", "long enough", .passphrase, false),
    ("WIFI:T:WPA;S:Barn;P:long enough;H:True", "Barn", "long enough", .passphrase, true),
    // Some write no kind; an open network has no passphrase, whatever stands there.
    ("WIFI:S:Barn;P:long enough;;", "Barn", "long enough", .passphrase, false),
    ("WIFI:S:Barn;;", "Barn", "", .open, false),
    ("WIFI:T:;S:Barn;P:;;", "Barn", "", .open, false),
    ("WIFI:T:nopass;S:Barn;P:left from before;;", "Barn", "", .open, false),
    (#"WIFI:T:WPA;S:a\;b\,c\:d\\e\"f;P:\;\,\:\\\"\;\;\;;;"#, #"a;b,c:d\e"f"#, #";,:\";;;"#, .passphrase, false),
    // Quotes around a name are none of it; those of the name have a backslash before them.
    (#"WIFI:T:WPA;S:"cafe";P:"long enough";;"#, "cafe", "long enough", .passphrase, false),
    (#"WIFI:T:WPA;S:\"cafe\";P:long enough;;"#, #""cafe""#, "long enough", .passphrase, false),
    (#"WIFI:S:"a;;"#, #""a"#, "", .open, false), (#"WIFI:S:";;"#, "\"", "", .open, false),
    // As a telephone writes a name that looks like hexadecimal digits.
    ("WIFI:T:WPA;S:cafe;P:12345678;;", "cafe", "12345678", .passphrase, false),
    ("WIFI:T:WPA;S:Scheune Süd;P:long enough;;", "Scheune Süd", "long enough", .passphrase, false),
    ("WIFI:T:WPA;S:Barn;P:\(key);;", "Barn", key, .key, false),
    // Other fields, with a colon, an escaped end and a name of several letters.
    (#"WIFI:R:1;K:MDk\;w:E=;PH2:x;S:Barn;T:WPA;I:;P:long enough;;"#, "Barn", "long enough", .passphrase, false),
    ("WIFI:S:Barn;;T:WEP;P:what follows the end;", "Barn", "", .open, false),
  ]

  @Test("is read with its fields in any order", arguments: codes.indices)
  func read(index: Int) throws {
    let (text, name, secret, protection, isHidden) = Self.codes[index]
    let code = try code(text)
    #expect(string(code.name) == name)
    #expect(string(code.secret) == secret)
    #expect(code.protection == protection)
    #expect(code.isHidden == isHidden)
  }

  private static let faults: [(String, WiFiCodeError)] = [
    ("", .shape), ("WIFI", .shape), ("http://a", .shape), ("WIFI:S:a;T", .shape), ("WIFI:S:a;T;;", .shape),
    ("WIFI:S:a;x\\", .cut), ("WIFI:S:a\\", .cut), ("WIFI:S:a;X:\\", .cut),
    ("WIFI:", .noName), ("WIFI:;;", .noName), ("WIFI:T:WPA;P:long enough;;", .noName), ("WIFI:S:;;", .noName),
    (#"WIFI:S:"";;"#, .noName),
    ("WIFI:S:a;S:b;;", .twice), ("WIFI:S:a;P:1;P:2;;", .twice), ("WIFI:S:a;T:WPA;T:WPA;;", .twice),
    ("WIFI:S:a;H:true;H:true;;", .twice),
    ("WIFI:S:a\nb;;", .name), ("WIFI:S:\u{7F};;", .name), ("WIFI:S:a\0;;", .name),
    ("WIFI:T:WEP;S:a;P:12345;;", .wep), ("WIFI:T:wep40;S:a;;", .wep),
    ("WIFI:T:WPA2-EAP;S:a;E:PEAP;I:me;P:long enough;;", .enterprise), ("WIFI:T:OWE;S:a;;", .kind),
    ("WIFI:T:WPA;S:a;;", .passphrase), ("WIFI:T:WPA;S:a;P:accénts are none;;", .passphrase),
    ("WIFI:T:WPA;S:a;P:long\tenough;;", .passphrase),
  ]

  @Test("is refused with its reason", arguments: faults.indices)
  func refused(index: Int) { #expect(error(Self.faults[index].0) == Self.faults[index].1) }

  @Test("has bounds: 32 bytes of name, 8 to 63 of passphrase, 64 digits of a key, 512 in all")
  func bounds() throws {
    func letters(_ count: Int, _ letter: String = "x") -> String { String(repeating: letter, count: count) }
    #expect(error("WIFI:S:\(letters(32));;") == nil)
    #expect(error("WIFI:S:\"\(letters(32))\";;") == nil)
    #expect(error("WIFI:S:\(letters(33));;") == .longName)
    // 32 letters, of which each has two bytes, are 64.
    #expect(error("WIFI:S:\(letters(17, "ü"));;") == .longName)
    #expect(error("WIFI:T:WPA;S:a;P:\(letters(7));;") == .passphrase)
    #expect(error("WIFI:T:WPA;S:a;P:\(letters(8));;") == nil)
    #expect(error("WIFI:T:WPA;S:a;P:\(letters(63));;") == nil)
    #expect(error("WIFI:T:WPA;S:a;P:\(letters(64));;") == .passphrase)
    #expect(error("WIFI:T:WPA;S:a;P:\(letters(64, "a"));;") == nil)
    #expect(error("WIFI:T:WPA;S:a;P:\(letters(65, "a"));;") == .passphrase)
    #expect(error("WIFI:T:WPA;S:a;P:\(letters(67, "a"));;") == .longValue)
    #expect(error("WIFI:T:WPA;S:a;P:\(letters(63, "\\;"));;") == nil)
    let rest = "WIFI:S:a;X:;;".utf8.count
    #expect(error("WIFI:S:a;X:\(letters(Budget.wifiCodeBytes - rest));;") == nil)
    #expect(error("WIFI:S:a;X:\(letters(Budget.wifiCodeBytes - rest + 1));;") == .tooLong)
  }

  @Test("each beginning of a code is read or refused, and each byte in each place")
  func beginnings() {
    let text = Array(#"WIFI:T:WPA;S:"a\"b";X:\;;P:long enough;H:true;;"#.utf8)
    for count in 0...text.count { _ = try? WiFiCode(text.span.extracting(0..<count)) }
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        _ = try? WiFiCode(changed.span)
      }
    }
  }

  @Test("becomes a request of lines in which none of its bytes stands as it is")
  func asks() throws {
    #expect(
      try request("WIFI:T:WPA;S:a\u{2028}b;P:long = enough;H:true;;")
        == "id = 7\nssid = 61e280a862\npassphrase = 6c6f6e67203d20656e6f756768\nhidden = yes\n")
    #expect(try request("WIFI:T:WPA;S:a;P:\(Self.key);;") == "id = 7\nssid = 61\npsk = \(Self.key.lowercased())\n")
    #expect(try request("WIFI:S:a;;") == "id = 7\nssid = 61\n")
  }

  @Test("the longest request has room")
  func longest() throws {
    var bytes = [UInt8](repeating: 0, count: 2 * Budget.wifiRequestBytes)
    let (name, secret) = (String(repeating: "n", count: 32), String(repeating: "p", count: 63))
    let code = try code("WIFI:T:WPA;S:\(name);P:\(secret);H:true;;")
    let count = bytes.withUnsafeMutableBufferPointer { code.writeRequest(.max, into: $0) }
    #expect(count <= Budget.wifiRequestBytes)
    #expect(String(decoding: bytes[..<count], as: UTF8.self).hasSuffix("\nhidden = yes\n"))
  }

  @Test("root's side tells how far it is")
  func answers() {
    func answer(_ text: String) -> WiFiAnswer? { WiFiAnswer(Array(text.utf8).span) }
    #expect(answer("state = waiting\n")?.state == .waiting)
    #expect(answer("state = waiting\n")?.id == 0)
    #expect(answer("id = 12\nstate = joined\n")?.id == 12)
    let failed = answer("id = 12\nstate = failed\nreason = no\u{1B}[1m address\n")
    #expect(failed?.state == .failed)
    #expect(failed.map { string($0.reason) } == "no?[1m address")
    #expect(answer("id = 12\nstate = working")?.state == .working)
    for text in ["", "id = 12\n", "state = other\n", "state=joined\n", "\n\n\0"] { #expect(answer(text) == nil) }
    #expect(answer("id = 99999999999999999999\nstate = joined\n")?.id == 0)
    #expect(answer("state = failed\nreason = \(String(repeating: "x", count: 400))\n")?.reason.count == 160)
  }
}
