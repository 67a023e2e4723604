import A2UI
import Graphics

// How far apart the children of a column stand: by what they have to do with each other.

extension SurfaceLayout {
  /// What an instance says about its layout; that of its children is known.
  func style(of index: Int) -> BoxStyle {
    var style = BoxStyle()
    guard tree[index].kind == .component else { return style }
    switch tree[index].type {
    case .text:
      style.part = part(typeSize(of: index))
      style.fontSize = font(of: index).size
      if style.part == .text, isProse(index) { style.part = .prose }
    case .row:
      style.part = line(index)
      style.alignment = tree.word(index, "alignment", otherwise: .stretch)
      style.distribution = tree.word(index, "distribution", otherwise: .start)
    case .column:
      style.alignment = tree.word(index, "alignment", otherwise: .stretch)
      style.distribution = tree.word(index, "distribution", otherwise: .start)
    case .list:
      style.alignment = tree.word(index, "alignment", otherwise: .stretch)
      style.isHorizontal = tree.word(index, "direction", otherwise: Axis.vertical) == .horizontal
    case .card, .unknown, .tabs: style.part = .group
    case .divider: style.part = .divider
    case .icon, .image, .video: style.part = .picture
    default: break
    }
    return style
  }

  private func part(_ size: Theme.TypeSize) -> BoxStyle.Part {
    switch size {
    case .caption: .label
    case .body: .text
    default: .heading
    }
  }

  /// A text of sentences, which is no value that a label stands over.
  private func isProse(_ index: Int) -> Bool {
    let tree = tree
    guard let text = tree.string(index, "text") else { return false }
    return text.count > 48
  }

  /// A row of texts and icons is what its largest text is.
  private func line(_ index: Int) -> BoxStyle.Part {
    var (found, largest) = (BoxStyle.Part.item, Int16(0))
    var isLine = true
    forEachChild(index) { child in
      let style = self[child].style
      switch tree[child].type {
      case .text where style.fontSize > largest:
        (found, largest) = (style.part == .prose ? .text : style.part, style.fontSize)
      case .text, .icon: break
      default: isLine = false
      }
    }
    return isLine ? found : .item
  }

  /// Pixels between a child of a column and the next one.
  func gap(after upper: Int, before lower: Int) -> Int32 {
    let (above, below) = (self[upper].style.part, self[lower].style.part)
    if below == .label, above == .heading || above == .text, isLabelOfNext(lower) { return theme.gap }
    return switch (above, below) {
    case (.group, _), (_, .group): theme.groupGap
    case (.label, .heading): theme.px(2)
    case (.label, .text), (.label, .label), (.text, .label), (.heading, .label), (.heading, .text): theme.px(4)
    case (.heading, .prose): theme.px(6)
    // A heading begins another group.
    case (.text, .heading), (.prose, .heading), (.item, .heading): theme.sectionGap
    default: theme.gap
    }
  }

  /// A label with a value under it, which is not what the text above it says more of.
  private func isLabelOfNext(_ index: Int) -> Bool {
    guard let next = tree[index].nextSibling else { return false }
    let part = self[next].style.part
    return part == .heading || part == .text
  }

  /// Goes over the children of a column, each with what is free above it.
  func forEachChildWithGap(_ index: Int, _ body: (_ child: Int, _ gap: Int32) -> Void) {
    var upper: Int?
    forEachChild(index) { child in
      body(child, upper.map { gap(after: $0, before: child) } ?? 0)
      upper = child
    }
  }
}
