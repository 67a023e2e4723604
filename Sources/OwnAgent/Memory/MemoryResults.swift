import Runtime

/// What a request gave back: entries with their texts, in memory of fixed size.
public final class MemoryResults {
  private struct Place {
    var entry: MemoryEntry
    var start: Int
    var subject: Int
    var text: Int
  }

  private let bytes = FixedBuffer(capacity: Budget.memoryResultBytes)
  private var places: [Place] = []
  private var used = 0
  /// There were more than fit.
  public private(set) var isCut = false

  init() { places.reserveCapacity(Budget.memoryResults) }

  /// How many entries there are.
  public var count: Int { places.count }

  /// The entry at an index below `count`. Its texts are valid until the next request.
  public func row(_ index: Int) -> MemoryRow {
    let place = places[index]
    let text = place.start + place.subject
    return MemoryRow(
      place.entry, subject: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes.bytes)[place.start..<text]),
      text: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes.bytes)[text..<(text + place.text)]))
  }

  func removeAll() {
    places.removeAll(keepingCapacity: true)
    used = 0
    isCut = false
  }

  /// Adds an entry; false when there is no room.
  func append(_ row: MemoryRow) -> Bool {
    let count = row.subject.count + row.text.count
    guard places.count < Budget.memoryResults, used + count <= bytes.bytes.count else {
      isCut = true
      return false
    }
    places.append(Place(entry: row.entry, start: used, subject: row.subject.count, text: row.text.count))
    for byte in row.subject { push(byte) }
    for byte in row.text { push(byte) }
    return true
  }

  private func push(_ byte: UInt8) {
    bytes.bytes[used] = byte
    used += 1
  }

  /// Newest first becomes oldest first.
  func reverse() { places.reverse() }
}
