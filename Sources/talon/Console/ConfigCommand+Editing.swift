import Board
import Runtime

/// `talon config`: check, show, set and unset.
extension ConfigCommand {
  /// True for section.key of a secret.
  static func isSecret(_ name: String) -> Bool {
    ConfigurationKey.all.contains { $0.isSecret && "\($0.section).\($0.name)" == name }
  }

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let (path, words) = (options.configurationPath, options.words)
    switch (words[0], words.count) {
    case ("check", 1): return try check(configurationPath: path)
    case ("show", 1): return try show(path, section: nil)
    case ("show", 2): return try show(path, section: words[1])
    case ("set", 3): return try change(path, words[1], to: words[2])
    case ("unset", 2): return try change(path, words[1], to: nil)
    case ("hash-pin", 1): return try hashPIN()
    default:
      throw Failure(
        .usage, "expected: talon config check, show [SECTION], set SECTION.KEY VALUE, unset SECTION.KEY or hash-pin")
    }
  }

  // MARK: PIN

  /// Prints the hash that `pin` in `[console]` may have instead of the PIN.
  private static func hashPIN() throws(Failure) -> ExitCode {
    Console.err("Type the PIN, then press Enter:")
    var pin = ""
    if let complaint = ConfigurationKey.consolePIN(try BoardCommands.readLine(), &pin) {
      throw Failure(.usage, "a PIN \(complaint)")
    }
    if pin.hasPrefix(PasswordHash.mark) { throw Failure(.usage, "that is already a hash") }
    guard let hash = PasswordHash(Array(pin.utf8), random: SystemRandom()) else {
      throw Failure(.system, "there is too little memory to hash it")
    }
    Console.out(hash.text)
    return .ok
  }

  /// The problem of a PIN that everybody who can read the configuration can read; nil without one.
  static func note(_ console: ConsoleSettings) -> String? {
    guard console.pinFile.isEmpty, !console.pin.isEmpty, !console.pin.hasPrefix(PasswordHash.mark) else { return nil }
    return "[console] pin stands in clear, and the agent's user may read it"
  }

  /// How to solve it.
  static let pinRemedy = "put the line of talon config hash-pin in its place"

  // MARK: Showing

  private static func show(_ path: String, section wanted: String?) throws(Failure) -> ExitCode {
    if let wanted { try checkSection(wanted) }
    _ = try read(path, as: .caller)
    for line in shown(try text(path), section: wanted) { Console.show(line) }
    return .ok
  }

  /// The keys that are set, in their sections.
  static func shown(_ text: [UInt8], section wanted: String?) -> [String] {
    var lines: [String] = []
    var section = ""
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let text = ConfigurationKey.trimmed(line)
      guard let first = text.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
      if first == UInt8(ascii: "[") {
        section = ConfigEditor.heading(text)
        if wanted == nil || wanted == section { lines.append("[\(section)]") }
        continue
      }
      if let wanted, wanted != section { continue }
      lines.append(isSecret("\(section).\(name(of: text))") ? "\(text.split(separator: "=")[0])= (hidden)" : text)
    }
    return lines
  }

  private static func name(of line: String) -> String {
    ConfigurationKey.trimmed(Array(line.utf8.prefix { $0 != UInt8(ascii: "=") })[...])
  }

  // MARK: Changing

  private static func change(_ path: String, _ name: String, to value: String?) throws(Failure) -> ExitCode {
    let (section, key) = try split(name)
    guard ConfigurationKey.find(key, section: section)?.isFileOnly != true else {
      throw Failure(.usage, "nothing was changed: [\(section)] \(key) can only be set in the file: edit \(path)")
    }
    guard try write(path, section: section, key: key, value: value) else {
      Console.out("nothing to change")
      return .ok
    }
    Console.out(value == nil ? "\(section).\(key) has its default again" : "\(section).\(key) is set")
    let configuration = try read(path)
    RunningAgent.startOver(configuration)
    return .ok
  }

  /// Sets a key in the file, or takes it out for nil; false when it says so already. A value that is not right changes
  /// nothing. Root becomes the owner of the file's folder first, for good: the file is replaced in several steps.
  @discardableResult
  static func write(_ path: String, section: String, key: String, value: String?) throws(Failure) -> Bool {
    if let value, value.utf8.contains(where: { $0 < 0x20 }) { throw Failure(.usage, "a value is one line of text") }
    try become(ownerOnTheWayTo: [BoardCommands.place(path)])
    let file = try realPath(path)
    let before = try text(file)
    let after = ConfigEditor.change(before, section: section, key: key, value: value)
    if after == before { return false }
    do throws(ConfigurationError) {
      _ = try ConfigurationFile.checked(after, file: path)
    } catch {
      throw Failure(.usage, "nothing was changed: \(error.text)")
    }
    do throws(Errno) {
      try replace(file, after)
    } catch {
      throw Failure(.cannotCreate, "\(file) was not changed: \(words(error))")
    }
    return true
  }

  private static func words(_ error: Errno) -> String {
    error == Errno(30)
      ? "its file system is mounted read-only; mount -o remount,rw makes it writable until the board starts anew"
      : String(error.text)
  }

  /// "section.key"; a camera's section has a space and perhaps dots.
  private static func split(_ name: String) throws(Failure) -> (section: String, key: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      throw Failure(.usage, "expected SECTION.KEY, as in gateway.url")
    }
    let (section, key) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
    guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw Failure(.usage, "a key is one line of text") }
    if ConfigurationKey.find(key, section: section) == nil {
      try checkSection(section)
      throw Failure(
        .usage, "there is no key \(key) in [\(section)]" + ConfigurationKey.hint(key, section: section))
    }
    return (section, key)
  }

  /// Refuses a section that no configuration has.
  private static func checkSection(_ section: String) throws(Failure) {
    let isNamed = ["camera ", "tool ", "model "].contains { section.hasPrefix($0) }
    guard !isNamed, !ConfigurationKey.sections.contains(section) else { return }
    let near = Nearest.word(section, of: ConfigurationKey.sections).map { "; did you mean [\($0)]?" } ?? ""
    throw Failure(.usage, "there is no section [\(section)]" + near)
  }

  static func text(_ path: String) throws(Failure) -> [UInt8] {
    do throws(Errno) {
      return EditedText.normal(try TextFile.read(path, limit: Budget.configurationBytes))
    } catch {
      throw Failure(.configuration, "\(path) cannot be read: \(String(error.text))")
    }
  }

  private static func realPath(_ path: String) throws(Failure) -> String {
    do throws(Errno) {
      return try Syscall.realPath(try Path(path))
    } catch {
      throw Failure(.configuration, "\(path) cannot be read: \(String(error.text))")
    }
  }

  /// Replaces a file so that a power cut leaves the old text or the new one, with the owner and mode of the old one.
  private static func replace(_ name: String, _ text: [UInt8]) throws(Errno) {
    let (path, temporary) = (try Path(name), try Path(name + ".new"))
    let old = try Syscall.open(path, .read)
    defer { old.close() }
    do throws(Errno) {
      let file = try Syscall.openNew(temporary)
      defer { file.close() }
      try Syscall.make(file, like: old)
      var failure: Errno?
      text.withUnsafeBytes { bytes in
        do throws(Errno) { try Syscall.writeAll(file, bytes) } catch { failure = error }
      }
      if let failure { throw failure }
      try Syscall.fsync(file)
    } catch {
      do throws(Errno) { try Syscall.unlink(temporary) } catch {}
      throw error
    }
    let end = name.utf8.lastIndex(of: UInt8(ascii: "/")) ?? name.startIndex
    try FreshFile.place(temporary, at: path, in: Path(String(name[..<end]) + "/"))
  }
}
