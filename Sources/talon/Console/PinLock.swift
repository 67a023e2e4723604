import Runtime

/// The PIN of the console. A wrong one costs a pause that doubles with each in a row; how many there were is kept on
/// flash, so that neither a restart nor a power cut makes a new beginning.
final class PinLock {
  private static let record: StaticString = "console-pin"

  private let pin: FixedBuffer
  private let length: Int
  private let folder: String
  private var failures = 0
  /// When the next try is taken.
  private(set) var opensAt: Int64

  /// `folder`: where Talon keeps its state. Pauses go on, from their beginning, where the last process stood.
  init(pin: String, folder: String, now: Int64) {
    self.pin = FixedBuffer(capacity: Budget.consolePinBytes.upperBound)
    length = pin.utf8.count
    var index = 0
    for byte in pin.utf8 {
      self.pin.bytes[index] = byte
      index += 1
    }
    self.folder = folder
    opensAt = now
    failures = load()
    opensAt = now + pause
  }

  /// Milliseconds for which nothing is taken behind so many failures.
  private var pause: Int64 {
    let range = Budget.consolePinPause
    return failures == 0 ? 0 : min(range.lowerBound << Int64(min(failures - 1, 20)), range.upperBound)
  }

  /// True when this is the PIN. Takes as long for a wrong one, wherever it is wrong. Not to be asked before `opensAt`.
  func opens(_ line: UnsafeBufferPointer<UInt8>, now: Int64) -> Bool {
    var difference = line.count ^ length
    for index in 0..<pin.bytes.count {
      let byte = index < line.count ? line[index] : 0
      difference |= Int(byte ^ pin.bytes[index])
    }
    // Another console of this board may have counted meanwhile.
    failures = max(failures, load())
    let isRight = difference == 0
    if isRight, failures == 0 { return true }
    failures = isRight ? 0 : failures + 1
    opensAt = now + pause
    save()
    return isRight
  }

  // MARK: Flash

  /// Nil while the folder is not there: the agent makes it, as its own.
  private var store: FileStore? {
    do throws(Errno) {
      _ = try Syscall.status(try Path(folder))
    } catch {
      return nil
    }
    do throws(StoreError) { return try FileStore(folder: folder, recordBytes: 16) } catch { return nil }
  }

  private func load() -> Int {
    guard let store else { return 0 }
    let buffer = FixedBuffer(capacity: 16)
    do throws(StoreError) {
      guard let found = try store.load(Self.record.path, into: buffer.bytes), found.count > 0 else { return 0 }
      return Int(buffer.bytes[0])
    } catch {
      return failures
    }
  }

  private func save() {
    guard let store else { return }
    var count = UInt8(clamping: failures)
    withUnsafeBytes(of: &count) { raw in
      do throws(StoreError) { try store.save(Self.record.path, raw.bindMemory(to: UInt8.self)) } catch {}
    }
  }
}
