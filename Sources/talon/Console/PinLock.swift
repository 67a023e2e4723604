import Board
import Runtime

/// The PIN of the console. A wrong one costs a pause that doubles with each in a row. How many there were, and when the last was,
/// is kept on flash in a folder that all consoles of the board share: neither a restart, nor a power cut, nor a second console
/// makes a new beginning. A try is on flash as a wrong one before it is looked at; only then the right one takes it off again.
final class PinLock {
  /// Where root's consoles count. The agent's user has no right to it.
  static let folder = "/var/lib/talon-console"
  private static let record: StaticString = "console-pin"
  private static let recordBytes = 16

  private let isRight: (UnsafeBufferPointer<UInt8>) -> Bool
  private let folder: String
  private var failures = 0
  /// When the next try is taken.
  private(set) var opensAt: Int64

  /// `folder`: where tries are counted; while it is missing, this process counts alone. A pause goes on, from its beginning,
  /// where the last process stood.
  convenience init(pin: String, folder: String, now: Int64) {
    self.init(folder: folder, now: now, isRight: Self.comparison(pin))
  }

  init(folder: String, now: Int64, isRight: @escaping (UnsafeBufferPointer<UInt8>) -> Bool) {
    (self.folder, self.isRight) = (folder, isRight)
    opensAt = now
    failures = load()?.failures ?? 0
    opensAt = now + pause
  }

  /// Makes the folder of root's consoles, for its owner alone.
  static func makeFolder() {
    for folder in ["/var", "/var/lib", Self.folder] {
      do throws(Errno) { try Syscall.makeFolder(Path(folder), permissions: folder == Self.folder ? 0o700 : 0o755) } catch {}
    }
  }

  /// Milliseconds for which nothing is taken behind so many failures.
  private var pause: Int64 {
    let range = Budget.consolePinPause
    return failures == 0 ? 0 : min(range.lowerBound << Int64(min(failures - 1, 20)), range.upperBound)
  }

  /// True when this is the PIN. False and not looked at before `opensAt`, which another console may have moved.
  func opens(_ line: UnsafeBufferPointer<UInt8>, now: Int64) -> Bool {
    guard let store else { return tries(line, nil, now) }
    do throws(Errno) {
      let lock = try FileLock(folder + "/console-lock")
      try lock.take(milliseconds: Budget.consolePinPatience)
      defer { lock.release() }
      return tries(line, store, now)
    } catch {
      // Somebody types at another console just now, or the flash is at its end.
      opensAt = now + (error == .wouldBlock ? Budget.consolePinPause.lowerBound : Budget.consolePinPause.upperBound)
      return false
    }
  }

  private func tries(_ line: UnsafeBufferPointer<UInt8>, _ store: FileStore?, _ now: Int64) -> Bool {
    takeUp(load(), now)
    guard now >= opensAt else { return false }
    failures += 1
    let isCounted = save(store, now)
    if isRight(line) {
      failures = 0
      opensAt = now
      _ = save(store, now)
      return true
    }
    // What cannot be counted may not be tried often.
    opensAt = now + (isCounted ? pause : Budget.consolePinPause.upperBound)
    return false
  }

  /// What another console counted meanwhile. Times of before the board started last lie in the future, and say nothing.
  private func takeUp(_ shared: (failures: Int, at: Int64)?, _ now: Int64) {
    guard let shared else { return }
    failures = shared.failures
    if failures == 0 { opensAt = min(opensAt, now) } else if shared.at <= now { opensAt = max(opensAt, shared.at + pause) }
  }

  // MARK: The PIN

  /// Takes as long for a wrong one, wherever it is wrong.
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

  /// How many failures in a row, and the monotonic instant of the last.
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

  /// False when it is not on flash. Without a folder there is nothing to fail.
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
