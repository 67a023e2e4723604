import Codec
import Runtime

extension Context2D {
  public func fill(evenOdd: Bool = false) { fill(path, evenOdd: evenOdd) }

  public func stroke() { stroke(path) }

  /// From here on only inside the path.
  public func clip(evenOdd: Bool = false) { clip(path, evenOdd: evenOdd) }

  func clip(_ path: VectorPath, evenOdd: Bool) {
    if !clips.add(path, evenOdd: evenOdd) { isCut = true }
    // Without room for another, no more is cut off than what is outside the rectangle around it.
    guard clips.count > state.clips else { return composer.clip(path.bounds()) }
    state.clips = clips.count
    apply(clip: clips.count - 1)
  }

  /// A place in pixels, which no transform changes.
  public func isPointInPath(_ x: Double, _ y: Double, evenOdd: Bool = false) -> Bool {
    x.isFinite && y.isFinite && path.contains(Place(x, y), evenOdd: evenOdd)
  }

  // MARK: Rectangles

  public func fillRect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite else { return }
    scratch.removeAll()
    add(rectangle: x, y, width, height, to: scratch)
    guard let rect = scratch.rectangle(), !state.operation.reachesBeyondSource else {
      return fill(scratch, evenOdd: false)
    }
    guard let source = source(of: state.fill) else { return }
    let area = rect.intersection(composer.bounds)
    guard !area.isEmpty else { return }
    for y in Int(area.y)..<Int(area.maxY) where limit.spend(Int(area.width)) {
      lay(Int32(y), area.x, area.width, .all, source)
    }
    hasChanged = true
  }

  public func strokeRect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width != 0 || height != 0 else { return }
    scratch.removeAll()
    if width == 0 || height == 0 {
      scratch.move(to: state.matrix.apply(x, y))
      scratch.line(to: state.matrix.apply(x + width, y + height))
    } else {
      add(rectangle: x, y, width, height, to: scratch)
    }
    stroke(scratch)
  }

  public func clearRect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite else { return }
    scratch.removeAll()
    add(rectangle: x, y, width, height, to: scratch)
    let area = composer.bounds.intersection(scratch.bounds())
    guard !area.isEmpty else { return }
    converter.begin(area)
    converter.add(scratch, count: scratch.count)
    converter.convert(evenOdd: false) { y, x, count, run in composer.clear(y, x, count, run) }
    hasChanged = true
  }

  // MARK: Shapes

  func fill(_ path: VectorPath, evenOdd: Bool) {
    let area = begin(path.bounds())
    guard !area.isEmpty, path.count > 0 || state.operation.reachesBeyondSource else { return }
    guard let source = source(of: state.fill) else { return }
    converter.add(path, count: path.count)
    if path.isCut { isCut = true }
    finish(source, evenOdd: evenOdd)
  }

  func stroke(_ path: VectorPath) {
    let pen = state.pen
    let reach = pen.width / 2 * max(pen.join == .miter ? pen.miterLimit : 1, 1.5) * state.matrix.reach + 2
    let bounds = path.bounds().inset(by: -Int32(clamping: reach.bounded(0, VectorPath.farthest)))
    guard !begin(bounds).isEmpty, let source = source(of: state.stroke) else { return }
    dasher.stroke(path, pen, state.matrix, in: composer.bounds)
    if path.isCut || dasher.isCut { isCut = true }
    finish(source, evenOdd: false)
  }

  /// Begins a shape inside a rectangle; gives what of it can be painted.
  func begin(_ bounds: Rect) -> Rect {
    var area = state.operation.reachesBeyondSource ? composer.bounds : composer.bounds.intersection(bounds)
    if limit.isOver { area = .empty }
    converter.begin(area)
    return area
  }

  /// What to paint with, at the opacity of the whole; nil: nothing.
  func source(of style: Style) -> PixelComposer.Source? {
    switch style {
    case .color(let color):
      let opacity = UInt8(clamping: Double(color.alpha) * state.alpha + 0.5)
      if opacity == 0, !state.operation.reachesBeyondSource { return nil }
      return .solid(Blend.premultiplied(color.opacity(opacity).argb))
    case .gradient(let handle):
      guard let index = gradients.find(handle) else { return nil }
      let gradient = gradients.gradient(index)
      let isReady = gradientPainter.begin(gradient, gradients.stops(index), state.matrix, alpha: state.alpha)
      return isReady ? .row(.gradient) : nil
    }
  }

  /// Paints the shape that stands in the converter.
  func finish(_ source: PixelComposer.Source, evenOdd: Bool) {
    converter.convert(evenOdd: evenOdd, allRows: state.operation.reachesBeyondSource) { y, x, count, run in
      lay(y, x, count, run, source)
    }
    if converter.isCut { isCut = true }
    hasChanged = true
  }

  private func lay(_ y: Int32, _ x: Int32, _ count: Int32, _ run: ScanConverter.Run, _ source: PixelComposer.Source) {
    switch source {
    case .solid: break
    case .row(.gradient): gradientPainter.row(y, x, into: composer.colors.run(0, Int(count)))
    case .row(.picture):
      limit.spend(Int(count) * sampler.steps)
      sampler.row(y, x, into: composer.colors.run(0, Int(count)))
    }
    composer.lay(y, x, count, run, source, state.operation)
  }

  // MARK: Layers

  /// What is drawn from here on goes to pixels of its own, until `endLayer`. False when there are no more of them.
  func beginLayer() -> Bool {
    guard let pixels = layers.begin(under: composer.canvas) else { return false }
    composer.begin(layer: pixels)
    return true
  }

  /// Lays what was drawn since `beginLayer` on what was there before.
  func endLayer(_ opacity: Double) {
    guard let below = layers.end() else { return }
    let layer = composer.end(on: below)
    limit.spend(layer.drawn.area)
    composer.merge(layer, opacity)
  }

  /// Makes of what was drawn since the last `beginLayer` a mask of the layer below: that stays as far as this is
  /// bright.
  func endMask() {
    guard let below = layers.end() else { return }
    let mask = composer.end(on: below)
    limit.spend(below.drawn.area)
    composer.multiply(by: mask)
  }
}
