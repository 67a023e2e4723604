import Board
import Fetch
import Gateway
import Runtime

/// `talon connect` with a join URL: one GET in the URL's life, whatever happens. The record says so before it is sent;
/// what came back is kept until it is taken over.
enum JoinCommand {
  static func run(
    _ url: JoinURL, _ configuration: Configuration, saysNext: Bool = true
  ) throws(Failure) -> ExitCode {
    let store = try open(configuration)
    try lock(configuration.stateDirectory)
    let record = try load(store)
    switch record.state(of: digest(url)) {
    case .done:
      Console.out("this join URL was taken over already: it counts once")
      return .ok
    case .spent:
      throw Failure(.unavailable, "this join URL was asked for already, and counts once; \(another)")
    case .kept: break
    case .new: try JoinRun(url, configuration, store, record).ask()
    }
    try takeOver(store, configuration, saysNext)
    return .ok
  }

  /// Keeps a URL until `resume`.
  static func wait(for url: JoinURL, _ configuration: Configuration) throws(Failure) -> ExitCode {
    let store = try open(configuration)
    var record = try load(store)
    guard record.state(of: digest(url)) == .new else { return try run(url, configuration) }
    record.wait(for: url)
    try save(&record, store)
    Console.out("the join URL is kept until there is a network")
    return .ok
  }

  /// Asks for the URL that waits, if there is one. It waits on only as long as another attempt makes sense.
  static func resume(_ configuration: Configuration) throws(Failure) -> ExitCode {
    let store = try open(configuration)
    guard let url = try load(store).waiting else { return .ok }
    do throws(Failure) {
      return try run(url, configuration)
    } catch {
      if error.code != .temporary {
        var record = try load(store)
        record.stopWaiting()
        try save(&record, store)
      }
      throw error
    }
  }

  /// Takes over a payload that a crash left behind, when the agent starts.
  static func finish(_ configuration: Configuration, _ log: Log) {
    do throws(Failure) {
      let store = try open(configuration)
      guard try !load(store).payload.isEmpty else { return }
      _ = try adopt(store, configuration)
      log.write(.notice, "state", "the answer to a join URL was kept, and is taken over now")
    } catch {
      log.write(.error, "state") { line in
        line.add("the answer to a join URL is kept, but cannot be taken over: ")
        line.add(error.text)
      }
    }
  }

  private static func takeOver(
    _ store: FileStore, _ configuration: Configuration, _ saysNext: Bool
  ) throws(Failure) {
    ConnectCommand.report(try adopt(store, configuration), saysNext)
    RunningAgent.startOver(configuration)
  }

  /// Takes over the payload in the record. One that does not fit the configuration stays, until that is corrected or
  /// the payload's time is over.
  private static func adopt(_ store: FileStore, _ configuration: Configuration) throws(Failure) -> SetupCode {
    var record = try load(store)
    guard var code = try? readCode(record.payload) else {
      record.dropPayload()
      try save(&record, store)
      throw Failure(.unavailable, "what came from the join URL is expired; \(another)")
    }
    // With pin = key the owner wants one key, whoever vouches for another.
    if configuration.trust.pinning != .key { code.keepVerification(by: record.vouchedHost) }
    let taken = try ConnectCommand.adopt(code, configuration)
    record.finish()
    try save(&record, store)
    return taken
  }

  /// A payload, by the rules for setup codes.
  static func readCode(_ payload: [UInt8]) throws(SetupCodeError) -> SetupCode {
    let code = try SetupCode(json: payload.span)
    if code.isExpired(wall: SystemClock().wall) { throw .expired }
    return code
  }

  static let another = "get a new one on the gateway's machine: openclaw devices join-code"

  static func digest(_ url: JoinURL) -> Fingerprint {
    Fingerprint(digest: OpenSSLCryptography().sha256(url.text.utf8.span))
  }

  // MARK: Record

  /// Takes a lock for the life of the process: two that ask at the same time would ask twice.
  private static func lock(_ folder: String) throws(Failure) {
    do throws(Errno) {
      try Syscall.lock(Syscall.openPlain(Path(folder + "/join-lock"), [.write, .create]))
    } catch {
      if error == .wouldBlock { throw Failure(.temporary, "another talon connect is at work; try again") }
      throw Failure(.cannotCreate, "the lock in \(folder) cannot be taken: \(String(error.text))")
    }
  }

  private static func open(_ configuration: Configuration) throws(Failure) -> FileStore {
    try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.joinRecordBytes)
  }

  private static func load(_ store: FileStore) throws(Failure) -> JoinRecord {
    do throws(StoreError) {
      return try JoinRecord.load(from: store)
    } catch {
      throw Failure(.cannotCreate, "which join URLs were asked for cannot be read: \(StateFolder.text(error))")
    }
  }

  private static func save(_ record: inout JoinRecord, _ store: FileStore) throws(Failure) {
    do throws(StoreError) {
      try record.save(to: store)
    } catch {
      throw Failure(.cannotCreate, "which join URLs were asked for cannot be written: \(StateFolder.text(error))")
    }
  }
}
