import Codec
import Runtime

extension SVGRenderer {
  /// Draws a shape with what its style says.
  func shape(_ node: Int) {
    guard style.isVisible else { return }
    let path = context.path
    path.removeAll()
    outline(node, path)
    guard path.count > 0 else { return }
    var (hasFill, hasStroke) = (true, true)
    if case .none = style.fill { hasFill = false }
    if case .none = style.stroke { hasStroke = false }
    if tree[node].kind == .line { hasFill = false }
    if style.pen.width <= 0 { hasStroke = false }
    guard hasFill || hasStroke else { return }
    if style.opacity < 1, !(hasFill && hasStroke) {
      // Nothing lies over each other: no layer is needed.
      let before = fade
      fade *= style.opacity
      paint(path, hasFill, hasStroke)
      fade = before
    } else {
      group(node) { paint(path, hasFill, hasStroke) }
    }
    report.drawn += 1
  }

  private func paint(_ path: VectorPath, _ hasFill: Bool, _ hasStroke: Bool) {
    if hasFill, set(style.fill, path, isStroke: false) {
      context.state.alpha = style.fillOpacity * fade
      context.fill(path, evenOdd: style.isEvenOdd)
    }
    if hasStroke, set(style.stroke, path, isStroke: true) {
      context.state.alpha = style.strokeOpacity * fade
      context.state.pen = style.pen
      context.stroke(path)
    }
  }

  /// Adds the outline of an element, in pixels.
  func outline(_ node: Int, _ path: VectorPath) {
    switch tree[node].kind {
    case .path:
      guard let text = tree.value(node, "d") else { return }
      var reader = SVGPathReader(text.span, path, context.state.matrix)
      reader.read()
    case .rect: rectangle(node, path)
    case .circle:
      let radius = length(node, "r") ?? 0
      ellipse(node, radius, radius, path)
    case .ellipse: ellipse(node, length(node, "rx") ?? 0, length(node, "ry") ?? 0, path)
    case .line:
      let matrix = context.state.matrix
      path.move(to: matrix.apply(length(node, "x1") ?? 0, length(node, "y1") ?? 0))
      path.line(to: matrix.apply(length(node, "x2") ?? 0, length(node, "y2") ?? 0))
    case .polyline: points(node, path, isClosed: false)
    case .polygon: points(node, path, isClosed: true)
    default: return
    }
  }

  private func rectangle(_ node: Int, _ path: VectorPath) {
    let (width, height) = (length(node, "width") ?? 0, length(node, "height") ?? 0)
    guard width > 0, height > 0 else { return }
    let (x, y) = (length(node, "x") ?? 0, length(node, "y") ?? 0)
    let (across, down) = (length(node, "rx"), length(node, "ry"))
    let rx = min(max(across ?? down ?? 0, 0), width / 2)
    let ry = min(max(down ?? across ?? 0, 0), height / 2)
    if rx > 0, ry > 0 {
      context.addRound(x, y, width, height, InlineArray<4, Place>(repeating: Place(rx, ry)), to: path)
    } else {
      context.add(rectangle: x, y, width, height, to: path)
    }
  }

  private func ellipse(_ node: Int, _ rx: Double, _ ry: Double, _ path: VectorPath) {
    guard rx > 0, ry > 0 else { return }
    let center = Matrix(rx, 0, 0, ry, length(node, "cx") ?? 0, length(node, "cy") ?? 0)
    let matrix = context.state.matrix.applied(after: center)
    path.move(to: matrix.apply(1, 0))
    path.arc(matrix, from: 0, sweep: 2 * Trigonometry.pi, reach: matrix.reach)
    path.close()
  }

  private func points(_ node: Int, _ path: VectorPath, isClosed: Bool) {
    guard let text = tree.value(node, "points") else { return }
    var reader = TextReader(text.span)
    var isFirst = true
    reader.skipComma()
    while let x = reader.number() {
      reader.skipComma()
      guard let y = reader.number() else { break }
      reader.skipComma()
      let place = context.state.matrix.apply(x, y)
      if isFirst { path.move(to: place) } else { path.line(to: place) }
      isFirst = false
    }
    if isClosed { path.close() }
  }

  // MARK: Clips

  /// Cuts off what is outside the shapes of a `clipPath`, which an element asks for.
  func clip(_ node: Int, _ element: Int) {
    guard tree[node].kind == .clipPath, context.save() else { return }
    let path = context.scratch
    if let units = tree.value(node, "clipPathUnits"), units.span.isText("objectBoundingBox") {
      path.removeAll()
      outline(element, path)
      context.state.matrix = context.state.matrix.applied(after: box(of: path))
    }
    if let text = tree.value(node, "transform"), let matrix = SVGTransform.read(text.span) {
      context.state.matrix = context.state.matrix.applied(after: matrix)
    }
    path.removeAll()
    var isEvenOdd = false
    var child = Int(tree[node].firstChild)
    while child >= 0 {
      var target = child
      if tree[child].kind == .use, let used = reference(child) { target = used }
      if enter(child) {
        if style.isDisplayed, context.save() {
          for part in 0..<(target == child ? 1 : 2) {
            let source = part == 0 ? child : target
            if let text = tree.value(source, "transform"), let matrix = SVGTransform.read(text.span) {
              context.state.matrix = context.state.matrix.applied(after: matrix)
            }
            if part == 0, target != child {
              context.translate(length(child, "x") ?? 0, length(child, "y") ?? 0)
            }
          }
          outline(target, path)
          if style.isClipEvenOdd { isEvenOdd = true }
          context.restore()
        }
        leave()
      }
      child = Int(tree[child].next)
    }
    context.restore()
    context.clip(path, evenOdd: isEvenOdd)
  }

