import Codec
import Runtime

/// Requests that wait for their responses: a fixed number of slots.
struct RequestTable: ~Copyable {
  private struct Slot {
    var delegate: (any RequestDelegate)?
    var tag = 0
    var method: StaticString = ""
    var serial = 0
    var deadline: Int64 = .max
  }

  /// The delegate of a request, its tag and what it asks for.
  struct Waiter {
    let delegate: any RequestDelegate
    let tag: Int
    let method: StaticString
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

  /// Takes a slot, and returns the number for the request's id, or nil when all are taken.
  mutating func add(_ delegate: any RequestDelegate, _ tag: Int, _ method: StaticString, deadline: Int64) -> Int? {
    for index in 0..<slots.count where slots[index].delegate == nil {
      let serial = (slots[index].serial + 1) & 0xFF_FFFF
      slots[index] = Slot(delegate: delegate, tag: tag, method: method, serial: serial, deadline: deadline)
      return serial * slots.count + index
    }
    return nil
  }

  /// Frees the slot of a request; nil when it has already ended.
  mutating func take(_ number: Int) -> Waiter? {
    guard number >= 0 else { return nil }
    let index = number % slots.count
    guard let delegate = slots[index].delegate, slots[index].serial == number / slots.count else { return nil }
    return free(index, delegate)
  }

  /// Frees a request whose timeout is over.
  mutating func takeDue(_ now: Int64) -> Waiter? {
    for index in 0..<slots.count {
      if let delegate = slots[index].delegate, slots[index].deadline <= now { return free(index, delegate) }
    }
    return nil
  }

  /// Frees any request.
  mutating func takeAny() -> Waiter? { takeDue(.max) }

  private mutating func free(_ index: Int, _ delegate: any RequestDelegate) -> Waiter {
    slots[index].delegate = nil
    let waiter = Waiter(delegate: delegate, tag: slots[index].tag, method: slots[index].method)
    slots[index].deadline = .max
    return waiter
  }

  var nextDeadline: Int64? {
    var earliest = Int64.max
    for index in 0..<slots.count where slots[index].delegate != nil { earliest = min(earliest, slots[index].deadline) }
    return earliest == .max ? nil : earliest
  }
}

/// Ids of requests: a letter and a number.
enum RequestID {
  /// Letters for a request with a delegate, and for the result of an invoke, whose response is not awaited.
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
