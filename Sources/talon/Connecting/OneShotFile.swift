import Runtime

/// A file that holds a join URL or a setup code, and is removed once that was read.
struct OneShotFile {
  /// The first line that is neither empty nor a comment.
  let line: String
  private let path: String
  private let entry: FolderEntry
  private let status: Syscall.Status

  /// Reads a regular file of at most `Budget.connectFileBytes`; a link is not followed.
  init(_ path: String) throws(Failure) {
    self.path = path
    let place = try BoardCommands.place(path)
    let bytes: [UInt8]
    do throws(Errno) {
      entry = try FolderEntry(place)
      let file = try entry.openPlain(.read)
      defer { file.close() }
      status = try Syscall.status(file)
      let buffer = FixedBuffer(capacity: Budget.connectFileBytes + 1)
      let count = try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(buffer.bytes))
      bytes = EditedText.normal(Array(buffer.bytes[..<count]))
    } catch {
      if error == .notPermitted {
        throw Failure(
          .usage,
          "\(path) is not read: its folder is not of the user whose folder leads to it, who could have led the way "
            + "anywhere. Give what it holds to standard input: talon connect < FILE")
      }
      throw Failure(.usage, "\(path) cannot be read: \(String(error.text))")
    }
    guard bytes.count <= Budget.connectFileBytes else {
      throw Failure(.usage, "\(path) has more than \(Budget.connectFileBytes / 1024) KiB: it holds no setup code")
    }
    var found = ""
    for line in bytes.split(separator: UInt8(ascii: "\n")) where found.isEmpty {
      let text = ConfigurationKey.trimmed(line)
      if text.utf8.first != UInt8(ascii: "#") { found = text }
    }
    if found.isEmpty { throw Failure(.usage, "\(path) holds neither a join URL nor a setup code") }
    line = found
  }

  /// Removes it: what it held counts once.
  func remove() {
    do throws(Errno) {
      try entry.remove(status)
    } catch {
      Console.err("talon: \(path) could not be removed (\(String(error.text))): remove it, it holds a secret")
    }
  }
}
