import Foundation
import TestSupport

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

  func link(_ path: String, to target: String) {
    let folder = URL(fileURLWithPath: root + path).deletingLastPathComponent()
    try! FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try! FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: root + target)
  }

  /// Numbers of the disk that this folder is on, as `/sys/dev/block` names it.
  var disk: String {
    let number = try! FileManager.default.attributesOfItem(atPath: root)[.systemNumber] as! Int
    // makedev(3)
    return "\(number >> 8 & 0xFFF):\(number & 0xFF | number >> 12 & 0xFFF00)"
  }

  /// Makes the board that a file of Tests/Fixtures/boards describes.
  func load(_ board: String) throws {
    let text = try Repository.text("Tests/Fixtures/boards/\(board).txt")
    var path = ""
    var lines: [Substring] = []
    func finish() {
      guard !path.isEmpty else { return }
      if let target = lines.first, target.hasPrefix("-> ") {
        link(path.replacingOccurrences(of: "DISK", with: disk), to: String(target.dropFirst(3)))
      } else {
        write(path, lines.map { $0 + "\n" }.joined())
      }
      lines = []
    }
    for line in text.split(separator: "\n") {
      if line.hasPrefix("/") {
        finish()
        path = String(line)
      } else {
        lines.append(line.dropFirst(2))
      }
    }
    finish()
  }
}
