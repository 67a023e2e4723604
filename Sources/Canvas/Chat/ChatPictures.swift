import Runtime

/// The addresses of the pictures of a conversation: the last few, because each may hold the whole picture (`data:`). A
/// picture has a number, which rises; the oldest makes room for a new one.
public final class ChatPictures {
  private let slots: [ReservedBuffer]
  private var counts: [Int]
  private var numbers: [Int]
  private var last = 0

  /// Reserves its memory; throws when the address space is full.
  @export(interface)
  public init() throws(Errno) {
    var slots: [ReservedBuffer] = []
    for _ in 0..<Budget.chatPictures { slots.append(try ReservedBuffer(capacity: Budget.chatPictureCharacters)) }
    self.slots = slots
    counts = Array(repeating: 0, count: slots.count)
    numbers = Array(repeating: 0, count: slots.count)
  }

  /// Adds the address that `write` puts into the buffer; its number, or nil when `write` has none.
  public func add(_ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Int? {
    let slot = last % slots.count
    (numbers[slot], counts[slot]) = (0, 0)
    guard let count = write(slots[slot].bytes), count > 0 else {
      slots[slot].release()
      return nil
    }
    last += 1
    (numbers[slot], counts[slot]) = (last, count)
    return last
  }

  /// The address of a picture; empty when it has made room.
  func address(_ number: Int) -> UnsafeBufferPointer<UInt8> {
    for slot in 0..<slots.count where numbers[slot] == number && number > 0 {
      return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(slots[slot].bytes)[..<counts[slot]])
    }
    return UnsafeBufferPointer(start: nil, count: 0)
  }

  /// Forgets all, and gives their memory back.
  public func removeAll() {
    for slot in 0..<slots.count {
      if counts[slot] > 0 { slots[slot].release() }
      (numbers[slot], counts[slot]) = (0, 0)
    }
  }
}