  // MARK: Paint

  /// The rectangle around a path, in units of the drawing, as the place of the unit square.
  func box(of path: VectorPath) -> Matrix {
    guard path.count > 0, let inverse = context.state.matrix.inverse else { return .identity }
    let first = inverse.apply(path[0].x, path[0].y)
    var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
    for index in 0..<path.count {
      let place = inverse.apply(path[index].x, path[index].y)
      left = min(left, place.x)
      right = max(right, place.x)
      top = min(top, place.y)
      bottom = max(bottom, place.y)
    }
    return Matrix(right - left, 0, 0, bottom - top, left, top)
  }

  /// Sets what to paint with; false: nothing.
  func set(_ paint: SVGStyle.Paint, _ path: VectorPath, isStroke: Bool) -> Bool {
    switch paint {
    case .none: return false
    case .color(let color): set(.color(color), isStroke)
    case .server(let node, let fallback):
      if let style = gradient(Int(node), path) {
        set(style, isStroke)
        // The state has it now.
        context.gradients.release(style)
      } else if let fallback {
        set(.color(fallback), isStroke)
      } else {
        report.hasEffects = true
        return false
      }
    }
    return true
  }

  private func set(_ style: Context2D.Style, _ isStroke: Bool) {
    if isStroke { context.setStroke(style) } else { context.setFill(style) }
  }

  /// A gradient, or the only color that it comes to; nil when there is none.
  private func gradient(_ node: Int, _ path: VectorPath) -> Context2D.Style? {
    let kind = tree[node].kind
    guard kind == .linearGradient || kind == .radialGradient else { return nil }
    let chain = GradientChain(self, node)
    var gradient = VectorGradient()
    let isBox = chain.value("gradientUnits").map { !$0.span.isText("userSpaceOnUse") } ?? true
    if isBox {
      let box = box(of: path)
      guard box.a != 0, box.d != 0 else { return nil }
      gradient.matrix = box
    }
    if let text = chain.value("gradientTransform"), let matrix = SVGTransform.read(text.span) {
      gradient.matrix = gradient.matrix.applied(after: matrix)
    }
    if let spread = chain.value("spreadMethod") {
      gradient.spread = spread.span.isText("reflect") ? .reflect : spread.span.isText("repeat") ? .repeated : .pad
    }
    func length(_ name: StaticString, _ usual: Double) -> Double {
      var styler = self.styler
      if isBox { styler.reference = 1 }
      guard let text = chain.value(name) else { return usual * styler.reference }
      return styler.length(text.span, style.font.size) ?? usual
    }
    if kind == .linearGradient {
      (gradient.x0, gradient.y0) = (length("x1", 0), length("y1", 0))
      (gradient.x1, gradient.y1) = (length("x2", 1), length("y2", 0))
    } else {
      gradient.kind = .radial
      (gradient.x1, gradient.y1, gradient.r1) = (length("cx", 0.5), length("cy", 0.5), max(length("r", 0.5), 0))
      gradient.x0 = chain.value("fx") == nil ? gradient.x1 : length("fx", 0)
      gradient.y0 = chain.value("fy") == nil ? gradient.y1 : length("fy", 0)
    }
    guard let stops = chain.stops, let handle = context.gradients.add(gradient) else { return nil }
    let last = add(stops, to: context.gradients.find(handle)!)
    guard last != nil, !gradient.isEmpty else {
      // Without a direction it is its last color.
      context.drop(handle)
      return last.map { .color($0) }
    }
    return .gradient(handle)
  }

  /// Adds the stops of a gradient; gives the last one's color.
  private func add(_ node: Int, to gradient: Int) -> Color? {
    var last: Color?
    var offset = 0.0
    var child = Int(tree[node].firstChild)
    while child >= 0 {
      if tree[child].kind == .stop, enter(child) {
        var place = 0.0
        if let text = tree.value(child, "offset") {
          var reader = TextReader(text.span)
          reader.skipBlanks()
          place = reader.number() ?? 0
          if reader.next == UInt8(ascii: "%") { place /= 100 }
        }
        // Each is at least as far along as those before it.
        offset = max(offset, min(max(place, 0), 1))
        let opacity = UInt8(clamping: Double(style.stopColor.alpha) * style.stopOpacity + 0.5)
        let color = style.stopColor.opacity(opacity)
        if !context.gradients.add(VectorGradient.Stop(offset: offset, color: color), to: gradient) {
          report.isCut = true
        }
        last = color
        leave()
      }
      child = Int(tree[child].next)
    }
    return last
  }
}

/// A gradient and those that it takes after (`href`), the first first.
private struct GradientChain {
  private let tree: SVGTree
  private var nodes = InlineList<8, Int>()

  init(_ renderer: SVGRenderer, _ node: Int) {
    tree = renderer.tree
    nodes.append(node)
    while let next = renderer.reference(nodes[nodes.count - 1]), nodes.append(next) {}
  }

  func value(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
    for index in 0..<nodes.count {
      if let value = tree.value(nodes[index], name) { return value }
    }
    return nil
  }

  /// The first node that has stops.
  var stops: Int? {
    for index in 0..<nodes.count {
      var child = Int(tree[nodes[index]].firstChild)
      while child >= 0 {
        if tree[child].kind == .stop { return nodes[index] }
        child = Int(tree[child].next)
      }
    }
    return nil
  }
}
