import Board
import Gateway
import Runtime

/// `talon identity`: who this board is to every gateway. Made on first use.
enum IdentityCommand {
  static func run(configurationPath: String) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(configurationPath)
    let store = try StateFolder.open(configuration.stateDirectory)
    let identity = try StateFolder.identity(store, SystemRandom(), OpenSSLCryptography(), nil)
    Console.out("node        \(string(identity.id.span))")
    Console.out("public key  \(string(Fingerprint(digest: identity.publicKey).hex.span))")
    return .ok
  }

  static func string(_ text: Span<UInt8>) -> String {
    text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

/// `talon trust`: which certificate is trusted, and the one way to change that.
enum TrustCommand {
  static func show(configurationPath: String) throws(Failure) -> ExitCode {
    let (configuration, _, record) = try open(configurationPath)
    if configuration.pinning == .key {
      Console.out("what counts              the certificate's key (pin = key): a renewal with the same key is taken")
    }
    if let pin = configuration.pin {
      Console.out("pinned by configuration  \(hex(pin))")
      return .ok
    }
    guard let pin = record.pin else {
      Console.out("nothing yet: the first certificate seen will be trusted")
      return .ok
    }
    Console.out("trusted                  \(hex(pin))")
    if let key = record.keyPin { Console.out("its key                  \(hex(key))") }
    return .ok
  }

  /// Trusts `fingerprint` from now on, or the next certificate seen when there is none, and tells a running agent.
  static func replace(_ fingerprint: String?, configurationPath: String) throws(Failure) -> ExitCode {
    let (configuration, store, record) = try open(configurationPath)
    if configuration.pin != nil {
      throw Failure(.configuration, "the certificate is pinned by [gateway] pin; change it there")
    }
    let pin = try fingerprint.map { (text) throws(Failure) in try parse(text) }
    record.setPin(pin)
    do throws(StoreError) {
      try record.save(to: store)
    } catch {
      throw Failure(.cannotCreate, "the record cannot be written: \(StateFolder.text(error))")
    }
    Console.out(
      pin.map { "from now on trusted: \(hex($0))" } ?? "forgotten: the next certificate seen will be trusted")
    RunningAgent.startOver(configuration)
    return .ok
  }

  private static func parse(_ text: String) throws(Failure) -> Fingerprint {
    guard let pin = Fingerprint(text: text.utf8.span) else {
      throw Failure(.usage, "a fingerprint is 64 hexadecimal digits (SHA-256)")
    }
    return pin
  }

  private static func open(
    _ path: String
  ) throws(Failure) -> (Configuration, FileStore, GatewayRecord) {
    let configuration = try ConfigCommand.read(path)
    let store = try StateFolder.open(configuration.stateDirectory)
    return (configuration, store, try StateFolder.record(store, configuration, OpenSSLCryptography(), nil))
  }

  private static func hex(_ pin: Fingerprint) -> String {
    let digits = pin.hex
    return IdentityCommand.string(digits.span)
  }
}

/// `talon config check`: is the file right?
enum ConfigCommand {
  static func check(configurationPath: String) throws(Failure) -> ExitCode {
    let configuration = try read(configurationPath, as: .caller)
    Console.out("\(configurationPath) is right")
    for line in gatewayLines(configuration) { Console.out(line) }
    if let note = note(configuration.console) { Console.err("talon: \(note): \(pinRemedy)") }
    return .ok
  }

  /// Which addresses are tried, whatever the file leaves out of them.
  static func gatewayLines(_ configuration: Configuration) -> [String] {
    configuration.urls.map { url in
      let isUsual = url.port == (url.isSecure ? 443 : 80) && url.path == "/"
      return "gateway  \(url.text)" + (isUsual ? "  (a gateway's own port is \(GatewayURL.usualPort))" : "")
    }
  }

  /// Who a command is from the configuration on, when root runs it.
  enum Actor {
    /// Whoever owns the state folder, or the runtime folder: the agent's user, who may put anything in the place of every file
    /// there. So for all commands, unless they need to be
    case owner
    /// root still, and open nothing there but the agent's socket: they write where the person says, or open devices.
    case caller
  }

  /// Reads a configuration for any command.
  static func read(_ path: String, as actor: Actor = .owner) throws(Failure) -> Configuration {
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try ConfigurationFile.read(path)
    } catch {
      // A supervisor starts no agent again whose configuration is wrong.
      throw Failure(error.isPassing ? .temporary : .configuration, error.text)
    }
    if actor == .owner { try become(configuration) }
    return configuration
  }

  /// Root becomes the agent's user, for good.
  static func become(_ configuration: Configuration) throws(Failure) {
    try become(ownerOnTheWayTo: [configuration.stateDirectory, configuration.runtimeDirectory])
  }

  static func become(ownerOnTheWayTo paths: [String]) throws(Failure) {
    do throws(Errno) {
      try Privileges.become(ownerOnTheWayTo: paths)
    } catch {
      throw Failure(.system, "root cannot become the owner of \(paths[0]): \(String(error.text))")
    }
  }
}
