import Foundation
import OwnAgent
import Runtime
import Testing

@testable import Board

@Suite final class TransferFilesTests {
  private let folder: String
  private let files: TransferFiles

  init() throws {
    folder = NSTemporaryDirectory() + "transfers-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    files = try TransferFiles(folder: folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

  private func write(_ text: String, at place: Int64) -> Bool { text.withBytes { files.writeImport($0, at: place) } }

  private func read(at place: Int64, room size: Int = 100) -> String? {
    let room = FixedBuffer(capacity: size)
    return files.readExport(at: place, into: room.bytes).map { String(decoding: room.bytes[..<$0], as: UTF8.self) }
  }

  @Test func anImportIsWhatItsPiecesAre() throws {
    #expect(files.openImport() == nil)
    #expect(write("old and long", at: 0))
    #expect(write("# Fa", at: 0) && write("cts\n", at: 4))
    let source = try #require(files.openImport())
    let room = FixedBuffer(capacity: 100)
    #expect(try source.read(into: room.bytes) == 8)
    #expect(String(decoding: room.bytes[..<8], as: UTF8.self) == "# Facts\n")
  }

  @Test func anExportIsReadFromAnyPlaceOnceItIsWhole() throws {
    #expect(read(at: 0) == nil)
    let sink = try #require(files.makeExport())
    try "abcdef".withBytes { (bytes) throws(MemoryFault) in try sink.write(bytes) }
    #expect(read(at: 0) == nil)
    try sink.finish()
    #expect(read(at: 0, room: 4) == "abcd" && read(at: 4) == "ef" && read(at: 6) == "" && read(at: .max) == nil)
    #expect(read(at: -1) == nil)
  }

  @Test func linksAreNotFollowed() throws {
    let other = folder + "/other"
    try "secret".write(toFile: other, atomically: false, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: folder + "/export.md", withDestinationPath: other)
    #expect(read(at: 0) == nil)
    try FileManager.default.createSymbolicLink(atPath: folder + "/import.md", withDestinationPath: other)
    #expect(!write("x", at: 3))
    #expect(files.openImport() == nil)
    #expect(write("mine", at: 0))
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "secret")
  }

  @Test func nothingIsLeft() throws {
    _ = write("x", at: 0)
    let sink = try #require(files.makeExport())
    try "abc".withBytes { (bytes) throws(MemoryFault) in try sink.write(bytes) }
    files.removeAll()
    #expect(names.isEmpty)
    _ = write("x", at: 0)
    _ = try TransferFiles(folder: folder)
    #expect(names.isEmpty)
  }
}
