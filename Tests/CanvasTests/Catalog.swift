import Foundation
import TestSupport

/// A document with all 18 components.
enum Catalog {
  static let document = (try? Repository.text("Tests/Fixtures/canvas/catalog.jsonl")) ?? ""
}
