import Runtime
import Voice

/// Why a phrase could not be stored.
public enum EnrolledError: Error {
  /// The limit of phrases is reached; replacing one is still possible.
  case full
  /// It was learned from recordings, which a spelling does not replace.
  case recorded
  /// Another process holds the lock.
  case busy
  /// The state folder failed, or the record is torn.
  case store(StoreError)
}

/// The phrases that were learned on this board: a sequence of phrase files in one record of the state folder, followed
/// by which of them were learned from their spelling:
///
///     0   "TALONSPL"
///     8   u32, little-endian: a bit for each phrase, the first one's lowest
public final class EnrolledPhrases {
  /// How a phrase was learned.
  public enum Origin: UInt8, Sendable { case recordings, spelling }

  private static let name: StaticString = "enrolled"
  private static let mark: StaticString = "TALONSPL"
  /// The mark and a bit set, at the end of the record.
  private static let markBytes = 12
  /// A person waits; the other process holds the lock for one write.
  private static let lockMilliseconds: Int64 = 1_000

  private let store: any RecordStore
  private let lock: FileLock?
  private let memory: UnsafeMutableRawBufferPointer
  /// Bytes of `memory` that are phrases.
  private var used = 0
  /// Which of them were learned from their spelling, a bit each.
  private var spelled: UInt32 = 0

  /// The phrases in a store whose records may have `Budget.wakeBankBytes`; none before `read`. `lock` excludes other
  /// processes.
  @export(interface)
  public init(_ store: any RecordStore, lock: FileLock? = nil) {
    self.store = store
    self.lock = lock
    memory = .allocate(byteCount: Budget.wakeBankBytes, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { memory.deallocate() }

  /// Reads the record again. If that fails, the phrases in memory stay.
  public func read() throws(EnrolledError) {
    do throws(StoreError) {
      let count = try store.load(Self.pointer, into: memory.bindMemory(to: UInt8.self))?.count ?? 0
      settle(count)
      // Phrases of an older version, or not valid.
      if count > 0, used == 0 { throw .torn }
    } catch {
      throw .store(error)
    }
  }

  private static var pointer: UnsafePointer<CChar> {
    UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Finds the end of the phrases, and the data after them.
  private func settle(_ count: Int) {
    (used, spelled) = (0, 0)
    while used < count, let file = try? PhraseFile(UnsafeRawBufferPointer(rebasing: memory[used..<count])) {
      used += file.size
    }
    guard count - used >= Self.markBytes else { return }
    for index in 0..<8 where memory[used + index] != Self.mark.utf8Start[index] { return }
    spelled = UInt32(littleEndian: memory.loadUnaligned(fromByteOffset: used + 8, as: UInt32.self))
  }

  /// The phrases: a view of this object's memory, which changes with `read` and `put`.
  public var bank: PhraseBank { PhraseBank(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<used])) }

  /// Number of phrases.
  public var count: Int {
    var count = 0
    bank.forEach { _ in
      count += 1
      return true
    }
    return count
  }

  /// How a phrase was learned; nil: it was not.
  public func origin(of phrase: borrowing PhraseText) -> Origin? {
    var (index, place) = (0, 0)
    while place < used,
      let file = try? PhraseFile(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[place..<used]))
    {
      if phrase.equals(file.text) { return isSpelled(index) ? .spelling : .recordings }
      place += file.size
      index += 1
    }
    return nil
  }

  private func isSpelled(_ index: Int) -> Bool { index < 32 && spelled & 1 << UInt32(index) != 0 }

  /// Whether there is room for a phrase from recordings: a free place, the same phrase, or one learned from its
  /// spelling that can be replaced.
  public func hasRoom(for phrase: borrowing PhraseText) -> Bool {
    bank.find(phrase) != nil || count < Budget.enrolledPhrases || spelled != 0
  }

  /// Stores a phrase file, replacing an older one of the same phrase. When this returns it is on flash. If there is no
  /// room, the oldest phrase that was learned from its spelling is removed, unless it must be kept. Recordings are
  /// never replaced by a spelling.
  public func put(
    _ file: borrowing PhraseFile, as origin: Origin = .recordings,
    keeping isKept: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in false }
  ) throws(EnrolledError) {
    guard let text = PhraseText(file.text) else { return }
    try take()
    defer { lock?.release() }
    let known = self.origin(of: text)
    if known == .recordings, origin == .spelling { throw .recorded }
    var dropped: Int?
    if known == nil, count >= Budget.enrolledPhrases {
      guard let index = dispensable(isKept) else { throw .full }
      dropped = index
    }
    try rewrite(without: text, dropped: dropped, file.bytes, isSpelled: origin == .spelling)
  }

  /// Removes a phrase; false when it was not there.
  public func remove(_ phrase: borrowing PhraseText) throws(EnrolledError) -> Bool {
    try take()
    defer { lock?.release() }
    guard bank.find(phrase) != nil else { return false }
    try rewrite(without: phrase, dropped: nil, UnsafeRawBufferPointer(start: nil, count: 0), isSpelled: false)
    return true
  }

  /// Takes the lock, and reads the record. A torn record is replaced by the phrases in memory.
  private func take() throws(EnrolledError) {
    do throws(Errno) {
      try lock?.take(milliseconds: Self.lockMilliseconds)
    } catch {
      if error == .wouldBlock { throw .busy }
      throw .store(.system(error))
    }
    do throws(EnrolledError) {
      try read()
    } catch {
      if case .store(.torn) = error { return }
      lock?.release()
      throw error
    }
  }

  /// The oldest phrase learned from its spelling that may be removed.
  private func dispensable(_ isKept: (UnsafeBufferPointer<UInt8>) -> Bool) -> Int? {
    var (index, found) = (0, Int?.none)
    bank.forEach { file in
      if isSpelled(index), !isKept(file.text) { found = index }
      index += 1
      return found == nil
    }
    return found
  }

  private func rewrite(
    without phrase: borrowing PhraseText, dropped: Int?, _ more: UnsafeRawBufferPointer, isSpelled isNewSpelled: Bool
  ) throws(EnrolledError) {
    let fresh = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Budget.wakeBankBytes)
    defer { fresh.deallocate() }
    fresh.initialize(repeating: 0)
    var (count, place, index, kept, marks) = (0, 0, 0, UInt32(0), UInt32(0))
    while place < used, let old = try? PhraseFile(UnsafeRawBufferPointer(rebasing: memory[place..<used])) {
      if index != dropped, !phrase.equals(old.text) {
        if isSpelled(index) { marks |= 1 << kept }
        Self.append(old.bytes, to: fresh, &count)
        kept += 1
      }
      place += old.size
      index += 1
    }
    if isNewSpelled { marks |= 1 << kept }
    Self.append(more, to: fresh, &count)
    if marks != 0 { Self.append(mark: marks, to: fresh, &count) }
    do throws(StoreError) {
      try store.save(Self.pointer, UnsafeBufferPointer(rebasing: fresh[..<count]))
    } catch {
      throw .store(error)
    }
    for index in 0..<count { memory[index] = fresh[index] }
    settle(count)
  }

  private static func append(
    _ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
  ) {
    guard count + bytes.count <= target.count else { return }
    for byte in bytes {
      target[count] = byte
      count += 1
    }
  }

  private static func append(mark marks: UInt32, to target: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) {
    guard count + markBytes <= target.count else { return }
    for index in 0..<8 { target[count + index] = mark.utf8Start[index] }
    for index in 0..<4 { target[count + 8 + index] = UInt8(truncatingIfNeeded: marks >> UInt32(8 * index)) }
    count += markBytes
  }
}
