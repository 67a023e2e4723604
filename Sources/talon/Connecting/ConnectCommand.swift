import Board
import Gateway
import Runtime

/// `talon connect`: takes a setup code or a link of a gateway, or asks for a code by a join URL. Its content is on
/// flash when the command ends; its secret is erased after the first successful connection, or at its end.
enum ConnectCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    try FirstRun.decide(options)
    let configuration = try ConfigCommand.read(options.configurationPath, as: .caller)
    if options.has("--waiting") {
      try ConfigCommand.become(configuration)
      return try JoinCommand.resume(configuration)
    }
    let target: ConnectTarget
    if options.has("--scan") {
      target = try sorted(try ScanCommand.run(options, configuration))
    } else {
      target = try self.target(options.words.first)
    }
    try ConfigCommand.become(configuration)
    if case .join(let url) = target, options.has("--later") { return try JoinCommand.wait(for: url, configuration) }
    return try take(target, configuration)
  }

  /// Connects the board; as the agent's user.
  static func take(_ target: ConnectTarget, _ configuration: Configuration) throws(Failure) -> ExitCode {
    let code: SetupCode
    switch target {
    case .join(let url): return try JoinCommand.run(url, configuration)
    case .dashboard(let url, let token): code = SetupCode(url: url, pin: nil, token: token)
    case .link(let text): code = try linkCode(text)
    case .code(let text), .file(let text): code = try self.code(text)
    }
    report(try adopt(code, configuration))
    RunningAgent.startOver(configuration)
    return .ok
  }

  /// What was given; of a file, what it holds. A file is read, and removed, as the user who calls.
  private static func target(_ word: String?) throws(Failure) -> ConnectTarget {
    var text = word ?? ""
    if word == nil { text = try readLine() }
    let trimmed = ConfigurationKey.trimmed(Array(text.utf8)[...])
    let target = try sorted(trimmed)
    if isAddress(trimmed, target) {
      throw Failure(
        .usage,
        """
        there is no file "\(trimmed)", and an address alone does not say that this board may connect. Give the join \
        URL that the gateway's machine prints (openclaw devices join-code), or set url and token_file in [gateway]
        """)
    }
    guard case .file(let path) = target else { return target }
    let file = try OneShotFile(path)
    let inner = try sorted(file.line)
    switch inner {
    case .file: throw Failure(.usage, "\(path) holds neither a join URL nor a setup code")
    case .code(let text): _ = try code(text)
    case .link(let text): _ = try linkCode(text)
    case .join, .dashboard: break
    }
    file.remove()
    return inner
  }

  /// True for the address of a gateway in place of a code or of a file that is there.
  private static func isAddress(_ text: String, _ target: ConnectTarget) -> Bool {
    switch target {
    case .code: guard text.utf8.contains(UInt8(ascii: ":")) else { return false }
    case .file(let path):
      if path.utf8.first == UInt8(ascii: "/") || (try? Syscall.status(Path(path))) != nil { return false }
    default: return false
    }
    return (try? GatewayURL(address: text)) != nil || text.hasPrefix("ws://") || text.hasPrefix("wss://")
  }

  /// What a link of a gateway connects to.
  private static func linkCode(_ text: String) throws(Failure) -> SetupCode {
    let link = try OpenCommand.link(text.utf8.span)
    guard link.kind == .gateway else {
      throw Failure(.usage, "this link is for the gateway's agent, and connects nothing: see talon open")
    }
    do throws(LinkError) {
      return try link.setupCode()
    } catch {
      throw Failure(.usage, "the link \(error.text)")
    }
  }

  static func sorted(_ text: String) throws(Failure) -> ConnectTarget {
    do throws(JoinURLError) {
      return try ConnectTarget(text)
    } catch {
      throw Failure(.usage, "the join URL \(String(error.text))")
    }
  }

  static func code(_ text: String) throws(Failure) -> SetupCode {
    do throws(SetupCodeError) {
      let code = try SetupCode(text.utf8.span)
      if code.isExpired(wall: SystemClock().wall) { throw .expired }
      return code
    } catch {
      throw Failure(.usage, "the setup code \(String(error.text))")
    }
  }

  /// Writes a code into the record of its gateway; the code with the addresses that may be used.
  static func adopt(_ code: SetupCode, _ configuration: Configuration) throws(Failure) -> SetupCode {
    var code = code
    code.keepURLs(configuration.allows)
    guard let first = code.urls.first else {
      throw Failure(
        .configuration, "the gateway of this code speaks ws:// only, in clear; set [gateway] allow_plaintext = yes")
    }
    try check(code, against: configuration)
    let store = try StateFolder.open(configuration.stateDirectory)
    let cryptography = OpenSSLCryptography()
    let record = try StateFolder.record(for: configuration.urls.first ?? first, store, cryptography)
    code.adopt(into: record)
    try StateFolder.pair(store, record)
    return code
  }

  /// The configuration and the code must name the same gateway.
  private static func check(_ code: SetupCode, against configuration: Configuration) throws(Failure) {
    guard let configured = configuration.urls.first else { return }
    if configuration.urls.contains(where: { url in code.urls.contains { $0.key == url.key } }) { return }
    throw Failure(
      .configuration,
      "the code is for \(code.urls[0].text), but [gateway] url is \(configured.text): correct url, or remove it")
  }

  /// Tells what was taken over.
  static func report(_ code: SetupCode) {
    for url in code.urls { Console.show("gateway      \(url.text)") }
    if let pin = code.pin {
      let digits = pin.hex
      Console.show("certificate  \(IdentityCommand.string(digits.span))")
    } else if code.isVouched {
      Console.out("certificate  any for which this board's authorities vouch, as they did for the join URL")
    } else if code.urls.contains(where: { $0.isSecure }) {
      Console.out("certificate  the code names none: the first one seen will be trusted")
    }
    Console.out("next         on the gateway's machine: openclaw devices approve --latest")
    Console.out("             and then what talon status shows, which has the ids, and what else is missing")
  }

  /// A line from standard input.
  private static func readLine() throws(Failure) -> String {
    Console.err("Paste the join URL or the setup code, then press Enter:")
    let line = String(decoding: try readLine(atMost: Budget.setupCodeBytes + 1), as: UTF8.self)
    guard line.utf8.contains(where: { $0 > UInt8(ascii: " ") }) else {
      throw Failure(.usage, "nothing was given; on the gateway's machine: openclaw devices join-code")
    }
    return line
  }

  /// The first line of standard input with its end, or so many bytes of it.
  static func readLine(atMost bytes: Int) throws(Failure) -> [UInt8] {
    let buffer = FixedBuffer(capacity: bytes)
    var count = 0
    do throws(Errno) {
      while count < buffer.bytes.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer.bytes)[count...])
        let read = try Syscall.read(Descriptor(0), into: rest)
        if read == 0 { break }
        count += read
        if buffer.bytes[count - 1] == UInt8(ascii: "\n") { break }
      }
    } catch {
      throw Failure(.usage, "nothing could be read: \(String(error.text))")
    }
    return Array(buffer.bytes[..<count])
  }
}
