import Board
import Runtime

/// The PIN of the console. A wrong PIN costs a pause that doubles with each in a row. Their number, and the time of the
/// last, are kept on flash in a folder that all consoles of the board share, so that neither a restart, nor a power
/// cut, nor a second console resets the pause. A try is stored as a wrong one before it is checked; only then a right
/// one removes it.
final class PinLock {
  /// The folder of root's consoles, to which the agent's user has no access.
  static let folder = "/var/lib/talon-console"
  private static let record: StaticString = "console-pin"
  private static let recordBytes = 16

  private let isRight: (UnsafeBufferPointer<UInt8>) -> Bool
  private let folder: String
  private var failures = 0
  /// When the next try is accepted.
  private(set) var opensAt: Int64

  /// `folder`: where tries are counted; without it, this process counts alone. A pause continues, from its beginning,
  /// where the last process stopped.
  convenience init(pin: String, folder: String, now: Int64) {
    self.init(folder: folder, now: now, isRight: Self.comparison(pin))
  }

  init(folder: String, now: Int64, isRight: @escaping (UnsafeBufferPointer<UInt8>) -> Bool) {
    (self.folder, self.isRight) = (folder, isRight)
    opensAt = now
    failures = load()?.failures ?? 0
    opensAt = now + pause
  }

  /// Makes the folder of root's consoles, with access only for its owner.
  static func makeFolder() {
    for folder in ["/var", "/var/lib", Self.folder] {
      do throws(Errno) {
        try Syscall.makeFolder(Path(folder), permissions: folder == Self.folder ? 0o700 : 0o755)
      } catch {}
    }
  }

  /// Pause in milliseconds after so many failures.
  private var pause: Int64 {
    let range = Budget.consolePinPause
    return failures == 0 ? 0 : min(range.lowerBound << Int64(min(failures - 1, 20)), range.upperBound)
  }

  /// True when this is the PIN. Not checked before `opensAt`, which another console may have changed.
  func opens(_ line: UnsafeBufferPointer<UInt8>, now: Int64) -> Bool {
    guard let store else { return tries(line, nil, now) }
    do throws(Errno) {
      let lock = try FileLock(folder + "/console-lock")
      try lock.take(milliseconds: Budget.consolePinLockMilliseconds)
      defer { lock.release() }
      return tries(line, store, now)
    } catch {
      // Another console checks a PIN at this moment, or flash cannot be written.
      opensAt = now + (error == .wouldBlock ? Budget.consolePinPause.lowerBound : Budget.consolePinPause.upperBound)
      return false
    }
  }

  private func tries(_ line: UnsafeBufferPointer<UInt8>, _ store: FileStore?, _ now: Int64) -> Bool {
    merge(load(), now)
    guard now >= opensAt else { return false }
    failures += 1
    let isCounted = save(store, now)
    if isRight(line) {
      failures = 0
      opensAt = now
      _ = save(store, now)
      return true
    }
    // Tries that cannot be counted must be rare.
    opensAt = now + (isCounted ? pause : Budget.consolePinPause.upperBound)
    return false
  }

  /// Takes over what another console counted. Times from before the last boot would be in the future, and are ignored.
  private func merge(_ shared: (failures: Int, at: Int64)?, _ now: Int64) {
    guard let shared else { return }
    failures = shared.failures
    if failures == 0 {
      opensAt = min(opensAt, now)
    } else if shared.at <= now {
      opensAt = max(opensAt, shared.at + pause)
    }
  }

  // MARK: The PIN

  /// Takes the same time wherever a wrong PIN differs.
  private static func comparison(_ pin: String) -> (UnsafeBufferPointer<UInt8>) -> Bool {
    if let hash = PasswordHash(text: pin) { return { hash.matches(Span(_unsafeElements: $0)) } }
    let pin = Array(pin.utf8)
    return { line in
      var difference = line.count ^ pin.count
      for index in 0..<Budget.consolePinBytes.upperBound {
        let (byte, wanted) = (index < line.count ? line[index] : 0, index < pin.count ? pin[index] : 0)
        difference |= Int(byte ^ wanted)
      }
      return difference == 0
    }
  }

  // MARK: Flash

  /// Nil while the folder is not there.
  private var store: FileStore? {
    do throws(Errno) {
      _ = try Syscall.status(try Path(folder))
    } catch {
      return nil
    }
    do throws(StoreError) { return try FileStore(folder: folder, recordBytes: Self.recordBytes) } catch { return nil }
  }

  /// The number of failures in a row, and the monotonic time of the last.
  private func load() -> (failures: Int, at: Int64)? {
    guard let store else { return nil }
    let buffer = FixedBuffer(capacity: Self.recordBytes)
    do throws(StoreError) {
      guard let found = try store.load(Self.record.path, into: buffer.bytes), found.count > 0 else { return (0, 0) }
      let bytes = UnsafeRawBufferPointer(buffer.bytes)
      let at = found.count >= 9 ? Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: Int64.self)) : .max
      return (Int(buffer.bytes[0]), at)
    } catch {
      return (failures, .max)
    }
  }

  /// False when it is not on flash. Without a folder it always succeeds.
  private func save(_ store: FileStore?, _ now: Int64) -> Bool {
    guard let store else { return true }
    var bytes = [UInt8(clamping: failures)]
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: now >> Int64(8 * shift))) }
    var isSaved = true
    bytes.withUnsafeBufferPointer { buffer in
      do throws(StoreError) { try store.save(Self.record.path, buffer) } catch { isSaved = false }
    }
    return isSaved
  }
}
