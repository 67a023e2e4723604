/// Replaces known secrets in a line before anybody sees it.
///
/// The second line of defence: code that handles a secret does not log it. This holds when a peer
/// echoes a token in an error message, or a later change forgets.
struct Redactor: ~Copyable {
  /// Shorter values are not taken: hiding "a" everywhere would hide nothing and ruin the log.
  private static let shortest = 6

  private let secrets: FixedBuffer
  private var lengths = InlineArray<8, Int>(repeating: 0)
  private var next = 0

  init() {
    precondition(Budget.logSecrets == 8)
    secrets = FixedBuffer(capacity: Budget.logSecrets * Budget.logSecretBytes)
  }

  /// Remembers a secret; the oldest of `Budget.logSecrets` makes room.
  mutating func add(_ secret: UnsafeBufferPointer<UInt8>) {
    let count = min(secret.count, Budget.logSecretBytes)
    guard count >= Self.shortest else { return }
    for index in 0..<Budget.logSecrets where lengths[index] == count {
      if matches(index, UnsafeBufferPointer(rebasing: secret[..<count]), at: 0) { return }
    }
    (secrets.bytes.baseAddress! + next * Budget.logSecretBytes)
      .update(from: secret.baseAddress!, count: count)
    lengths[next] = count
    next = (next + 1) % Budget.logSecrets
  }

  /// Rewrites `line[..<count]` in place; answers the new length, never more than the old one for a
  /// secret of 8 bytes and more, and otherwise as much as fits.
  borrowing func redact(_ line: UnsafeMutableBufferPointer<UInt8>, count: Int) -> Int {
    var count = count
    for index in 0..<Budget.logSecrets where lengths[index] > 0 {
      var position = 0
      while position + lengths[index] <= count {
        if matches(index, UnsafeBufferPointer(rebasing: line[..<count]), at: position) {
          count = replace(line, position, lengths[index], count)
        }
        position += 1
      }
    }
    return count
  }

  private func matches(_ index: Int, _ text: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    let secret = secrets.bytes.baseAddress! + index * Budget.logSecretBytes
    for offset in 0..<lengths[index] where secret[offset] != text[position + offset] { return false }
    return true
  }

  private func replace(
    _ line: UnsafeMutableBufferPointer<UInt8>, _ position: Int, _ length: Int, _ count: Int
  ) -> Int {
    let mark = ("[hidden]" as StaticString).bytes
    let tail = min(count - position - length, line.count - position - mark.count)
    let start = line.baseAddress! + position
    // `memmove` semantics: the tail moves either way. `update` handles overlap.
    start.advanced(by: mark.count).update(from: start + length, count: max(tail, 0))
    let room = min(mark.count, line.count - position)
    start.update(from: mark.baseAddress!, count: room)
    return position + room + max(tail, 0)
  }
}
