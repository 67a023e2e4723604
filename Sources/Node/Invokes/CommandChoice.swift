/// Which of a board's commands are declared to the gateway ([node] commands).
public enum CommandChoice: Equatable, Sendable {
  case all
  /// Only these.
  case only([String])
  /// All but these.
  case without([String])

  /// By which the tools are called that [tools] publishes: a list of commands does not take them away.
  private static let tools = "mcp.tools.call.v1"

  /// True for a command that is declared. `publishes`: the owner publishes tools.
  public func includes(_ name: String, publishes: Bool) -> Bool {
    switch self {
    case .all: true
    case .only(let names): names.contains(name) || publishes && name == Self.tools
    case .without(let names): !names.contains(name)
    }
  }

  /// The names that it has.
  public var names: [String] {
    switch self {
    case .all: []
    case .only(let names), .without(let names): names
    }
  }

  /// Reads `all`, names, or names with a hyphen before each; nil for anything else, as a mixture is.
  public init?(_ text: String) {
    if text == "all" {
      self = .all
      return
    }
    var (only, without): ([String], [String]) = ([], [])
    for word in text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }) {
      guard Self.isName(word.utf8.first == UInt8(ascii: "-") ? word.dropFirst() : word) else { return nil }
      if word.utf8.first == UInt8(ascii: "-") {
        without.append(String(word.dropFirst()))
      } else {
        only.append(String(word))
      }
    }
    guard only.isEmpty != without.isEmpty else { return nil }
    self = only.isEmpty ? .without(without) : .only(only)
  }

  /// `camera.snap`, and the like.
  private static func isName(_ word: Substring) -> Bool {
    guard let first = word.utf8.first, first != UInt8(ascii: ".") else { return false }
    for byte in word.utf8 {
      let letter = byte | 0x20
      let isLetter = letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
      guard
        isLetter || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
          || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
      else {
        return false
      }
    }
    return true
  }
}
