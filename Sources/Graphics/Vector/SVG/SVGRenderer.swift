import Runtime

/// Goes over the elements of a drawing and draws them.
final class SVGRenderer {
  let tree: SVGTree
  let context: Context2D
  let pictures: SVG.PictureReader?
  var styler: SVGStyler
  var report = SVGReport()
  /// The styles of the elements around the place, which is at `depth`.
  private let styles: UnsafeMutableBufferPointer<SVGStyle>
  private(set) var depth = 0
  /// Elements so far: one that uses another twice, which does so too, could go on without end.
  private var steps = 0
  /// The opacity of groups that had no layer of their own.
  var fade = 1.0
  var textState = SVGTextState()

  init(_ tree: SVGTree, fonts: (any OutlineSource)?, pictures: SVG.PictureReader?) throws(Errno) {
    self.tree = tree
    self.pictures = pictures
    context = try Context2D(text: fonts, limit: tree.limit)
    styler = SVGStyler(tree: tree, rules: try SVGRules(tree))
    styles = .allocate(capacity: Budget.svgDepth + 1)
    styles.initialize(repeating: SVGStyle())
  }

  deinit {
    styles.deinitialize()
    styles.deallocate()
    textState.free()
  }

  var style: SVGStyle {
    _read { yield styles[depth] }
  }

  func render(_ size: Size) -> SVGReport {
    report.isCut = tree.isCut || styler.rules.isCut
    for node in 0..<tree.count where tree[node].kind == .script { report.hasScripts = true }
    let frame = SVGFrame(tree)
    let (width, height) = (Double(size.width), Double(size.height))
    if let box = SVGFrame.viewBox(tree, tree.root) {
      context.state.matrix = SVGFrame.fit(box, width, height, tree.value(tree.root, "preserveAspectRatio"))
      styler.reference = (box.a + box.d) / 2
    } else {
      context.state.matrix = .scaling(width / frame.width, height / frame.height)
      styler.reference = (frame.width + frame.height) / 2
    }
    if enter(tree.root) {
      group(tree.root) { children(of: tree.root) }
      leave()
    }
    if context.isCut { report.isCut = true }
    report.isLate = context.limit.isOver
    return report
  }

  // MARK: Elements

  /// Takes the style of an element; false when it is too deep, or there have been too many.
  func enter(_ node: Int) -> Bool {
    steps += 1
    // A style is looked for among all rules; what is read for it counts where it is read.
    guard context.limit.spend(styler.rules.count + 128) else { return false }
    guard depth < Budget.svgDepth, steps <= Budget.svgSteps else {
      report.isCut = true
      return false
    }
    styles[depth + 1] = styler.style(of: node, in: styles[depth])
    depth += 1
    return true
  }

  func leave() { depth -= 1 }

  func children(of node: Int) {
    var child = Int(tree[node].firstChild)
    while child >= 0 {
      draw(child)
      child = Int(tree[child].next)
    }
  }

  func draw(_ node: Int) {
    switch tree[node].kind {
    case .definitions, .symbol, .linearGradient, .radialGradient, .stop, .clipPath, .mask, .marker, .style, .script,
      .characters,
      .span, .other:
      return
    case .foreign: return report.hasHTML = true
    default: break
    }
    guard enter(node) else { return }
    defer { leave() }
    guard style.isDisplayed, style.opacity > 0, context.save() else { return }
    defer { context.restore() }
    if let text = tree.value(node, "transform") {
      // One that cannot be read hides the element.
      guard let matrix = SVGTransform.read(text.span) else { return }
      context.state.matrix = context.state.matrix.applied(after: matrix)
    }
    if style.clip >= 0 { clip(Int(style.clip), node) }
    if tree.value(node, "filter") != nil { report.hasEffects = true }
    guard style.mask >= 0 else { return content(node) }
    masked(by: Int(style.mask)) { content(node) }
  }

  private func content(_ node: Int) {
    switch tree[node].kind {
    case .group, .link: group(node) { children(of: node) }
    case .switching: group(node) { firstChild(of: node) }
    case .svg: group(node) { viewport(node, node) }
    case .use: group(node) { use(node) }
    case .text: if style.isVisible { group(node) { text(node) } }
    case .image: if style.isVisible { group(node) { image(node) } }
    default: shape(node)
    }
  }

  /// Of alternatives the first that can be drawn.
  private func firstChild(of node: Int) {
    var child = Int(tree[node].firstChild)
    while child >= 0 {
      if tree[child].kind == .foreign {
        report.hasHTML = true
      } else if tree[child].kind != .characters, tree[child].kind != .other {
        return draw(child)
      }
      child = Int(tree[child].next)
    }
  }

  /// Draws what fades as a whole on a layer of its own.
  func group(_ node: Int, _ body: () -> Void) {
    let opacity = style.opacity
    guard opacity < 1 else { return body() }
    if context.beginLayer() {
      body()
      return context.endLayer(opacity)
    }
    // Without a layer what lies over each other is seen through each other.
    let before = fade
    fade *= opacity
    body()
    fade = before
  }

  /// Draws as far as a mask is bright.
  private func masked(by mask: Int, _ body: () -> Void) {
    guard tree[mask].kind == .mask, context.beginLayer() else {
      report.hasEffects = true
      return body()
    }
    body()
    if context.beginLayer() {
      // A mask inside of itself finds no more layers, or is too deep.
      let before = fade
      fade = 1
      if enter(mask) {
        children(of: mask)
        leave()
      }
      fade = before
      context.endMask()
    } else {
      report.hasEffects = true
    }
    context.endLayer(1)
  }

  // MARK: Use

  private func use(_ node: Int) {
    guard let target = reference(node) else { return }
    context.translate(length(node, "x") ?? 0, length(node, "y") ?? 0)
    let kind = tree[target].kind
    guard kind == .symbol || kind == .svg else { return draw(target) }
    guard enter(target) else { return }
    viewport(target, node)
    leave()
  }

  /// The node that `href` names, inside the document.
  func reference(_ node: Int) -> Int? {
    guard let text = tree.value(node, "href") ?? tree.value(node, "xlink:href"), text.count > 1,
      text[0] == UInt8(ascii: "#")
    else { return nil }
    return tree.find(id: text.extracting(1...))
  }

  /// A drawing inside the drawing; its size is what `sized` says.
  private func viewport(_ node: Int, _ sized: Int) {
    if sized == node { context.translate(length(node, "x") ?? 0, length(node, "y") ?? 0) }
    let box = SVGFrame.viewBox(tree, node)
    let width = length(sized, "width") ?? length(node, "width") ?? box?.a
    let height = length(sized, "height") ?? length(node, "height") ?? box?.d
    guard let box, let width, let height else { return children(of: node) }
    guard width > 0, height > 0 else { return }
    context.path.removeAll()
    context.add(rectangle: 0, 0, width, height, to: context.path)
    context.clip()
    let fit = SVGFrame.fit(box, width, height, tree.value(node, "preserveAspectRatio"))
    context.state.matrix = context.state.matrix.applied(after: fit)
    let before = styler.reference
    styler.reference = (box.a + box.d) / 2
    children(of: node)
    styler.reference = before
  }

  /// A length that an attribute says; nil when it says none.
  func length(_ node: Int, _ name: StaticString) -> Double? {
    guard let text = tree.value(node, name) else { return nil }
    guard let length = styler.length(text.span, style.font.size), length.isFinite else { return nil }
    return length
  }
}
