import Board
import Device
import Foundation
import Runtime
import Testing

/// A look by a program, for which a script stands here, and the files between the agent and root's side.
@Suite("The search for a Wi-Fi code on a board")
struct WiFiCodeCameraTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "wifi-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func camera(_ script: String = "") throws -> WiFiCodeCamera {
    let path = folder + "/program"
    try ("#!/bin/sh\n" + script + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    #expect(chmod(path, 0o700) == 0)
    return try WiFiCodeCamera(
      configuration: "/c", runtimeFolder: folder, program: path, answer: folder + "/answer")
  }

  private func look(_ script: String, _ cancellation: Cancellation = Cancellation()) throws -> (WiFiSight, String) {
    let text = FixedBuffer(capacity: Budget.wifiCodeBytes + 1)
    let sight = try camera(script).look(for: 2_500, into: text.bytes, cancellation: cancellation)
    guard case .code(let count) = sight else { return (sight, "") }
    return (sight, String(decoding: text.bytes[..<count], as: UTF8.self))
  }

  @Test("the program is told the agent's configuration and whole seconds, and its output is a code")
  func words() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try look(#"printf %s "$*""#).1 == "look-for-wifi /c 3")
    #expect(try look("exit 0").0 == .nothing)
  }

  @Test("more than a code may have is cut behind its first byte too many")
  func long() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try look("head -c 5000 /dev/zero").0 == .code(Budget.wifiCodeBytes + 1))
  }

  @Test("a program that fails is trouble, with the first line of its words")
  func trouble() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(
      try look("echo WIFI:S:a >&1; echo 'the camera: in use' >&2; echo more >&2; exit 69").0
        == .trouble(InlineText(cutting: "the camera: in use")))
    let silent = WiFiSight.trouble(InlineText(cutting: "the process that looks has failed"))
    #expect(try look("exit 1").0 == silent)
    #expect(try look("kill -SEGV $$").0 == silent)
    let long = String(repeating: "x", count: Budget.wifiTroubleBytes)
    #expect(try look("echo \(long)yz >&2; exit 1").0 == .trouble(InlineText(cutting: long)))
  }

  @Test("a look that nobody wants any more ends at once")
  func cancelled() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let cancellation = Cancellation()
    cancellation.request()
    #expect(try look("sleep 60; echo WIFI:S:a", cancellation).0 == .nothing)
  }

  @Test("a request is the agent's alone, whole, and replaces what stands in its place")
  func request() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let camera = try camera()
    let path = folder + "/wifi-request"
    for text in ["id = 1\n", "id = 2\n"] {
      try Array(text.utf8).withUnsafeBufferPointer { try camera.send($0) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(!FileManager.default.fileExists(atPath: path + ".new"))
  }

  @Test("root's answer is read to its bound")
  func answer() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let camera = try camera()
    let text = FixedBuffer(capacity: Budget.wifiAnswerBytes)
    #expect(throws: Errno.noSuchFile) { try camera.readAnswer(into: text.bytes) }
    for count in [20, Budget.wifiAnswerBytes + 20] {
      try String(repeating: "x", count: count).write(toFile: folder + "/answer", atomically: true, encoding: .utf8)
      #expect(try camera.readAnswer(into: text.bytes) == min(count, Budget.wifiAnswerBytes))
    }
  }
}
