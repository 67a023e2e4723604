import Gateway
import Runtime

/// Talon's state on flash: identity, pins and tokens, and the lock against a second agent.
enum StateFolder {
  /// Opens the folder, or throws why it cannot be used.
  static func open(
    _ path: String, recordBytes: Int = Budget.storeRecordBytes
  ) throws(Failure) -> FileStore {
    do throws(StoreError) {
      return try FileStore(folder: path, recordBytes: recordBytes)
    } catch {
      throw Failure(.cannotCreate, "the state folder \(path) cannot be used: \(text(error))")
    }
  }

  /// Locks the folder for the life of the process. Two agents with one identity would replace each other at the gateway
  /// for ever. A folder is locked without a write, so that a card that is full, worn or read-only changes nothing.
  static func lock(_ path: String) throws(Failure) {
    do throws(Errno) {
      try Syscall.lock(Syscall.open(Path(path), [.read, .directory]))
      try lockFile(path)
    } catch {
      if error == .wouldBlock {
        throw Failure(.temporary, "another talon already runs with the state folder \(path)")
      }
      throw Failure(.cannotCreate, "the lock in \(path) cannot be taken: \(String(error.text))")
    }
  }

  /// Locks the file that releases before locked in place of the folder, where one of them left it: one that still runs
  /// while the board is upgraded, or is started by hand, is seen, and sees this agent. Where the file is missing or
  /// cannot be read, or is on a file system that locks nothing opened for reading (NFS), the folder's lock is enough:
  /// every agent of this release holds that.
  private static func lockFile(_ path: String) throws(Errno) {
    do throws(Errno) {
      try Syscall.lock(Syscall.openPlain(Path(path + "/lock"), .read))
    } catch {
      if error == .wouldBlock { throw error }
    }
  }

  /// True for what a card that is full, worn or broken answers.
  private static func isWorn(_ error: Errno) -> Bool {
    switch error {
    case .readOnlyFileSystem, .noSpace, .inputOutput, .quotaExceeded: true
    default: false
    }
  }

  /// Why nothing can be written in the folder: tried with a file that never has a name. Nil when something can, or when
  /// that cannot be tried.
  static func trouble(_ path: String) -> Errno? {
    do throws(Errno) {
      let file = try Syscall.open(Path(path), [.write, .unnamed])
      defer { file.close() }
      let page = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
      defer { page.deallocate() }
      page.initializeMemory(as: UInt8.self, repeating: 0)
      try Syscall.writeAll(file, UnsafeRawBufferPointer(page))
      return nil
    } catch {
      return isWorn(error) ? error : nil
    }
  }

  /// The board's identity.
  static func identity(
    _ store: FileStore, _ random: any RandomSource, _ cryptography: any Cryptography, _ log: Log?
  ) throws(Failure) -> NodeIdentity {
    do throws(StoreError) {
      let (identity, origin) = try NodeIdentity.load(
        from: store, random: random, cryptography: cryptography)
      switch origin {
      case .stored: break
      case .created: log?.write(.notice, "state", "first start: this board made its identity")
      case .recovered:
        log?.write(.warning, "state", "the identity file was torn; its previous generation is used")
      }
      return identity
    } catch {
      throw Failure(
        .cannotCreate,
        "the identity cannot be read or written: \(text(error)). Without it this board would be a new device; "
          + "restore the file, or remove it and approve the board again")
    }
  }

  /// The stored record of this board's gateway.
  static func record(
    _ store: FileStore, _ configuration: Configuration, _ cryptography: any Cryptography, _ log: Log?
  ) throws(Failure) -> GatewayRecord {
    if let known = try knownRecord(store, configuration, cryptography, log) { return known }
    throw Failure(
      .configuration, "no gateway is known: set [gateway] url, or run talon connect with a setup code of the gateway")
  }

  /// The record of the configured gateway, or of the setup code's; nil when there is neither. A gateway with several
  /// addresses is stored under the first known one.
  static func knownRecord(
    _ store: FileStore, _ configuration: Configuration, _ cryptography: any Cryptography, _ log: Log?
  ) throws(Failure) -> GatewayRecord? {
    for url in configuration.urls {
      if let known = try load(url, store, cryptography, log) { return known }
    }
    if let key = try pairedKey(store) {
      let known = try load(GatewayRecord(key: key, cryptography: cryptography), store, log)
      if let known, configuration.urls.isEmpty || isAddress(of: known, configuration.urls) { return known }
    }
    if let url = configuration.urls.first { return GatewayRecord(url: url, cryptography: cryptography) }
    if let id = try configuration.gatewayID() {
      let record = GatewayRecord(key: id.text, cryptography: cryptography)
      return try load(record, store, log) ?? record
    }
    return nil
  }

