import Codec
import Runtime

/// A link that arrives in pieces, because a line of the local socket is shorter than a link may be.
struct LinkTransfer: ~Copyable {
  private let memory: ReservedBuffer
  private var number: Int64 = 0
  private(set) var count = 0

  init() throws(Errno) { memory = try ReservedBuffer(capacity: Budget.linkBytes) }

  /// Adds a piece of the transfer of this number, which begins anew at offset 0. False when it is another one's place,
  /// or no text, or there is no more room.
  mutating func add(_ piece: borrowing JSONView, number: Int64, offset: Int64) -> Bool {
    if offset == 0 { (self.number, count) = (number, 0) }
    guard number == self.number, offset == Int64(count), let length = piece.stringLength else { return false }
    guard length <= memory.bytes.count - count else { return false }
    let rest = memory.bytes.extracting(count..<memory.bytes.count)
    guard let written = piece.copyString(into: rest) else { return false }
    count += written
    return true
  }

  /// What has arrived; valid until `clear`.
  var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(memory.bytes).extracting(0..<count) }

  mutating func clear() {
    count = 0
    memory.release()
  }
}
