import ArgumentParser
import Foundation
import Glibc
import Testing

@testable import talon_lab

@Suite("What the lab says when it cannot go on")
struct LabOutputTests {
  private func words(_ error: (any Error)?) -> String { error.map { "\(LabFailure.readable($0))" } ?? "" }

  @Test("output that cannot be written is an error in words, not the end of the program")
  func fullDisk() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let error = #expect(throws: LabFailure.self) { try LabOutput.write(Data("x".utf8), to: full) }
    #expect(error?.description == "the output cannot be written: No space left on device")
    let other = #expect(throws: LabFailure.self) { try LabOutput.write([1], toFile: "/nowhere/at/all.png") }
    #expect(other?.description == "/nowhere/at/all.png cannot be written: No such file or directory")
  }

  @Test("Foundation's errors name the file and the system's reason, without a domain")
  func foundation() {
    let error = #expect(throws: (any Error).self) { try Data(contentsOf: URL(fileURLWithPath: "/nowhere/stream.h264")) }
    #expect(words(error) == "/nowhere/stream.h264: No such file or directory")
    let folder = #expect(throws: (any Error).self) {
      try FileManager.default.createDirectory(atPath: "/proc/nothing/at/all", withIntermediateDirectories: true)
    }
    #expect(!words(folder).contains("Domain") && !words(folder).contains("Code="), "\(words(folder))")
    let own = LabFailure("as it is")
    #expect(words(own) == "as it is")
  }

  @Test("a folder without a recording is named")
  func noSound() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talon-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let error = #expect(throws: (any Error).self) { try SoundFile.files(in: [folder]) }
    #expect(words(error).hasPrefix("\(folder) has no recording in it"))
  }

  @Test("a server that is not there is named, with the reason")
  func deadServer() throws {
    // A port that was free a moment ago, and that nobody listens at.
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    try #require(isBound)
    let url = "ws://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
    let command = try EchoCommand.parse([url])
    let error = #expect(throws: (any Error).self) { try command.run() }
    #expect(words(error).hasPrefix("\(url): no connection: "), "\(words(error))")
  }

  @Test(
    "a list of phrases that is none says where",
    arguments: [
      (Data([0xFF, 0xFE, 0x00]), "is no text in UTF-8"),
      (Data("hey robin\n\u{1}\u{2}garbage\n".utf8), ", line 2: a phrase has words"),
      (Data("# nothing\n\n".utf8), "has no phrase in it"), (Data("7734 #!\n".utf8), ", line 1: a phrase has words"),
    ])
  func garbage(_ list: (data: Data, complaint: String)) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("talon-\(UUID())")
    try list.data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let error = #expect(throws: ValidationError.self) { try EnrolCommand.phrases(of: file.path) }
    #expect(error?.message.contains(list.complaint) == true, "\(error?.message ?? "")")
  }
}
