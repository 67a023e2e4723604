import Runtime

/// Files that a person names on the command line. The word - stands for standard input and output.
enum PersonFile {
  private static let standard = "-"

  /// Creates one that is not there, for its owner alone.
  static func create(_ word: String) throws(Failure) -> Descriptor {
    if word == standard { return Descriptor(1) }
    do throws(Errno) {
      return try Syscall.open(Path(word), [.write, .create, .exclusive, .noFollow], permissions: 0o600)
    } catch {
      if error == .exists { throw Failure(.cannotCreate, "\(word) is there already: remove it, or name another file") }
      throw Failure(.cannotCreate, "\(word) cannot be made: \(String(error.text))")
    }
  }

  /// Writes one, in the place of one that is there.
  static func replace(_ word: String, _ write: (Descriptor) throws(Errno) -> Void) throws(Failure) {
    do throws(Errno) {
      if word == standard { return try write(Descriptor(1)) }
      let file = try Syscall.open(Path(word), [.write, .create, .truncate], permissions: 0o644)
      defer { file.close() }
      try write(file)
    } catch {
      throw Failure(.cannotCreate, "\(word) cannot be written: \(String(error.text))")
    }
  }

  /// Opens one to read it.
  static func open(_ word: String) throws(Errno) -> Descriptor {
    if word == standard { return Descriptor(0) }
    return try Syscall.open(Path(word), .read)
  }

  /// Closes what `create` or `open` returned.
  static func close(_ file: Descriptor, _ word: String) { if word != standard { file.close() } }

  /// Says what was written; beside the content, where that is standard output.
  static func tell(_ word: String, _ text: String) {
    if word == standard { Console.err(text) } else { Console.show(text) }
  }
}
