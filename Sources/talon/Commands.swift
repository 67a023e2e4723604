import Board
import Gateway
import Runtime

/// `talon identity`: the board's identity, the same for every gateway. Made on first use.
enum IdentityCommand {
  static func run(configurationPath: String) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(configurationPath)
    let store = try StateFolder.open(configuration.stateDirectory)
    let identity = try StateFolder.identity(store, SystemRandom(), OpenSSLCryptography(), nil)
    Console.show("node        \(string(identity.id.span))")
    Console.show("public key  \(string(Fingerprint(digest: identity.publicKey).hex.span))")
    return .ok
  }

  static func string(_ text: Span<UInt8>) -> String {
    text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

/// `talon trust`: shows which certificate is trusted, and is the only way to change it.
enum TrustCommand {
  static func show(configurationPath: String) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(configurationPath)
    let (_, record) = try open(configuration)
    let trust = configuration.trust
    if !trust.pins.isEmpty {
      for pin in trust.pins { Console.show("pinned by configuration  \(hex(pin))") }
      return .ok
    }
    if trust.requiresAuthorities {
      Console.out("each certificate for which one of the authorities in [gateway] authorities vouches")
      return .ok
    }
    if trust.pinning == .key {
      Console.out("what counts              the certificate's key (pin = key): a renewal with the same key is taken")
    }
    switch record.trust {
    case .nothing:
      Console.out("nothing yet: of a name for which an authority vouches each such certificate will be trusted,")
      Console.out("of others the first one that is seen")
    case .authorities: Console.out("each certificate of the gateway's name for which an authority vouches")
    case .pin(let pin, let key):
      Console.show("trusted                  \(hex(pin))")
      if let key { Console.show("its key                  \(hex(key))") }
      Console.out("When an authority vouches for the gateway, talon trust --authorities trusts its renewals as well.")
    }
    return .ok
  }

  /// Trusts `fingerprint` from now on, or the next certificate without one, and tells a running agent.
  static func replace(_ fingerprint: String?, configurationPath: String) throws(Failure) -> ExitCode {
    let pin = try fingerprint.map { (text) throws(Failure) in try parse(text) }
    try change(to: pin.map { .pin($0, key: nil) } ?? .nothing, configurationPath: configurationPath)
    Console.out(
      pin.map { "from now on trusted: \(hex($0))" } ?? "forgotten: the next certificate seen will be trusted")
    return .ok
  }

  /// Trusts each certificate of the gateway's name for which an authority of this board vouches.
  static func trustAuthorities(configurationPath: String) throws(Failure) -> ExitCode {
    try change(to: .authorities, configurationPath: configurationPath)
    Console.out("from now on trusted: each certificate of the gateway's name for which an authority vouches")
    return .ok
  }

  private static func change(to trust: KnownTrust, configurationPath: String) throws(Failure) {
    let configuration = try ConfigCommand.read(configurationPath)
    let (store, record) = try open(configuration)
    if !configuration.trust.pins.isEmpty {
      throw Failure(.configuration, "the certificate is pinned by [gateway] pin; change it there")
    }
    if configuration.trust.requiresAuthorities {
      throw Failure(.configuration, "[gateway] authorities says who vouches for the gateway; change it there")
    }
    record.trust = trust
    do throws(StoreError) {
      try record.save(to: store)
    } catch {
      throw Failure(.cannotCreate, "the record cannot be written: \(StateFolder.text(error))")
    }
    RunningAgent.startOver(configuration)
  }

  private static func parse(_ text: String) throws(Failure) -> Fingerprint {
    guard let pin = Fingerprint(text: text.utf8.span) else {
      throw Failure(.usage, "a fingerprint is 64 hexadecimal digits (SHA-256)")
    }
    return pin
  }

  /// Without the configuration: the compiler expands a tuple into all its fields, and needs minutes for each function
  /// that has one with every setting.
  private static func open(_ configuration: Configuration) throws(Failure) -> (FileStore, GatewayRecord) {
    let store = try StateFolder.open(configuration.stateDirectory)
    return (store, try StateFolder.record(store, configuration, OpenSSLCryptography(), nil))
  }

  private static func hex(_ pin: Fingerprint) -> String {
    let digits = pin.hex
    return IdentityCommand.string(digits.span)
  }
}

/// `talon config check`: checks the file.
enum ConfigCommand {
  static func check(configurationPath: String) throws(Failure) -> ExitCode {
    let configuration = try read(configurationPath, as: .caller)
    Console.show("\(configurationPath) is right")
    for line in gatewayLines(configuration) { Console.show(line) }
    for warning in IdleSettings.warnings(configuration) { Console.err("talon: \(warning)") }
    if let note = note(configuration.console) { Console.err("talon: \(note): \(pinRemedy)") }
    return .ok
  }

  /// Prints the addresses that are tried, with defaults added.
  static func gatewayLines(_ configuration: Configuration) -> [String] {
    configuration.urls.map { url in
      let isUsual = url.port == (url.isSecure ? 443 : 80) && url.path == "/"
      return "gateway  \(url.text)" + (isUsual ? "  (a gateway's own port is \(GatewayURL.usualPort))" : "")
    }
  }

  /// The user as whom root continues after reading the configuration.
  enum Actor {
    /// The owner of the state or runtime folder: the agent's user, who may replace every file there. For all commands,
    /// except those that need to be
    case owner
    /// root, and open nothing there but the agent's socket: they write files that the person names, or open devices.
    case caller
  }

  /// Reads the configuration for any command.
  static func read(_ path: String, as actor: Actor = .owner) throws(Failure) -> Configuration {
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try ConfigurationFile.read(path)
    } catch {
      throw Failure(error.isTransient ? .temporary : .configuration, error.report)
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
