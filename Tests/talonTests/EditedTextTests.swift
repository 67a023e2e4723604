import Foundation
import Testing

@testable import talon

@Suite("Texts as editors, shells and chats leave them")
struct EditedTextTests {
  private func normal(_ bytes: [UInt8]) -> String { String(decoding: EditedText.normal(bytes), as: UTF8.self) }

  private static let text = "[gateway]\nurl = höhle.local\n"

  @Test("a text is the same with any mark, in UTF-8 or UTF-16, with the line ends of any system")
  func forms() throws {
    for ends in ["\n", "\r\n", "\r"] {
      let text = Self.text.replacingOccurrences(of: "\n", with: ends)
      #expect(normal(Array(text.utf8)) == Self.text)
      #expect(normal([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == Self.text)
      for (encoding, mark) in [
        (String.Encoding.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF]),
      ] as [(String.Encoding, [UInt8])] {
        #expect(normal(mark + Array(try #require(text.data(using: encoding)))) == Self.text)
      }
    }
  }

  @Test("what is not seen around a value is no part of it")
  func around() {
    for blank in [" ", "\t", "\r", "\u{A0}", "\u{200B}", "\u{FEFF}", "\u{202F}", "\u{2060}", "\u{3000}", "\u{200E}"] {
      #expect(ConfigurationKey.trimmed(Array("\(blank)\(blank)to ken\(blank)".utf8)[...]) == "to ken")
    }
    #expect(ConfigurationKey.trimmed(Array("\u{A0}".utf8)[...]).isEmpty)
    #expect(ConfigurationKey.trimmed([][...]).isEmpty)
    #expect(ConfigurationKey.trimmed(Array("höhle…".utf8)[...]) == "höhle…")
  }

  @Test("a secret with a character in it that nobody sees is refused, and told why")
  func within() {
    var secret = ""
    for hidden in ["\u{200B}", "\u{A0}", "\u{FEFF}", "\u{2028}"] {
      #expect(
        ConfigurationKey.secret("to\(hidden)ken", into: &secret) == "holds a character that nobody sees: copy it again")
    }
    #expect(ConfigurationKey.secret("two words of höhle", into: &secret) == nil)
  }

  @Test("a token's file and a configuration from Notepad are read as what they look like")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (token, file) = (folder.appending(path: "token"), folder.appending(path: "talon.conf"))
    try Data([0xFF, 0xFE] + Array("s3cret\r\n".data(using: .utf16LittleEndian) ?? Data())).write(to: token)
    try Data([0xEF, 0xBB, 0xBF] + Array("[gateway]\r\nurl = g.example\r\ntoken_file = \(token.path)\r\n".utf8)).write(
      to: file)
    let configuration = try ConfigurationFile.read(file.path)
    #expect(configuration.token == "s3cret" && configuration.urls.first?.host == "g.example")
  }
}
