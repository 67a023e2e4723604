import Runtime

/// `[run]`: the programs that the gateway may run, and what they may take.
struct RunConfiguration: Equatable {
  /// Absolute paths; empty: nothing may be run, which is the default.
  var programs: [String] = []
  /// True when they may use the network, and sockets at all.
  var hasNetwork = false
  /// Milliseconds.
  var timeout = Budget.runMilliseconds
  /// Mebibytes of address space of each process.
  var memory = Budget.runMegabytes
  /// Bytes of output and errors together.
  var output = Budget.runOutputBytes

  /// The section alone, for the service that runs programs: it needs no other key, and no file that another key names.
  static func read(_ path: String) throws(ConfigurationError) -> RunConfiguration {
    var bytes: [UInt8] = []
    do throws(Errno) { bytes = EditedText.normal(try TextFile.read(path, limit: Budget.configurationBytes)) } catch {
      throw ConfigurationError(file: path, line: nil, key: nil, reason: "cannot be read: \(String(error.text))")
    }
    var configuration = Configuration()
    var isInSection = false
    for line in try ConfigurationFile.lines(bytes, file: path) {
      if line.text.utf8.first == UInt8(ascii: "[") {
        isInSection = line.text == "[run]"
        continue
      }
      guard isInSection, let (name, value) = ConfigurationFile.pair(line.text) else { continue }
      let key = ConfigurationKey.run.first { $0.name == name }
      var complaint: String? = "unknown key"
      do throws(Errno) { if let key { complaint = try key.set(&configuration, value) } } catch {
        complaint = String(error.text)
      }
      guard let complaint else { continue }
      throw ConfigurationError(file: path, line: line.number, key: "[run] \(name)", reason: complaint)
    }
    return configuration.run
  }
}

extension ConfigurationKey {
  /// Keys of `[run]`.
  static let run: [ConfigurationKey] = [
    ConfigurationKey(section: "run", name: "programs", isFileOnly: true) { programs($1, &$0.run.programs) },
    ConfigurationKey(section: "run", name: "network", isFileOnly: true) { bool($1, &$0.run.hasNetwork) },
    ConfigurationKey(section: "run", name: "timeout", isFileOnly: true) {
      seconds($1, Budget.runSeconds, &$0.run.timeout)
    },
    ConfigurationKey(section: "run", name: "memory", isFileOnly: true) {
      number($1, Budget.runMegabytesRange, &$0.run.memory)
    },
    ConfigurationKey(section: "run", name: "output", isFileOnly: true) {
      number($1, Budget.runOutputRange, &$0.run.output)
    },
  ]

  /// Absolute paths with commas between. Each has its own base name, for a gateway may say just that.
  private static func programs(_ value: String, _ target: inout [String]) -> String? {
    var programs: [String] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let program = trimmed(Array(part.utf8)[...])
      guard program.utf8.first == UInt8(ascii: "/"), program.utf8.last != UInt8(ascii: "/") else {
        return "must be absolute paths of programs, with commas between: /usr/bin/uptime, /usr/bin/df"
      }
      guard program.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), program.utf8.count < Budget.pathBytes - 64,
        !program.split(separator: "/", omittingEmptySubsequences: false).dropFirst().contains(where: {
          $0.isEmpty || $0 == "." || $0 == ".."
        })
      else { return "has a path with blanks, control characters, // or ..: \(program)" }
      if let other = programs.first(where: { name(of: $0) == name(of: program) }) {
        return "has two programs of one name: \(other) and \(program)"
      }
      guard programs.count < Budget.runPrograms else { return "may name at most \(Budget.runPrograms) programs" }
      programs.append(program)
    }
    target = programs
    return nil
  }

  private static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }
}
