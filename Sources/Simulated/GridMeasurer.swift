import Canvas
import Graphics

/// Measures text with characters half as wide as high, for tests of layout.
public final class GridMeasurer: TextMeasurer {
  @export(interface)
  public init() {}

  public func metrics(of font: Font) -> FontMetrics {
    FontMetrics(ascent: Int32(font.size) * 4 / 5, descent: Int32(font.size) / 5)
  }

  public func advance(of text: Span<UInt8>, in font: Font) -> Int32 {
    var characters: Int32 = 0
    for index in 0..<text.count where text[index] & 0xC0 != 0x80 { characters += 1 }
    return characters * Int32(font.size) * 32
  }

  public func fit(_ text: Span<UInt8>, in font: Font, width: Int32) -> Int {
    var room = width / (Int32(font.size) * 32)
    var index = 0
    while index < text.count {
      if text[index] & 0xC0 != 0x80 {
        guard room > 0 else { break }
        room -= 1
      }
      index += 1
    }
    return index
  }

  /// Of ASCII's letters, and of Hebrew and Arabic ones.
  public func direction(of text: Span<UInt8>) -> TextDirection? {
    for index in 0..<text.count {
      switch text[index] {
      case 0x41...0x5A, 0x61...0x7A: return .leftToRight
      case 0xD7...0xDB: return .rightToLeft
      default: continue
      }
    }
    return nil
  }
}
