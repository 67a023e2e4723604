import A2UI
import Graphics

// How far apart the children of a column stand: by what they have to do with each other.

extension SurfaceLayout {
  /// What a child is to those above and below it.
  private enum Part { case label, heading, text, prose, group, divider, picture, item }

  private func part(_ index: Int) -> Part {
    guard tree[index].kind == .component else { return .item }
    switch tree[index].type {
    case .text:
      let part = part(typeSize(of: index))
      return part == .text && isProse(index) ? .prose : part
    case .row: return line(index)
    case .card, .unknown, .tabs: return .group
    case .divider: return .divider
    case .icon, .image, .video: return .picture
    default: return .item
    }
  }

  private func part(_ size: Theme.TypeSize) -> Part {
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
  private func line(_ index: Int) -> Part {
    var (found, largest) = (Part.item, Int16(0))
    var isLine = true
    forEachChild(index) { child in
      switch tree[child].type {
      case .text where font(of: child).size > largest:
        (found, largest) = (part(typeSize(of: child)), font(of: child).size)
      case .text, .icon: break
      default: isLine = false
      }
    }
    return isLine ? found : .item
  }

  /// Pixels between a child of a column and the next one.
  func gap(after upper: Int, before lower: Int) -> Int32 {
    let (above, below) = (part(upper), part(lower))
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
    let part = part(next)
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
