import Gateway
import Runtime

/// What Talon keeps on flash: identity, pins and tokens, and the lock that keeps a second agent out.
enum StateFolder {
  /// Opens the folder, or says why it cannot be used.
  static func open(
    _ path: String, recordBytes: Int = Budget.storeRecordBytes
  ) throws(Failure) -> FileStore {
    do throws(StoreError) {
      return try FileStore(folder: path, recordBytes: recordBytes)
    } catch {
      throw Failure(.cannotCreate, "the state folder \(path) cannot be used: \(text(error))")
    }
  }

  /// Takes the lock for the life of the process. Two agents with one identity would throw each other out of the
  /// gateway for ever.
  static func lock(_ path: String) throws(Failure) {
    do throws(Errno) {
      let file = try Syscall.open(Path(path + "/lock"), [.write, .create])
      try Syscall.lock(file)
    } catch {
      if error == .wouldBlock {
        throw Failure(.temporary, "another talon already runs with the state folder \(path)")
      }
      throw Failure(.cannotCreate, "the lock in \(path) cannot be taken: \(String(error.text))")
    }
  }

  /// Who this board is.
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

  /// What is remembered of the gateway at `url`.
  static func record(
    _ store: FileStore, _ url: GatewayURL, _ cryptography: any Cryptography, _ log: Log?
  ) throws(Failure) -> GatewayRecord {
    let record = GatewayRecord(url: url, cryptography: cryptography)
    do throws(StoreError) {
      if try record.load(from: store) == .previous {
        log?.write(.warning, "state", "the gateway's record was torn; its previous generation is used")
      }
      return record
    } catch {
      throw Failure(.cannotCreate, "the gateway's record cannot be read: \(text(error))")
    }
  }

  /// A reason in words.
  static func text(_ error: StoreError) -> String {
    switch error {
    case .system(let reason): String(reason.text)
    case .torn: "the file is damaged, and so is its previous generation"
    case .tooLarge: "the record is too large"
    }
  }
}
