// Programs: what a gateway may run on this board (`system.run`): the list of programs, command lines, plans, and the
// messages between the agent and the service that runs them. It must not know sockets and processes, nor the router.

import Codec
import Runtime

/// The programs that the owner allows, by their absolute paths. Nothing else runs, whatever a gateway has approved.
public struct ProgramList: Sendable {
  /// The paths, in the order of the configuration. No two have the same base name.
  public let paths: [String]

  /// A list of at most `Budget.runPrograms` paths.
  public init(_ paths: [String]) { self.paths = Array(paths.prefix(Budget.runPrograms)) }

  /// The program that a first word names: its absolute path, or its base name alone. A path that is not absolute names
  /// none, for it would depend on a folder.
  public func index(of word: UnsafeBufferPointer<UInt8>) -> Int? {
    var isName = true
    for byte in word where byte == UInt8(ascii: "/") { isName = false }
    for index in 0..<paths.count {
      let path = paths[index].utf8.span
      let start = isName ? Self.nameStart(path) : 0
      guard path.count - start == word.count else { continue }
      var isSame = true
      for place in 0..<word.count where path[start + place] != word[place] { isSame = false }
      if isSame { return index }
    }
    return nil
  }

  /// Where the base name of a path begins.
  static func nameStart(_ path: Span<UInt8>) -> Int {
    var start = path.count
    while start > 0, path[start - 1] != UInt8(ascii: "/") { start -= 1 }
    return start
  }
}
