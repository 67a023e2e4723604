import Graphics
import Runtime

/// Texts that were entered where a component is bound to nothing, and those of filters. Of a fixed size: the one that
/// was not used for longest makes room for a new one.
final class FieldTexts {
  private struct Slot {
    var key: UInt64 = 0
    var surface: UInt32 = 0
    var count = 0
    var lastUse: UInt32 = 0
  }

  private let buffer: ReservedBuffer
  private var slots = InlineArray<16, Slot>(repeating: Slot())
  private var count = 0
  private var uses: UInt32 = 0

  /// Reserves its memory; throws when the address space is full.
  init() throws(Errno) { buffer = try ReservedBuffer(capacity: Budget.fieldTexts * Budget.fieldBytes) }

  private func slot(_ key: UInt64, _ surface: UInt32) -> Int? {
    for index in 0..<count where slots[index].key == key && slots[index].surface == surface { return index }
    return nil
  }

  private func bytes(_ slot: Int) -> UnsafeMutableBufferPointer<UInt8> {
    buffer.bytes.extracting(slot * Budget.fieldBytes..<(slot + 1) * Budget.fieldBytes)
  }

  /// The text of a widget; nil when nothing was entered.
  @_lifetime(immortal)
  func text(_ key: UInt64, _ surface: UInt32) -> Span<UInt8>? {
    guard let slot = slot(key, surface) else { return nil }
    return _overrideLifetime(UnsafeBufferPointer(bytes(slot)).extracting(0..<slots[slot].count).span, copying: ())
  }

  /// Keeps the text of a widget, as much of it as there is room for.
  func set(_ key: UInt64, _ surface: UInt32, to text: Span<UInt8>) {
    let slot = slot(key, surface) ?? room()
    let length = Characters.boundary(text, min(text.count, Budget.fieldBytes))
    let bytes = bytes(slot)
    for index in 0..<length { bytes[index] = text[index] }
    uses += 1
    slots[slot] = Slot(key: key, surface: surface, count: length, lastUse: uses)
  }

  private func room() -> Int {
    if count < Budget.fieldTexts {
      count += 1
      return count - 1
    }
    var oldest = 0
    for index in 1..<count where slots[index].lastUse < slots[oldest].lastUse { oldest = index }
    return oldest
  }
}
