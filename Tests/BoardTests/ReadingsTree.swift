import Foundation

/// A copy of the parts of /proc, /sys and /etc that a test wants, in a folder of its own.
final class ReadingsTree {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent("talon-readings-\(UUID())").path

  init() { try! FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func write(_ path: String, _ text: String) {
    let file = URL(fileURLWithPath: root + path)
    try! FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try! text.write(to: file, atomically: false, encoding: .utf8)
  }
}
