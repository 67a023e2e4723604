import CFreeType
import Canvas
import Graphics
import Runtime

extension FontShelf: OutlineSource {
  /// See `OutlineSource`.
  public func outline(_ glyph: PlacedGlyph, into outline: GlyphOutline) -> Bool {
    outline.removeAll()
    if glyph.face == Self.missing { return MissingGlyph.outline(glyph.glyph, into: outline) }
    // Large enough that rounding to 1/64 pixel is invisible.
    let size: Int32 = 512
    let count = tl_face_outline(
      faces[Int(glyph.face)].handle, glyph.glyph, size, glyph.isBold ? 1 : 0, glyph.isSlanted ? 1 : 0, steps,
      Int32(Budget.outlineSteps))
    guard count > 0 else { return false }
    func share(_ value: Int32) -> Float { Float(value) / Float(64 * size) }
    for index in 0..<Int(count) {
      let step = steps[index]
      let (x, y) = (share(step.x), -share(step.y))
      let isKept: Bool
      switch step.kind {
      case 0: isKept = outline.add(.move(x, y))
      case 1: isKept = outline.add(.line(x, y))
      case 2: isKept = outline.add(.quadratic(share(step.x1), -share(step.y1), x, y))
      default: isKept = outline.add(.cubic(share(step.x1), -share(step.y1), share(step.x2), -share(step.y2), x, y))
      }
      if !isKept { return false }
    }
    return true
  }
}
