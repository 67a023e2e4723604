import Runtime

/// What the owner asks of the agent at a console (`talon agent`). One request at a time; each has one answer of at most
/// `Budget.ownerPieceBytes`.
public enum OwnerRequest: UInt8, CaseIterable, Sendable {
  /// What models have used on this day, and how much is remembered.
  case status = 1
  /// Entries that have words of a text.
  case search = 2
  /// Forget what has each word of a text; the entry of a number, eight bytes; everything.
  case forgetWords = 3
  case forgetEntry = 4
  case forgetAll = 5
  /// Write the memory as Markdown, to be fetched in pieces.
  case export = 6
  /// A piece of that: the place of its first byte, eight bytes. It ends between characters; an empty one is the end.
  case exported = 7
  /// A piece of Markdown for an import: the place of its first byte, eight bytes, then the piece.
  case importing = 8
  /// That was all: take what it says.
  case imported = 9
  /// Whether the models are on their servers.
  case models = 10

  /// The word by which programs on the board ask for it.
  public var word: StaticString {
    switch self {
    case .status: "status"
    case .search: "search"
    case .forgetWords: "forget"
    case .forgetEntry: "forget-entry"
    case .forgetAll: "forget-all"
    case .export: "export"
    case .exported: "exported"
    case .importing: "importing"
    case .imported: "imported"
    case .models: "models"
    }
  }

  /// True when it begins with a number of eight bytes: a place in a Markdown file, or an entry.
  public var hasNumber: Bool { self == .exported || self == .importing || self == .forgetEntry }
}
