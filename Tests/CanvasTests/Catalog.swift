import Foundation

/// A document with all 18 components.
enum Catalog {
  static let document: String = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appendingPathComponent("Fixtures/canvas/catalog.jsonl")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()
}
