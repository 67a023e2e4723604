import Codec

// `styles` of `beginRendering`. Texts are valid until the next push.

extension SurfaceStore {
  /// `primaryColor` as 0xRRGGBB, written `#RRGGBB` or `#RGB`; nil when there is none.
  public func primaryColor(_ surface: Surface) -> UInt32? {
    style(surface, "primaryColor")?.hexColor
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

extension UnsafeBufferPointer where Element == UInt8 {
  /// 0xRRGGBB of `#RRGGBB` or `#RGB`; nil for anything else.
  var hexColor: UInt32? {
    guard count == 7 || count == 4, self[0] == UInt8(ascii: "#") else { return nil }
    var color: UInt32 = 0
    for byte in dropping(1) {
      guard let digit = byte.hexValue.map(UInt32.init) else { return nil }
      color = count == 4 ? color << 8 | digit * 0x11 : color << 4 | digit
    }
    return color
  }
}
