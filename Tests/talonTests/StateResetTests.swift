import Foundation
import Runtime
import Testing

@testable import talon

@Suite("A factory reset")
struct StateResetTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "talon-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["identity", "identity.old", "gateway-0123456789abcdef", "outbox", "hold", "lock"] {
      try Data("secret".utf8).write(to: URL(filePath: folder + "/" + name))
    }
    try FileManager.default.createDirectory(atPath: folder + "/photos", withIntermediateDirectories: true)
    try body(folder)
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("forgets everything but the lock, and what people keep in folders of their own")
  func forgets() throws {
    try withFolder { folder in
      try StateReset.erase(folder)
      #expect(try names(folder) == ["lock", "photos"])
    }
  }

  @Test("is ended by the next start when a power cut interrupted it, and only then")
  func resumes() throws {
    try withFolder { folder in
      #expect(try !StateReset.resume(folder))
      #expect(try names(folder).contains("identity"))
      try Data().write(to: URL(filePath: folder + "/reset-begun"))
      #expect(try StateReset.resume(folder))
      #expect(try names(folder) == ["lock", "photos"])
      #expect(try !StateReset.resume(folder))
    }
  }

  @Test("says what it could not erase")
  func fails() {
    #expect(throws: Failure.self) { try StateReset.erase("/nonexistent/state") }
  }
}
