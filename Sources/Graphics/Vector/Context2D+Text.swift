import Runtime

extension Context2D {
  /// A line of text; `maxWidth` nil: as wide as it is.
  public func fillText(_ text: Span<UInt8>, _ x: Double, _ y: Double, maxWidth: Double? = nil) {
    scratch.removeAll()
    if add(text, x, y, maxWidth, to: scratch) { fill(scratch, evenOdd: false) }
  }

  /// The outlines of a line of text.
  public func strokeText(_ text: Span<UInt8>, _ x: Double, _ y: Double, maxWidth: Double? = nil) {
    scratch.removeAll()
    if add(text, x, y, maxWidth, to: scratch) { stroke(scratch) }
  }

  public func measureText(_ text: Span<UInt8>) -> TextSize {
    guard let source = self.text else { return TextSize() }
    let metrics = source.metrics(of: state.font.outlineFont)
    let em = state.font.size / Double(CSSFont.outlineSize)
    return TextSize(
      width: width(of: text), ascent: Double(metrics.ascent) * em, descent: Double(metrics.descent) * em)
  }

  /// In units of the drawing.
  func width(of text: Span<UInt8>) -> Double {
    guard let source = self.text else { return 0 }
    return Double(source.advance(of: text, in: state.font.outlineFont)) / 64 * state.font.size
      / Double(CSSFont.outlineSize)
  }

  /// Adds the outlines of a text. False when there is nothing to draw.
  func add(_ text: Span<UInt8>, _ x: Double, _ y: Double, _ maxWidth: Double?, to path: VectorPath) -> Bool {
    guard let source = self.text, x.isFinite, y.isFinite, state.font.size > 0 else { return false }
    var width = self.width(of: text)
    var squeeze = 1.0
    if let maxWidth, !(maxWidth > 0) { return false }
    if let maxWidth, maxWidth < width {
      squeeze = maxWidth / width
      width = maxWidth
    }
    let start: Double
    switch state.align {
    case .start, .left: start = x
    case .end, .right: start = x - width
    case .center: start = x - width / 2
    }
    let metrics = source.metrics(of: state.font.outlineFont)
    let em = state.font.size / Double(CSSFont.outlineSize)
    let (ascent, descent) = (Double(metrics.ascent) * em, Double(metrics.descent) * em)
    let baseline: Double
    switch state.baseline {
    case .alphabetic: baseline = y
    case .top: baseline = y + ascent
    case .hanging: baseline = y + ascent * 0.8
    case .middle: baseline = y + (ascent - descent) / 2
    case .ideographic, .bottom: baseline = y - descent
    }
    source.layOut(text, in: state.font.outlineFont, into: line)
    let origin = state.matrix.applied(after: Matrix(squeeze, 0, 0, 1, start, baseline))
    for index in 0..<line.count {
      let glyph = line[index]
      guard source.outline(glyph, into: outline) else { continue }
      let (place, height) = (Double(glyph.x) / 64 * em, Double(glyph.y) / 64 * em)
      let size = state.font.size
      add(outline, origin.applied(after: Matrix(size, 0, 0, size, place, -height)), to: path)
    }
    return path.count > 0
  }

  private func add(_ outline: GlyphOutline, _ matrix: Matrix, to path: VectorPath) {
    func place(_ x: Float, _ y: Float) -> Place { matrix.apply(Double(x), Double(y)) }
    for index in 0..<outline.count {
      switch outline[index] {
      case .move(let x, let y):
        path.close()
        path.move(to: place(x, y))
      case .line(let x, let y): path.line(to: place(x, y))
      case .quadratic(let cx, let cy, let x, let y): path.quadratic(place(cx, cy), place(x, y))
      case .cubic(let x1, let y1, let x2, let y2, let x, let y):
        path.cubic(place(x1, y1), place(x2, y2), place(x, y))
      }
    }
    path.close()
  }
}
