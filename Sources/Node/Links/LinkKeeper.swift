import Codec
import Runtime

/// Gets the end of a write of the board's own key for links.
protocol LinkKeeperDelegate: AnyObject {
  /// `failure` nil: the key is on flash. Otherwise that is tried again.
  func linkKeyKept(_ failure: StoreError?)
}

/// The board's own key for links: 32 random bytes as URL-safe base64 without padding, on flash. Links that carry it
/// need no confirmation. A board has none until somebody asks for one.
final class LinkKeeper: RecordDelegate {
  private static let name: StaticString = "link-key"

  private let memory = FixedBuffer(capacity: Budget.linkKeyRecordBytes)
  private let kept: Kept
  private let random: any RandomSource
  private let log: Log
  /// Empty without one.
  private(set) var key = InlineText<43>()
  private var isOnFlash = true
  unowned(unsafe) var delegate: (any LinkKeeperDelegate)?

  init(store: any RecordStore, runner: any JobRunner, clock: any Clock, random: any RandomSource, log: Log) {
    self.random = random
    self.log = log
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "links", "the key for links")
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// Reads the key. Blocks: at start only.
  func load() {
    do throws(StoreError) {
      guard let (count, _) = try kept.load(Self.name) else { return }
      let characters = Budget.linkKeyCharacters
      guard count >= characters else { throw .torn }
      for index in 0..<characters where !Self.isCharacter(memory.bytes[index]) { throw .torn }
      take(kept.prefix(characters))
    } catch {
      log.write(.warning, "links", "the key for links cannot be read: every link asks; talon open --key makes another")
    }
  }

  private func take(_ text: UnsafeBufferPointer<UInt8>) {
    let old = key
    key.set(Span(_unsafeElements: text))
    // Whoever has the key can speak to the agent in this board's name.
    let span = old.span
    span.withUnsafeBufferPointer { old in old.isEmpty ? log.hide(text) : log.hide(text, insteadOf: old) }
  }

  private static func isCharacter(_ byte: UInt8) -> Bool {
    byte.isDigit || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// Makes another key, which counts at once.
  func renew() {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    span.withUnsafeMutableBytes { random.fill($0) }
    var text = InlineArray<43, UInt8>(repeating: 0)
    var output = text.mutableSpan
    output.withUnsafeMutableBufferPointer { _ = Base64.url.encode(bytes.span, into: $0) }
    let written = text.span
    written.withUnsafeBufferPointer { take($0) }
    isOnFlash = false
    kept.changed()
  }

  var isSettled: Bool { kept.isSettled }
  var nextDeadline: Int64? { kept.nextDeadline }
  func advance(to now: Int64) { kept.advance(to: now) }
  func flush() { kept.flush() }

  // MARK: RecordDelegate

  func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard !isOnFlash else { return nil }
    isOnFlash = true
    let text = key
    for index in 0..<text.count { bytes[index] = text.span[index] }
    // Twice: the generation before must not have a key that counts no more.
    return RecordOrder(Self.name.bytes, text.count, writes: 2)
  }

  func recordKept(_ failure: StoreError?) {
    if failure != nil { isOnFlash = false }
    delegate?.linkKeyKept(failure)
  }
}
