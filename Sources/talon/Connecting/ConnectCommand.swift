import Board
import Gateway
import Runtime

/// `talon connect`: takes a setup code or a link of a gateway, or asks for a code by a join URL. Its content is on
/// flash when the command ends; its secret is erased after the first successful connection, or at its end.
enum ConnectCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let decisions = try ConnectDecisions(options)
    let configuration = try ConfigCommand.read(options.configurationPath, as: .caller)
    if options.has("--waiting") {
      try ConfigCommand.become(configuration)
      return try JoinCommand.resume(configuration)
    }
    if options.has("--wait"), options.has("--later") { throw Failure(.usage, "--wait and --later exclude each other") }
    if let code = try ConnectRun.run(options, configuration, decisions) { return code }
    try decisions.write(options.configurationPath)
    let given: GivenTarget
    if options.has("--scan") {
      given = try GivenTarget(try ScanCommand.run(options, configuration))
    } else {
      var text = options.words.first ?? ""
      if options.words.isEmpty { text = try readLine() }
      given = try GivenTarget(text)
    }
    given.file?.remove()
    try ConfigCommand.become(configuration)
    if case .join(let url) = given.target, options.has("--later") {
      return try JoinCommand.wait(for: url, configuration)
    }
    let code = try take(given.target, configuration, saysNext: !options.has("--wait"))
    return options.has("--wait") ? try ConnectRun.wait(options, configuration, decisions) : code
  }

  /// Connects the board; as the agent's user.
  static func take(
    _ target: ConnectTarget, _ configuration: Configuration, saysNext: Bool = true
  ) throws(Failure) -> ExitCode {
    let code: SetupCode
    switch target {
    case .join(let url): return try JoinCommand.run(url, configuration, saysNext: saysNext)
    case .dashboard(let url, let token): code = SetupCode(url: url, pin: nil, token: token)
    case .link(let text): code = try linkCode(text)
    case .code(let text), .file(let text): code = try self.code(text)
    }
    report(try adopt(code, configuration), saysNext)
    RunningAgent.startOver(configuration)
    return .ok
  }

  /// What a link of a gateway connects to.
  static func linkCode(_ text: String) throws(Failure) -> SetupCode {
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
    let code = try usable(code, configuration)
    let first = code.urls[0]
    let store = try StateFolder.open(configuration.stateDirectory)
    let cryptography = OpenSSLCryptography()
    let record = try StateFolder.record(for: configuration.urls.first ?? first, store, cryptography)
    code.adopt(into: record)
    try StateFolder.pair(store, record)
    return code
  }

  /// The code with the addresses that may be used, of which there is one at least.
  static func usable(_ code: SetupCode, _ configuration: Configuration) throws(Failure) -> SetupCode {
    var code = code
    code.keepURLs(configuration.allows)
    guard !code.urls.isEmpty else {
      throw Failure(
        .configuration, "the gateway of this code speaks ws:// only, in clear; set [gateway] allow_plaintext = yes")
    }
    try check(code, against: configuration)
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

  /// Tells what was taken over, and what a person does next.
  static func report(_ code: SetupCode, _ saysNext: Bool) {
    for url in code.urls { Console.show("gateway      \(url.text)") }
    if let pin = code.pin {
      let digits = pin.hex
      Console.show("certificate  \(IdentityCommand.string(digits.span))")
    } else if code.isVouched {
      Console.out("certificate  any for which this board's authorities vouch, as they did for the join URL")
    } else if code.urls.contains(where: { $0.isSecure }) {
      Console.out("certificate  the code names none: the first one seen will be trusted")
    }
    guard saysNext else { return }
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