  /// The stored record of the gateway at `url`; an empty one if there is none.
  static func record(
    for url: GatewayURL, _ store: FileStore, _ cryptography: any Cryptography
  ) throws(Failure) -> GatewayRecord {
    try load(url, store, cryptography, nil) ?? GatewayRecord(url: url, cryptography: cryptography)
  }

  /// The stored record of the gateway at `url`. Before the path of an address counted, all gateways of a host had one
  /// record: it is copied for the gateway whose record it is.
  private static func load(
    _ url: GatewayURL, _ store: FileStore, _ cryptography: any Cryptography, _ log: Log?
  ) throws(Failure) -> GatewayRecord? {
    let record = GatewayRecord(url: url, cryptography: cryptography)
    if let known = try load(record, store, log) { return known.isRecord(of: url) ? known : nil }
    guard let shared = try sharedRecord(url, store, cryptography, log), shared.isRecord(of: url) else { return nil }
    record.copy(shared)
    return record
  }

  /// The record of the host and port of `url` where that is another than the one of its path, and not empty.
  private static func sharedRecord(
    _ url: GatewayURL, _ store: FileStore, _ cryptography: any Cryptography, _ log: Log?
  ) throws(Failure) -> GatewayRecord? {
    guard url.key != url.keyOfHost else { return nil }
    let shared = try load(GatewayRecord(key: url.keyOfHost, cryptography: cryptography), store, log)
    return shared?.isEmpty == false ? shared : nil
  }

  /// Writes into a record that a release before wrote for all gateways of a host which of them it belongs to: the one
  /// of `record`, which this board uses. Its secrets stay, for that release may be started again.
  static func bind(
    _ record: GatewayRecord, _ configuration: Configuration, _ store: FileStore, _ cryptography: any Cryptography,
    _ log: Log
  ) {
    guard let url = configuration.urls.first(where: { $0.key == record.key }) else { return }
    do throws(Failure) {
      let shared = url.key == url.keyOfHost ? record : try sharedRecord(url, store, cryptography, log)
      guard let shared, shared.path == nil, shared.isRecord(of: url) else { return }
      if shared !== record { try save(record, store) }
      shared.path = url.path
      try save(shared, store)
    } catch {
      // The board has its own record, and works without.
      log.write(.warning, "state") { $0.add(error.text.utf8.span) }
    }
  }

  private static func save(_ record: GatewayRecord, _ store: FileStore) throws(Failure) {
    do throws(StoreError) {
      try record.save(to: store)
    } catch {
      throw Failure(.cannotCreate, "the gateway's record cannot be written: \(text(error))")
    }
  }

  private static func isAddress(of record: GatewayRecord, _ urls: [GatewayURL]) -> Bool {
    record.urls.contains { known in urls.contains { $0.key == known.key } }
  }

  private static func load(
    _ record: GatewayRecord, _ store: FileStore, _ log: Log?
  ) throws(Failure) -> GatewayRecord? {
    do throws(StoreError) {
      guard let origin = try record.load(from: store) else { return nil }
      if origin == .previous {
        log?.write(.warning, "state", "the gateway's record was torn; its previous generation is used")
      }
      return record
    } catch {
      throw Failure(.cannotCreate, "the gateway's record cannot be read: \(text(error))")
    }
  }

  // MARK: Paired by code

  private static let paired: StaticString = "paired"

  /// The key of the gateway of a setup code, or nil.
  private static func pairedKey(_ store: FileStore) throws(Failure) -> String? {
    let buffer = FixedBuffer(capacity: Budget.urlBytes)
    do throws(StoreError) {
      guard let found = try store.load(paired.path, into: buffer.bytes) else { return nil }
      return String(decoding: buffer.bytes[..<found.count], as: UTF8.self)
    } catch {
      throw Failure(.cannotCreate, "which gateway this board was paired with cannot be read: \(text(error))")
    }
  }

  /// Stores that this board belongs to the gateway of `record`.
  static func pair(_ store: FileStore, _ record: GatewayRecord) throws(Failure) {
    do throws(StoreError) {
      try record.save(to: store)
      try record.key.withBytes { (key) throws(StoreError) in
        try store.save(paired.path, key)
      }
    } catch {
      throw Failure(.cannotCreate, "the pairing cannot be written: \(text(error))")
    }
  }

  /// The sentence of an error.
  static func text(_ error: StoreError) -> String {
    switch error {
    case .system(let reason): String(reason.text)
    case .torn: "the file is damaged, and so is its previous generation"
    case .newer: "a newer release of Talon has written it, in a format that this one does not know"
    case .tooLarge: "the record is too large"
    }
  }
}
