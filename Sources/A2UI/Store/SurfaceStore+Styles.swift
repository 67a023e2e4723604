import Codec

// `styles` of `beginRendering`. A text that is there stays until the next push.

extension SurfaceStore {
  /// `primaryColor` as 0xRRGGBB, written `#RRGGBB` or `#RGB`; nil when there is none.
  public func primaryColor(_ surface: Surface) -> UInt32? {
    guard let text = style(surface, "primaryColor"), text.count == 7 || text.count == 4 else { return nil }
    guard text[0] == UInt8(ascii: "#") else { return nil }
    let isShort = text.count == 4
    var color: UInt32 = 0
    for byte in text.dropping(1) {
      guard let digit = byte.hexDigit else { return nil }
      color = isShort ? color << 8 | digit * 0x11 : color << 4 | digit
    }
    return color
  }

  /// `font`: the name of a family.
  @_lifetime(immortal)
  public func font(_ surface: Surface) -> Span<UInt8>? {
    guard let text = style(surface, "font") else { return nil }
    return span(text)
  }

  /// `logoUrl`
  @_lifetime(immortal)
  public func logoURL(_ surface: Surface) -> Span<UInt8>? {
    guard let text = style(surface, "logoUrl") else { return nil }
    return span(text)
  }

  private func style(_ surface: Surface, _ name: StaticString) -> Bytes? {
    let styles = bytes(surface, .styles)
    if styles.isEmpty { return nil }
    return unescaped(JSONView(Span(_unsafeElements: styles)).member(name))
  }
}

extension UInt8 {
  fileprivate var hexDigit: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self) - 0x30
    case 0x41...0x46: UInt32(self) - 0x41 + 10
    case 0x61...0x66: UInt32(self) - 0x61 + 10
    default: nil
    }
  }
}
