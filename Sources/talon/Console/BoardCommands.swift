import Codec
import Runtime

/// Commands for the board itself, which the running agent carries out.
enum BoardCommands {
  static func run(_ command: String, _ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath)
    switch command {
    case "snap": return try snap(options, configuration)
    case "photos": return try photos(options, configuration)
    case "selftest": return try selfTest(configuration)
    case "panic": return try panic(options, configuration)
    case "acknowledge": return try acknowledge(configuration)
    case "reload":
      _ = try ask("reload", configuration)
      Console.out("the configuration is read again")
      return .ok
    case "reset": return try reset(options, configuration)
    default: return try reboot(options)
    }
  }

  private static func ask(
    _ operation: StaticString, _ configuration: Configuration, _ members: (inout JSONWriter) -> Void = { _ in }
  ) throws(Failure) -> [UInt8] {
    try check(ConsoleClient(folder: configuration.runtimeDirectory).ask(operation, members))
  }

  /// The line, unless it is an error.
  @discardableResult
  static func check(_ line: [UInt8]) throws(Failure) -> [UInt8] {
    let root = JSONView(line.span)
    guard let type = root.member("type"), type.equals("error") else { return line }
    let (code, message) = (root.text("code"), root.text("message"))
    if message == "the operation in \"op\" is unknown" {
      throw Failure(.temporary, "the running agent is of an older release and cannot do this: restart it")
    }
    throw Failure(code == "INVALID_REQUEST" ? .usage : code == "BUSY" ? .temporary : .unavailable, message)
  }

  // MARK: Camera

  private static func snap(_ options: Options, _ configuration: Configuration) throws(Failure) -> ExitCode {
    let path = try place(options.words.first ?? configuration.runtimeDirectory + "/snap.jpg")
    let width = try options.number("--width", 2...65_535)
    let line = try ask("snap", configuration) { writer in
      writer.key("path")
      writer.string(path)
      if let device = options.value("--device") {
        writer.key("device")
        writer.string(device)
      }
      if let width {
        writer.key("width")
        writer.int(Int64(width))
      }
    }
    let root = JSONView(line.span)
    guard let photo = root.member("result") else {
      throw Failure(.temporary, "the agent's answer has no photo; see talon log")
    }
    Console.show("\(path): \(photo.number("width"))x\(photo.number("height")), \(photo.number("bytes")) bytes")
    return .ok
  }

  private static func photos(_ options: Options, _ configuration: Configuration) throws(Failure) -> ExitCode {
    if let word = options.words.first {
      guard word == "delete" else { throw Failure(.usage, "expected: talon photos or talon photos delete") }
      let line = try ask("photos-delete", configuration)
      let root = JSONView(line.span)
      Console.show("\(root.member("result")?.number("deleted") ?? 0) photos are deleted")
      return .ok
    }
    let line = try ask("photos", configuration)
    let root = JSONView(line.span)
    guard let result = root.member("result") else {
      throw Failure(.temporary, "the agent's answer has no photos; see talon log")
    }
    Console.out(
      "\(result.number("kept")) photos, \(result.number("bytes")) of \(result.number("limitBytes")) bytes, "
        + "for \(result.number("days")) days")
    if !result.text("trouble").isEmpty { Console.show("they cannot be reached: \(result.text("trouble"))") }
    guard let photos = result.member("photos") else { return .ok }
    var elements = photos.elements()
    while let photo = elements.next() {
      let time = photo.text("createdAt")
      Console.out(
        "\((time.isEmpty ? "time unknown" : time).left(24)) \(photo.number("bytes")) bytes  \(photo.text("name"))")
    }
    return .ok
  }

  /// The agent's working folder is not the person's.
  static func place(_ path: String) throws(Failure) -> String {
    if path.hasPrefix("/") { return path }
    do throws(Errno) {
      let folder = try Syscall.currentFolder()
      return folder == "/" ? "/" + path : folder + "/" + path
    } catch {
      throw Failure(.usage, "\(path) is not an absolute path")
    }
  }

  // MARK: Hardware

  private static func selfTest(_ configuration: Configuration) throws(Failure) -> ExitCode {
    let line = try ask("selftest", configuration)
    let root = JSONView(line.span)
    var failed = 0
    if let result = root.member("result"), let checks = result.member("checks") {
      var elements = checks.elements()
      while let check = elements.next() {
        let isGood = check.member("isGood")?.bool ?? false
        if !isGood { failed += 1 }
        Console.show("\(isGood ? "ok  " : "FAIL") \(check.text("name").left(12)) \(check.text("detail"))")
      }
    }
    Console.out(failed == 0 ? "all is well" : "\(failed) failed")
    return failed == 0 ? .ok : .unavailable
  }

  // MARK: People

  private static func panic(_ options: Options, _ configuration: Configuration) throws(Failure) -> ExitCode {
    if let word = options.words.first, word != "release" {
      throw Failure(.usage, "expected: talon panic or talon panic release")
    }
    let holds = options.words.isEmpty
    _ = try ask("panic", configuration) { writer in
      writer.key("hold")
      writer.bool(holds)
    }
    Console.out(
      holds
        ? "held still: camera and microphone are off, and the gateway is left, until talon panic release"
        : "released: the board serves again")
    return .ok
  }

  private static func acknowledge(_ configuration: Configuration) throws(Failure) -> ExitCode {
    _ = try ask("acknowledge", configuration)
    Console.out("acknowledged")
    return .ok
  }

  // MARK: Factory reset

  private static func reset(_ options: Options, _ configuration: Configuration) throws(Failure) -> ExitCode {
    let status = try ask("status", configuration)
    let root = JSONView(status.span)
    let node = root.member("result")?.text("nodeId") ?? ""
    if node.isEmpty { throw Failure(.temporary, "the agent's answer has no node id; see talon log") }
    var answer = options.value("--confirm") ?? ""
    if answer.isEmpty {
      answer = try prompt(
        """
        Factory reset of node \(node):
        the board makes a new identity and forgets the gateway's certificate and its tokens. It has to be approved
        again. Type yes, or the node's id, to go on:
        """)
    }
    guard answer == "yes" || answer == node else { throw Failure(.usage, "not confirmed; nothing was changed") }
    _ = try ask("reset", configuration) { writer in
      writer.key("confirm")
      writer.string(node)
    }
    Console.out("done: the agent restarts with a new identity")
    return .ok
  }

  private static func reboot(_ options: Options) throws(Failure) -> ExitCode {
    if !options.has("--yes") {
      guard try prompt("Reboot this board? Type yes to go on:") == "yes" else {
        throw Failure(.usage, "not confirmed; nothing was changed")
      }
    }
    let systemd = exists("/run/systemd/system")
    let (program, words) = systemd ? ("/bin/systemctl", ["systemctl", "reboot"]) : ("/sbin/reboot", ["reboot"])
    Console.out("rebooting")
    let code: Int32
    do throws(Errno) {
      code = try Process.run(try Path(program), words, terminal: Descriptor(1))
    } catch {
      throw Failure(.system, "\(program) cannot be run: \(String(error.text))")
    }
    if code == 0 { return .ok }
    throw Failure(.system, "\(program) failed with \(code)")
  }

  private static func exists(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try Syscall.status(try Path(path))
      return true
    } catch {
      return false
    }
  }

  /// Asks a person, and waits for a line.
  private static func prompt(_ question: String) throws(Failure) -> String {
    Console.out(question)
    return try readLine()
  }

  /// A line of standard input, trimmed.
  static func readLine() throws(Failure) -> String {
    let buffer = FixedBuffer(capacity: 256)
    let bytes = UnsafeMutableRawBufferPointer(buffer.bytes)
    var count = 0
    do throws(Errno) {
      while count < bytes.count {
        let read = try Syscall.read(Descriptor(0), into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
        count += read
        if read == 0 || bytes[count - 1] == UInt8(ascii: "\n") { break }
      }
    } catch {
      throw Failure(.usage, "no answer: \(String(error.text))")
    }
    return ConfigurationKey.trimmed(Array(bytes[..<count])[...])
  }
}
