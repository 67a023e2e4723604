import Codec
import Runtime

/// Invokes of the gateway that wait for room for their command, in the order in which they came: an agent that asks for
/// several pictures at once gets them one after the other, each within its own deadline. Their payloads are kept as
/// they came, in a fixed number of places.
struct InvokeQueue: ~Copyable {
  private struct Place {
    var slot = InvokeTable.Slot()
    /// Bytes of the payload; 0: the place is free.
    var bytes = 0
    /// Its number in the order of arrival.
    var serial: UInt64 = 0
  }

  private let places: UnsafeMutableBufferPointer<Place>
  private let texts: ReservedBuffer
  private var serial: UInt64 = 0
  private(set) var count = 0

  init() throws(Errno) {
    texts = try ReservedBuffer(capacity: Budget.waitingInvokes * Budget.waitingInvokeBytes)
    places = .allocate(capacity: Budget.waitingInvokes)
    places.initialize(repeating: Place())
  }

  deinit {
    places.deinitialize()
    places.deallocate()
  }

  /// Puts an invoke at the end. False when its payload is too long for a place, or none is free.
  mutating func add(_ slot: InvokeTable.Slot, _ payload: Span<UInt8>) -> Bool {
    guard payload.count <= Budget.waitingInvokeBytes, !payload.isEmpty else { return false }
    for index in 0..<places.count where places[index].bytes == 0 {
      serial += 1
      places[index] = Place(slot: slot, bytes: payload.count, serial: serial)
      payload.withUnsafeBufferPointer { text(index).baseAddress!.update(from: $0.baseAddress!, count: $0.count) }
      count += 1
      return true
    }
    return false
  }

  /// True when an invoke of this command waits.
  func has(_ command: Int) -> Bool { first(where: { $0.command == command }) != nil }

  /// The place of the invoke that has waited longest, of those that match.
  func first(where matches: (borrowing InvokeTable.Slot) -> Bool) -> Int? {
    var found: Int?
    for index in 0..<places.count where places[index].bytes > 0 && matches(places[index].slot) {
      if let other = found, places[other].serial < places[index].serial { continue }
      found = index
    }
    return found
  }

  func slot(_ place: Int) -> InvokeTable.Slot { places[place].slot }

  /// The payload, valid until the place is freed.
  func payload(_ place: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text(place)[..<places[place].bytes])
  }

  private func text(_ place: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let start = place * Budget.waitingInvokeBytes
    return UnsafeMutableBufferPointer(rebasing: texts.bytes[start..<start + Budget.waitingInvokeBytes])
  }

  /// Frees a place.
  mutating func remove(_ place: Int) {
    places[place].bytes = 0
    count -= 1
    if count == 0 { texts.release() }
  }

  /// The earliest deadline.
  var nextDeadline: Int64? {
    var earliest: Int64?
    for place in places where place.bytes > 0 { earliest = min(earliest ?? .max, place.slot.deadline) }
    return earliest
  }
}
