import Runtime

/// Files that a person names on the command line.
enum PersonFile {
  /// Creates one that is not there, for its owner alone.
  static func create(_ word: String) throws(Failure) -> Descriptor {
    do throws(Errno) {
      return try Syscall.open(Path(word), [.write, .create, .exclusive, .noFollow], permissions: 0o600)
    } catch {
      if error == .exists { throw Failure(.cannotCreate, "\(word) is there already: remove it, or name another file") }
      throw Failure(.cannotCreate, "\(word) cannot be made: \(String(error.text))")
    }
  }
}
