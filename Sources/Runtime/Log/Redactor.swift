/// Replaces known secrets in a line before it is written.
///
/// The second line of defense: code that handles a secret does not log it. This helps when a peer echoes a token in an
/// error message, or a later change logs one by mistake.
struct Redactor: ~Copyable {
  /// Shorter values are not hidden: replacing "a" everywhere would only ruin the log.
  private static let shortest = 6
  private static let mark: StaticString = "[hidden]"

  private let secrets: FixedBuffer
  private var lengths = InlineArray<24, Int>(repeating: 0)
  private var next = 0

  init() {
    precondition(Budget.logSecrets == 24)
    secrets = FixedBuffer(capacity: Budget.logSecrets * Budget.logSecretBytes)
  }

  /// Remembers a secret; the oldest of `Budget.logSecrets` is replaced.
  mutating func add(_ secret: UnsafeBufferPointer<UInt8>) {
    guard secret.count >= Self.shortest, place(of: secret) == nil else { return }
    put(secret, at: next)
    next = (next + 1) % Budget.logSecrets
  }

  /// Remembers a secret in place of an expired one, so that a secret which changes often does not replace others.
  mutating func add(_ secret: UnsafeBufferPointer<UInt8>, insteadOf old: UnsafeBufferPointer<UInt8>) {
    guard let place = place(of: old), secret.count >= Self.shortest else { return add(secret) }
    put(secret, at: place)
  }

  private mutating func put(_ secret: UnsafeBufferPointer<UInt8>, at index: Int) {
    lengths[index] = min(secret.count, Budget.logSecretBytes)
    (secrets.bytes.baseAddress! + index * Budget.logSecretBytes).update(
      from: secret.baseAddress!, count: lengths[index])
  }

  private func place(of secret: UnsafeBufferPointer<UInt8>) -> Int? {
    let count = min(secret.count, Budget.logSecretBytes)
    for index in 0..<Budget.logSecrets where lengths[index] == count && count > 0 {
      if agrees(index, with: secret, for: count) { return index }
    }
    return nil
  }

  /// Rewrites `line[..<count]` in place and returns the new length. It grows only for secrets shorter than the mark (8
  /// bytes), and then as far as the buffer allows.
  borrowing func redact(_ line: UnsafeMutableBufferPointer<UInt8>, count: Int) -> Int {
    // A full line may have been cut inside a secret, so its beginning may be at the end of the line.
    let isCut = count == line.count
    var count = count
    var position = 0
    while position < count {
      let length = secretLength(UnsafeBufferPointer(rebasing: line[position..<count]), isCut)
      if length > 0 { count = replace(line, position, length, count) }
      position += length > 0 ? Self.mark.utf8CodeUnitCount : 1
    }
    return count
  }

  /// Bytes to hide at the start of `text`: the longest secret there, as one may be the beginning of another.
  private func secretLength(_ text: UnsafeBufferPointer<UInt8>, _ isCut: Bool) -> Int {
    var longest = 0
    for index in 0..<Budget.logSecrets where lengths[index] > longest {
      let length = min(lengths[index], text.count)
      guard length == lengths[index] || isCut, agrees(index, with: text, for: length) else { continue }
      // Of secrets above `Budget.logSecretBytes` only the beginning is known, so everything after it may belong to the
      // secret.
      longest = length == Budget.logSecretBytes ? text.count : length
    }
    return longest
  }

  private func agrees(_ index: Int, with text: UnsafeBufferPointer<UInt8>, for length: Int) -> Bool {
    let secret = secrets.bytes.baseAddress! + index * Budget.logSecretBytes
    for offset in 0..<length where secret[offset] != text[offset] { return false }
    return true
  }

  private func replace(
    _ line: UnsafeMutableBufferPointer<UInt8>, _ position: Int, _ length: Int, _ count: Int
  ) -> Int {
    let mark = Self.mark.bytes
    let tail = max(min(count - position - length, line.count - position - mark.count), 0)
    let start = line.baseAddress! + position
    // `memmove` semantics: the tail moves either way. `update` handles overlap.
    start.advanced(by: mark.count).update(from: start + length, count: tail)
    let room = min(mark.count, line.count - position)
    start.update(from: mark.baseAddress!, count: room)
    return position + room + tail
  }
}
