import Runtime

/// A name of the device, its model or its system: `HOST_NAME_MAX` is 64, models and versions have fewer than 128 bytes.
public typealias DeviceText = InlineText<128>

extension InlineText {
  /// As much of `text` as there is room for, cut at a character's edge.
  public init(cutting text: Span<UInt8>) {
    self.init()
    var end = min(text.count, capacity)
    if end < text.count {
      while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
    }
    set(text.extracting(0..<end))
  }

  /// A literal, cut as above.
  public init(cutting text: StaticString) { self.init(cutting: Span(_unsafeElements: text.bytes)) }

  /// A string, cut as above. For start-up.
  public init(cutting text: String) { self.init(cutting: text.utf8.span) }
}
