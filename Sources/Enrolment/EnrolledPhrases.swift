import Runtime
import Voice

/// Why a phrase could not be kept.
public enum EnrolledError: Error {
  /// As many phrases as there may be are kept; one of them again is no more.
  case full
  /// The state folder refused, or what is in it is torn.
  case store(StoreError)
}

/// The phrases that were learnt on this board: phrase files one behind the other, in one record of the state folder.
public final class EnrolledPhrases {
  private static let name: StaticString = "enrolled"

  private let store: any RecordStore
  private let memory: UnsafeMutableRawBufferPointer
  /// Bytes of `memory` that are phrases.
  private var used = 0

  /// The phrases in a store whose records may have `Budget.wakeBankBytes`; none before `read`.
  public init(_ store: any RecordStore) {
    self.store = store
    memory = .allocate(byteCount: Budget.wakeBankBytes, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { memory.deallocate() }

  /// Reads anew what is on flash. Where that cannot be read, what was known stays.
  public func read() throws(EnrolledError) {
    do throws(StoreError) {
      let record = try store.load(Self.pointer, into: memory.bindMemory(to: UInt8.self))
      used = record?.count ?? 0
    } catch {
      throw .store(error)
    }
  }

  private static var pointer: UnsafePointer<CChar> { UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self) }

  /// The phrases; a view of memory that is as old as this, and changes with `read` and `put`.
  public var bank: PhraseBank { PhraseBank(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<used])) }

  /// How many there are.
  public var count: Int {
    var count = 0
    bank.forEach { _ in
      count += 1
      return true
    }
    return count
  }

  /// Whether there is room for a phrase, or it is one of those that are there.
  public func hasRoom(for phrase: borrowing PhraseText) -> Bool {
    bank.find(phrase) != nil || count < Budget.enrolledPhrases
  }

  /// Keeps a phrase file, in the place of an older one of the same phrase. When this returns it is on flash.
  public func put(_ file: borrowing PhraseFile) throws(EnrolledError) {
    guard let text = PhraseText(file.text) else { return }
    guard hasRoom(for: text) else { throw .full }
    try rewrite(without: text, file.bytes)
  }

  /// Forgets a phrase; false when it was not there.
  public func remove(_ phrase: borrowing PhraseText) throws(EnrolledError) -> Bool {
    guard bank.find(phrase) != nil else { return false }
    try rewrite(without: phrase, UnsafeRawBufferPointer(start: nil, count: 0))
    return true
  }

  private func rewrite(without phrase: borrowing PhraseText, _ more: UnsafeRawBufferPointer) throws(EnrolledError) {
    let fresh = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Budget.wakeBankBytes)
    defer { fresh.deallocate() }
    fresh.initialize(repeating: 0)
    var (count, place) = (0, 0)
    while place < used, let old = try? PhraseFile(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[place..<used])) {
      if !phrase.equals(old.text) { Self.append(old.bytes, to: fresh, &count) }
      place += old.size
    }
    Self.append(more, to: fresh, &count)
    do throws(StoreError) {
      try store.save(Self.pointer, UnsafeBufferPointer(rebasing: fresh[..<count]))
    } catch {
      throw .store(error)
    }
    for index in 0..<count { memory[index] = fresh[index] }
    used = count
  }

  private static func append(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) {
    guard count + bytes.count <= target.count else { return }
    for byte in bytes {
      target[count] = byte
      count += 1
    }
  }
}
