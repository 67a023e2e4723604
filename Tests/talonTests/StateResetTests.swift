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

  @Test("forgets everything below the folder, the lock file of releases before too")
  func forgets() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/photos/old", withIntermediateDirectories: true)
      try Data("photo".utf8).write(to: URL(filePath: folder + "/photos/old/1.jpg"))
      try StateReset.erase(folder)
      #expect(try names(folder) == [])
    }
  }

  @Test("a link is forgotten itself, and what it leads to stays")
  func links() throws {
    try withFolder { folder in
      try withFolder { other in
        for target in [other, other + "/identity", other + "/missing"] {
          try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: target)
          try StateReset.erase(folder)
          #expect(try names(folder) == [])
        }
        #expect(try names(other).contains("identity") && names(other).contains("photos"))
      }
    }
  }

  @Test("is ended by the next start when a power cut interrupted it, and only then")
  func resumes() throws {
    try withFolder { folder in
      #expect(try !StateReset.resume(folder))
      #expect(try names(folder).contains("identity"))
      try Data().write(to: URL(filePath: folder + "/reset-begun"))
      #expect(try StateReset.resume(folder))
      #expect(try names(folder) == [])
      #expect(try !StateReset.resume(folder))
    }
  }

  @Test("says what it could not erase")
  func fails() {
    #expect(throws: Failure.self) { try StateReset.erase("/nonexistent/state") }
  }
}
