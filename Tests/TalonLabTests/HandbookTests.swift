import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import talon_lab

@Suite("The handbook's pictures of the screen")
struct HandbookTests {
  private static let pictures = Repository.path("docs/pictures")

  @Test("three pictures of 480x320 are drawn, each with less than 60 KB")
  func draws() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("handbook-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.copyItem(atPath: "\(Self.pictures)/card.jsonl", toPath: "\(folder)/card.jsonl")
    try HandbookCommand.parse([folder]).run()
    for name in ["home", "card", "chat"] {
      let png = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name).png"))
      // PNG (ISO/IEC 15948) 11.2.2: width and height follow the signature and the name of the first chunk.
      #expect([UInt8](png[16..<24]) == [0, 0, 1, 0xE0, 0, 0, 1, 0x40], "\(name)")
      #expect(png.count < 60_000, "\(name) has \(png.count) bytes")
    }
  }

  @Test("a folder without card.jsonl is an error that names the file")
  func lacks() throws {
    let error = #expect(throws: ValidationError.self) { try HandbookCommand.card(from: "/nowhere/card.jsonl") }
    #expect(error?.message == "cannot read /nowhere/card.jsonl")
  }
}
