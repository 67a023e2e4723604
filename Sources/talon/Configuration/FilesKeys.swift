import FilesPart
import Runtime

extension ConfigurationKey {
  /// Keys of `[files]`.
  static let files: [ConfigurationKey] = [
    ConfigurationKey(section: "files", name: "folders", isFileOnly: true) { folders($1, &$0.files) }
  ]

  /// Absolute paths, each followed by `ro` or `rw`, with commas between.
  private static func folders(_ value: String, _ target: inout [SharedFolder]) -> String? {
    var folders: [SharedFolder] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let entry = trimmed(Array(part.utf8)[...])
      guard entry.hasSuffix(" ro") || entry.hasSuffix(" rw") else {
        return "must be folders, each with ro or rw, with commas between, as /srv/share ro; this is not: \(entry)"
      }
      let path = trimmed(Array(entry.utf8.dropLast(3))[...])
      if let complaint = complaint(path) { return complaint }
      if folders.contains(where: { $0.path == path }) { return "names a folder twice: \(path)" }
      guard folders.count < Budget.fileFolders else { return "may name at most \(Budget.fileFolders) folders" }
      folders.append(SharedFolder(path, isWritable: entry.hasSuffix("rw")))
    }
    target = folders
    return nil
  }

  private static func complaint(_ path: String) -> String? {
    guard path.utf8.first == UInt8(ascii: "/") else { return "must have absolute paths; this is none: \(path)" }
    guard path.utf8.count <= Budget.filePathBytes / 2 else { return "has a path that is too long: \(path)" }
    let names = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    if path != "/", names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) {
      return "has a path with //, . or .., or a slash at its end: \(path)"
    }
    guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return "has a path with control characters" }
    return nil
  }
}
