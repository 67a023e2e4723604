import Codec
import Runtime

/// The events of an outbox in their order, and their format on flash. Plain data: it decides nothing.
///
/// On flash each event is: length of its name and of its payload (16 bits each), the rest of its age limit in seconds
/// (32 bits), name, payload; numbers are little-endian.
struct OutboxQueue: ~Copyable {
  /// Before each event: its lengths and what is left of its age.
  private static let headerBytes = 8

  struct Entry {
    /// Number of the event since start.
    var sequence: UInt64 = 0
    var nameCount = 0
    var payloadCount = 0
    /// When it becomes too old: a monotonic time.
    var expiry: Int64 = 0
    /// True when it is on flash.
    var isStored = false
    /// True when the write under way has it.
    var isBeingStored = false
    /// Not before this: the gateway did not accept it then.
    var retryAt: Int64?
    /// Milliseconds until it is sent again, when it is not accepted once more.
    var pause = Outbox.deliveryPauses.lowerBound

    var count: Int { nameCount + payloadCount }
  }

  private let texts: ReservedBuffer
  private let entries: UnsafeMutableBufferPointer<Entry>
  /// Events.
  private(set) var count = 0
  /// Bytes of their names and payloads.
  private(set) var bytes = 0

  init() throws(Errno) {
    texts = try ReservedBuffer(capacity: Budget.outboxBytes)
    entries = .allocate(capacity: Budget.outboxEvents)
    entries.initialize(repeating: Entry())
  }

  deinit { entries.deallocate() }

  subscript(_ index: Int) -> Entry {
    get { entries[index] }
    set { entries[index] = newValue }
  }

  var isFull: Bool { count == entries.count }

  /// Room for `count` more bytes.
  func hasRoom(_ count: Int) -> Bool { bytes + count <= texts.bytes.count }

  /// The index of the event with this number.
  func index(of sequence: UInt64) -> Int? {
    for index in 0..<count where entries[index].sequence == sequence { return index }
    return nil
  }

  /// An event may be sent at once, as if it had never been refused.
  mutating func sendAgain(_ index: Int) {
    entries[index].retryAt = nil
    entries[index].pause = Outbox.deliveryPauses.lowerBound
  }

  /// An event of the same name stands before this one.
  func isBehind(_ index: Int) -> Bool {
    let name = name(index)
    for before in 0..<index where self.name(before).elementsEqual(name) { return true }
    return false
  }

  func name(_ index: Int) -> UnsafeBufferPointer<UInt8> { text(start(index), entries[index].nameCount) }

  func payload(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    text(start(index) + entries[index].nameCount, entries[index].payloadCount)
  }

  /// Adds an event at the end. There must be room for it.
  mutating func append(
    _ entry: Entry, _ name: UnsafeBufferPointer<UInt8>, _ payload: UnsafeBufferPointer<UInt8>
  ) {
    precondition(!isFull && hasRoom(name.count + payload.count))
    copy(name)
    copy(payload)
    entries[count] = entry
    entries[count].nameCount = name.count
    entries[count].payloadCount = payload.count
    count += 1
  }

  /// Removes an event; later ones move up.
  mutating func remove(_ index: Int) {
    let size = entries[index].count
    let end = start(index) + size
    let base = texts.bytes.baseAddress!
    (base + end - size).update(from: base + end, count: bytes - end)
    for next in (index + 1)..<max(count, index + 1) { entries[next - 1] = entries[next] }
    count -= 1
    bytes -= size
  }

  private func start(_ index: Int) -> Int {
    var start = 0
    for before in 0..<index { start += entries[before].count }
    return start
  }

  private func text(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(texts.bytes)[start..<(start + count)])
  }

  private mutating func copy(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text {
      texts.bytes[bytes] = byte
      bytes += 1
    }
  }

  // MARK: Flash

  /// Writes all events as they are at `now`, and returns the bytes written.
  func encode(into buffer: UnsafeMutableBufferPointer<UInt8>, at now: Int64) -> Int {
    var writer = ByteWriter(into: buffer)
    for index in 0..<count {
      let entry = entries[index]
      writer.little(UInt64(entry.nameCount), bytes: 2)
      writer.little(UInt64(entry.payloadCount), bytes: 2)
      writer.little(UInt64(max(entry.expiry - now, 0) / 1000), bytes: 4)
      writer.bytes(Span(_unsafeElements: name(index)))
      writer.bytes(Span(_unsafeElements: payload(index)))
    }
    return writer.count
  }

  /// Reads the events of a record, numbered from 1, and checks everything: invalid events, and those for which there is
  /// no room, are skipped. False when any was skipped.
  mutating func decode(_ record: UnsafeBufferPointer<UInt8>, at now: Int64) -> Bool {
    var offset = 0
    var isWhole = true
    while offset < record.count {
      guard record.count - offset >= Self.headerBytes else { return false }
      let nameCount = Int(record.little(at: offset, bytes: 2))
      let payloadCount = Int(record.little(at: offset + 2, bytes: 2))
      let remaining = Int64(record.little(at: offset + 4, bytes: 4)) * 1000
      offset += Self.headerBytes
      guard record.count - offset >= nameCount + payloadCount else { return false }
      let name = UnsafeBufferPointer(rebasing: record[offset..<(offset + nameCount)])
      offset += nameCount
      let payload = UnsafeBufferPointer(rebasing: record[offset..<(offset + payloadCount)])
      offset += payloadCount
      guard isEvent(name, payload), !isFull, hasRoom(nameCount + payloadCount) else {
        isWhole = false
        continue
      }
      let expiry = now + min(remaining, Budget.outboxAge)
      append(Entry(sequence: UInt64(count + 1), expiry: expiry, isStored: true), name, payload)
    }
    return isWhole
  }

  private func isEvent(_ name: UnsafeBufferPointer<UInt8>, _ payload: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !name.isEmpty, name.count + payload.count <= Budget.outboxEventBytes else { return false }
    do throws(JSONError) {
      try JSONValidator.check(Span(_unsafeElements: payload), depthLimit: Budget.jsonDepth)
      return true
    } catch {
      return false
    }
  }
}

extension ByteWriter {
  fileprivate mutating func little(_ value: UInt64, bytes: Int) {
    for index in 0..<bytes { byte(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func little(at offset: Int, bytes: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<bytes { value |= UInt64(self[offset + index]) << UInt64(8 * index) }
    return value
  }
}
