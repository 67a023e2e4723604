import Codec
import Runtime

/// Our own requests that wait for their answers: a fixed number of slots.
struct RequestTable: ~Copyable {
  private struct Slot {
    var owner: (any RequestOwner)?
    var tag = 0
    var serial = 0
    var deadline: Int64 = .max
  }

  /// Who waits, and how it calls its request.
  struct Waiter {
    let owner: any RequestOwner
    let tag: Int
  }

  private let slots: UnsafeMutableBufferPointer<Slot>

  init() {
    slots = .allocate(capacity: Budget.requests)
    slots.initialize(repeating: Slot())
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  /// Takes a slot; the number to send as the request's id, or nil when all are taken.
  mutating func add(_ owner: any RequestOwner, _ tag: Int, deadline: Int64) -> Int? {
    for index in 0..<slots.count where slots[index].owner == nil {
      let serial = (slots[index].serial + 1) & 0xFF_FFFF
      slots[index] = Slot(owner: owner, tag: tag, serial: serial, deadline: deadline)
      return serial * slots.count + index
    }
    return nil
  }

  /// Frees the slot of a request; nil when nobody waits for it any more.
  mutating func take(_ number: Int) -> Waiter? {
    guard number >= 0 else { return nil }
    let index = number % slots.count
    guard let owner = slots[index].owner, slots[index].serial == number / slots.count else { return nil }
    return free(index, owner)
  }

  /// Frees a request whose time is up.
  mutating func takeDue(_ now: Int64) -> Waiter? {
    for index in 0..<slots.count {
      if let owner = slots[index].owner, slots[index].deadline <= now { return free(index, owner) }
    }
    return nil
  }

  /// Frees any request.
  mutating func takeAny() -> Waiter? { takeDue(.max) }

  private mutating func free(_ index: Int, _ owner: any RequestOwner) -> Waiter {
    slots[index].owner = nil
    let waiter = Waiter(owner: owner, tag: slots[index].tag)
    slots[index].deadline = .max
    return waiter
  }

  var nextDeadline: Int64? {
    var earliest = Int64.max
    for index in 0..<slots.count where slots[index].owner != nil { earliest = min(earliest, slots[index].deadline) }
    return earliest == .max ? nil : earliest
  }
}

/// The ids of our requests: a letter and a number.
enum RequestID {
  /// A request that somebody waits for, and the result of an invoke, which nobody waits for.
  static let request: StaticString = "q"
  static let result: StaticString = "r"

  static func text(_ letter: StaticString, _ number: Int) -> InlineText<24> {
    var text = InlineText<24>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text(letter)
      writer.decimal(Int64(number))
      return writer.count
    }
    return text
  }

  /// The number of a request's id; nil for any other id.
  static func number(_ id: Span<UInt8>) -> Int? {
    guard id.count > 1, id.count <= 12, id[0] == UInt8(ascii: "q") else { return nil }
    var value = 0
    for index in 1..<id.count {
      guard id[index] >= UInt8(ascii: "0"), id[index] <= UInt8(ascii: "9") else { return nil }
      // Wider than a slot's serial number can be, and still within 32 bits.
      value = value &* 10 &+ Int(id[index] - UInt8(ascii: "0"))
    }
    return value
  }
}
