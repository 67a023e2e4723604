import Codec
import Foundation
import Glibc
import Runtime
import Testing

@testable import talon

/// A small reader of XML without entities and comments: elements with attributes, text, and nothing that is not closed.
private struct SmallXML {
  var elements: [(path: [String], attributes: [String: String], text: String)] = []

  /// Nil where the text is not well-formed.
  init?(_ text: String) {
    var rest = Substring(text)
    guard rest.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"), let head = rest.firstIndex(of: ">") else {
      return nil
    }
    rest = rest[rest.index(after: head)...]
    var open: [(name: String, index: Int)] = []
    var roots = 0
    while let start = rest.firstIndex(of: "<") {
      let text = rest[..<start].trimmingCharacters(in: .whitespacesAndNewlines)
      if let last = open.last { elements[last.index].text += text } else if !text.isEmpty { return nil }
      guard let end = rest[start...].firstIndex(of: ">") else { return nil }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        guard let last = open.popLast(), last.name == tag.dropFirst() else { return nil }
        continue
      }
      guard let name = tag.split(separator: " ").first.map(String.init) else { return nil }
      var attributes: [String: String] = [:]
      for match in tag.dropFirst(name.count).matches(of: /\s([a-z]+)="([^"<&]*)"/) {
        attributes[String(match.1)] = String(match.2)
      }
      if open.isEmpty { roots += 1 }
      elements.append((open.map(\.name) + [name], attributes, ""))
      open.append((name, elements.count - 1))
    }
    guard open.isEmpty, roots == 1, rest.allSatisfy(\.isWhitespace) else { return nil }
  }

  func all(_ name: String) -> [(path: [String], attributes: [String: String], text: String)] {
    elements.filter { $0.path.last == name }
  }
}

@Suite("Where the board was, at a console")
struct TrackCommandTests {
  private static func point(_ number: Int, begins: Bool) -> String {
    let until = number % 2 == 0 ? #","until":"2026-07-15T12:0\#(number):59.000Z""# : ""
    let height = number == 0 ? "" : #","ele":-3"#
    return #"{"lat":46.\#(number),"lon":-8.5\#(height),"from":"2026-07-15T12:0\#(number):00.000Z""#
      + #"\#(until),"begins":\#(begins)}"#
  }

  /// Answers so many connections with two points each, of which the third begins anew.
  private static func serve(_ file: Int32, total: Int, answers: Int, isChanging: Bool) {
    listen(file, 4)
    for answered in 0..<answers {
      let client = accept(file, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(client, &bytes, bytes.count, 0)
      let request = [UInt8](bytes[0..<max(count - 1, 0)])
      let after = JSONView(request.span).member("after")?.int64.map { Int($0) } ?? 0
      let end = max(after, min(after + 2, total))
      let points = (after..<end).map { point($0, begins: $0 == 0 || $0 == 2) }.joined(separator: ",")
      let next = end < total ? #","next":\#(end)"# : ""
      let revision = isChanging ? answered : 7
      let answer =
        #"{"id":1,"type":"result","result":{"revision":\#(revision),"count":\#(total)\#(next),"points":[\#(points)]}}"#
        + "\n"
      _ = send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
      close(client)
    }
    close(file)
  }

  private func text(total: Int, answers: Int, isChanging: Bool = false) throws -> String {
    let folder = TemporaryFolder()
    let file = ConsoleClientTests.socket(at: folder.path + "/control")
    Thread.detachNewThread { Self.serve(file, total: total, answers: answers, isChanging: isChanging) }
    var text = ""
    try TrackCommand.show(folder: folder.path) { text += $0 + "\n" }
    return text
  }

  @Test("a track of several answers is one well-formed GPX 1.1, with a segment after each gap")
  func whole() throws {
    let xml = try #require(SmallXML(try text(total: 5, answers: 3)))
    let root = xml.elements[0]
    #expect(root.path == ["gpx"] && root.attributes["version"] == "1.1")
    #expect(root.attributes["xmlns"] == "http://www.topografix.com/GPX/1/1" && root.attributes["creator"] != nil)
    #expect(xml.all("trk").count == 1)
    #expect(xml.all("trkseg").allSatisfy { $0.path == ["gpx", "trk", "trkseg"] } && xml.all("trkseg").count == 2)
    let points = xml.all("trkpt")
    // Those that stayed have two.
    #expect(points.count == 8 && points.allSatisfy { $0.path == ["gpx", "trk", "trkseg", "trkpt"] })
    #expect(points.map { $0.attributes["lat"] } == ["46.0", "46.0", "46.1", "46.2", "46.2", "46.3", "46.4", "46.4"])
    #expect(points.allSatisfy { $0.attributes["lon"] == "-8.5" })
    // The schema has the height before the time.
    let inside = xml.elements.filter { $0.path.count == 5 }
    #expect(inside.prefix(2).map { $0.path[4] } == ["time", "time"] && inside[0].text == "2026-07-15T12:00:00.000Z")
    #expect(inside[2].path[4] == "ele" && inside[2].text == "-3" && inside[3].path[4] == "time")
    #expect(xml.all("time").map(\.text) == xml.all("time").map(\.text).sorted())
  }

  @Test("an empty track is well-formed as well")
  func empty() throws {
    let xml = try #require(SmallXML(try text(total: 0, answers: 1)))
    #expect(xml.elements.map { $0.path.last } == ["gpx", "trk"])
  }

  @Test(
    "the track is as long as the file says, and off without a word of it",
    arguments: [
      ("track = 1h", 3_600_000), ("track = 24h", 86_400_000), ("track = 720h", 2_592_000_000),
      ("track = 1d", 86_400_000), ("track = 30d", 2_592_000_000), ("track = off", nil), ("", nil),
    ] as [(String, Int64?)])
  func length(line: String, milliseconds: Int64?) throws {
    let text = "[location]\ndriver = gpsd\n\(line)\n"
    let configuration = try ConfigurationFile.parse(Array(text.utf8), file: "t.conf")
    #expect(configuration.location.track == milliseconds)
  }

  @Test("a track that is kept no more is deleted at the next start, and nothing else is")
  func deleted() throws {
    let folder = TemporaryFolder()
    for name in ["track00", "track00.old", "track15", "track15.new", "fix", "track16", "tracks"] {
      try Data([1]).write(to: URL(filePath: folder.path + "/" + name))
    }
    let log = Log(output: nil)
    TrackFiles.remove(from: folder.path, log)
    TrackFiles.remove(from: folder.path, log)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["fix", "track16", "tracks"])
  }

  @Test("a track that was thinned out or erased meanwhile is told, not written in two parts")
  func changed() {
    #expect(throws: Failure.self) { _ = try text(total: 5, answers: 2, isChanging: true) }
  }
}
