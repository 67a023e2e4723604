import Codec
import Runtime

/// A folder of this board that the owner shares with the gateway's agent.
public struct SharedFolder: Equatable, Sendable {
  /// Absolute, without `.`, `..` and a slash at its end.
  public var path: String
  /// Files may be made and replaced below it.
  public var isWritable: Bool

  /// A folder; see the properties.
  public init(_ path: String, isWritable: Bool) {
    self.path = path
    self.isWritable = isWritable
  }
}

/// What the owner shares, and what is never shared.
public struct SharedFolders: Sendable {
  /// At most `Budget.fileFolders`.
  public let folders: [SharedFolder]
  /// Where the agent keeps its identity and its tokens.
  public let stateFolder: String

  /// Folders of the configuration, which `complaint` has nothing against.
  public init(_ folders: [SharedFolder], stateFolder: String) {
    self.folders = folders
    self.stateFolder = stateFolder
  }

  /// True when anything may be written.
  public var areWritable: Bool { folders.contains { $0.isWritable } }

  /// The number of the innermost folder that has a path in it, or is it; nil: none does.
  public func folder(of path: Span<UInt8>) -> Int? {
    var (found, longest): (Int?, Int) = (nil, -1)
    for index in folders.indices {
      let length = folders[index].path.utf8.count
      if length > longest, Self.contains(folders[index].path, path) { (found, longest) = (index, length) }
    }
    return found
  }

  private static func contains(_ folder: String, _ path: Span<UInt8>) -> Bool {
    path.withUnsafeBufferPointer { path in
      folder.withBytes { folder in
        guard folder.count <= path.count else { return false }
        for index in 0..<folder.count where folder[index] != path[index] { return false }
        return folder.count == path.count || path[folder.count] == UInt8(ascii: "/")
      }
    }
  }

  // MARK: The configuration

  /// The one folder of the state folder that may be shared: there the service may write without any more rights.
  public static let inbox = "inbox"
  /// Folders that are no files of anybody, or decide who may do what.
  private static let system = ["/proc", "/sys", "/dev", "/etc", "/run", "/boot"]

  /// What is wrong with a folder, as the rest of a sentence about the key; nil: nothing.
  public static func complaint(_ folder: SharedFolder, stateFolder: String) -> String? {
    let path = folder.path
    if path == "/" { return "may not be / itself: list the folders that the agent needs" }
    for place in system where isSame(path, orBelow: place) {
      return "may not share \(path): \(place) belongs to the system; copy what the agent needs to a folder of its own"
    }
    if path == stateFolder + "/" + inbox { return nil }
    if isSame(path, orBelow: stateFolder) || isSame(stateFolder, orBelow: path) {
      return "may not share \(path): Talon's keys are in \(stateFolder), of which \(inbox) alone may be shared"
    }
    return nil
  }

  private static func isSame(_ path: String, orBelow folder: String) -> Bool {
    path == folder || path.utf8.starts(with: (folder + "/").utf8)
  }
}
