import Codec
import Runtime

/// Remembers the texts of pages and searches for some minutes. Of more than fit, the one goes that was not used for
/// longest.
final class PageCache {
  /// What an address is asked for.
  enum Kind: UInt8 { case page, search }

  private struct Entry {
    var kind = Kind.page
    var address = 0
    var text = 0
    var isCut = false
    /// The instant until which it counts; 0: free.
    var until: Int64 = 0
    /// The count of uses when it was last used.
    var used: UInt64 = 0
  }

  private static let share = Budget.fetchURLBytes + Budget.pageTextBytes

  private let memory: ReservedBuffer
  private var entries = InlineArray<8, Entry>(repeating: Entry())
  private var uses: UInt64 = 0

  /// Reserves the memory; throws when the address space is full.
  @export(interface)
  init() throws(Errno) {
    precondition(entries.count == Budget.pageCacheEntries)
    memory = try ReservedBuffer(capacity: Budget.pageCacheEntries * Self.share)
  }

  private func address(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = index * Self.share
    return UnsafeBufferPointer(memory.bytes).extracting(start..<start + entries[index].address)
  }

  /// The text for an address, if it is remembered, and whether it was cut.
  func find(
    _ kind: Kind, _ key: UnsafeBufferPointer<UInt8>, at now: Int64
  ) -> (text: UnsafeBufferPointer<UInt8>, isCut: Bool)? {
    for index in 0..<entries.count where entries[index].kind == kind && now < entries[index].until {
      guard address(index).span.isSame(as: key.span) else { continue }
      uses &+= 1
      entries[index].used = uses
      let start = index * Self.share + Budget.fetchURLBytes
      return (
        UnsafeBufferPointer(memory.bytes).extracting(start..<start + entries[index].text), entries[index].isCut
      )
    }
    return nil
  }

  /// Remembers a text. One that does not fit is not remembered.
  func keep(
    _ kind: Kind, _ key: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, isCut: Bool, at now: Int64
  ) {
    guard key.count <= Budget.fetchURLBytes, text.count <= Budget.pageTextBytes else { return }
    let index = place(kind, key, at: now)
    let start = index * Self.share
    for place in 0..<key.count { memory.bytes[start + place] = key[place] }
    for place in 0..<text.count { memory.bytes[start + Budget.fetchURLBytes + place] = text[place] }
    uses &+= 1
    entries[index] = Entry(
      kind: kind, address: key.count, text: text.count, isCut: isCut, until: now + Budget.pageCacheMilliseconds,
      used: uses)
  }

  /// That of the same address, else one that does not count any more, else the one that was not used for longest.
  private func place(_ kind: Kind, _ key: UnsafeBufferPointer<UInt8>, at now: Int64) -> Int {
    var best = 0
    for index in 0..<entries.count {
      let entry = entries[index]
      if entry.until > 0, entry.kind == kind, address(index).span.isSame(as: key.span) { return index }
      let isFree = now >= entry.until, bestIsFree = now >= entries[best].until
      if isFree != bestIsFree ? isFree : entry.used < entries[best].used { best = index }
    }
    return best
  }

  /// Forgets everything, and gives the memory back.
  func clear() {
    entries = InlineArray(repeating: Entry())
    memory.release()
  }
}
