import Runtime

/// `talon console`: the board's screen and prompt on a serial line.
enum ConsoleCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let baud = try options.number("--baud", 9600...921_600).map { UInt32($0) }
    do throws(Errno) {
      _ = try Syscall.terminalSize(Descriptor(0))
    } catch {
      throw Failure(.usage, "talon console needs a terminal as its standard input")
    }
    let isPlain = options.has("--plain") || Process.environment("TERM") == "dumb"
    let setup = try ConsoleSetup(path: options.configurationPath, hasNoShell: options.has("--no-shell"))
    if Process.user == 0, !setup.pin.isEmpty { PinLock.makeFolder() }
    do throws(Errno) {
      let clock = SystemClock()
      let loop = try Loop(clock: clock)
      let relay = SessionRelay()
      let signals = try Signals(loop: loop) { _ in relay.session?.end() }
      defer { signals.close() }
      let session = try ConsoleSession(loop: loop, clock: clock, setup: setup, baud: baud, isPlain: isPlain)
      relay.session = session
      session.start()
      try loop.run()
      session.close()
      relay.session = nil
      return .ok
    } catch {
      throw Failure(.system, "the terminal cannot be used: \(String(DeviceTrouble(error, of: .serial).text))")
    }
  }
}

/// Breaks the reference cycle between the signals and the session.
private final class SessionRelay {
  var session: ConsoleSession?
}

/// The console's part of the configuration. It also works with a wrong file, because a person corrects it there; the
/// file's PIN still applies.
struct ConsoleSetup {
  let path: String
  let stateDirectory: String
  let runtimeDirectory: String
  /// Empty without one.
  let shell: String
  /// Empty without one.
  let pin: String
  let lockMinutes: Int64

  /// The folder in which wrong PINs are counted.
  let pinFolder: String
  private let hasNoShell: Bool

  /// `hasNoShell`: there is no shell, even if the file names one.
  init(path: String, hasNoShell: Bool = false) throws(Failure) {
    let configuration = try Self.configuration(path)
    self.hasNoShell = hasNoShell
    self.path = path
    stateDirectory = configuration.stateDirectory
    runtimeDirectory = configuration.runtimeDirectory
    shell = hasNoShell ? "" : configuration.console.shell
    pinFolder = Process.user == 0 ? PinLock.folder : configuration.stateDirectory
    pin = try Self.pin(configuration.console)
    lockMinutes = configuration.console.lockMinutes
  }

  /// Reads it again.
  func again() throws(Failure) -> ConsoleSetup { try ConsoleSetup(path: path, hasNoShell: hasNoShell) }

  static func configuration(_ path: String) throws(Failure) -> Configuration {
    do throws(Errno) {
      return lenient(EditedText.normal(try TextFile.read(path, limit: Budget.configurationBytes)))
    } catch {
      // Without a file there is no PIN.
      if error == .noSuchFile { return Configuration() }
      throw Failure(error.isTransient ? .temporary : .configuration, "\(path) cannot be read: \(String(error.text))")
    }
  }

  /// The valid lines of [node] and [console].
  static func lenient(_ text: [UInt8]) -> Configuration {
    var configuration = Configuration()
    var section = ""
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let text = ConfigurationKey.trimmed(line)
      if text.utf8.first == UInt8(ascii: "[") {
        section = ConfigEditor.heading(text)
        continue
      }
      guard section == "node" || section == "console", let (name, value) = ConfigurationFile.pair(text),
        let key = ConfigurationKey.find(name, section: section)
      else { continue }
      do throws(Errno) { _ = try key.set(&configuration, value) } catch {}
    }
    return configuration
  }

  /// A PIN that cannot be read locks everybody out.
  private static func pin(_ settings: ConsoleSettings) throws(Failure) -> String {
    if settings.pinFile.isEmpty { return settings.pin }
    let text: String
    do throws(Errno) {
      text = ConfigurationKey.trimmed(EditedText.normal(try TextFile.read(settings.pinFile, limit: 512))[...])
    } catch {
      throw Failure(.configuration, "[console] pin_file: \(settings.pinFile) cannot be read: \(String(error.text))")
    }
    var pin = ""
    if let complaint = ConfigurationKey.consolePIN(text, &pin) {
      throw Failure(.configuration, "[console] pin_file: the PIN in \(settings.pinFile) \(complaint)")
    }
    return pin
  }
}
