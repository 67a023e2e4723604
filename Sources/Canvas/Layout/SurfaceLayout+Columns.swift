import A2UI
import Graphics

// Columns, and lists that go down.

extension SurfaceLayout {
  func columnWidths(_ index: Int, padding: Int32) -> (Int32, Int32) {
    var (least, most): (Int32, Int32) = (0, 0)
    forEachChild(index) { child in
      least = max(least, self[child].least)
      most = max(most, self[child].most)
    }
    return (least + 2 * padding, most + 2 * padding)
  }

  /// The width of a child: all of it, or its content's.
  private func childWidth(_ child: Int, _ alignment: Alignment, _ width: Int32) -> Int32 {
    let width = width - titleInset(child)
    return alignment == .stretch ? stretched(child, width) : min(self[child].most, width)
  }

  /// Buttons do not become bars across a wide card, and no line of a text is longer than can be read.
  private func stretched(_ child: Int, _ width: Int32) -> Int32 {
    guard tree[child].kind == .component else { return width }
    switch tree[child].type {
    case .modal: return openChild(child).map { stretched($0, width) } ?? width
    case .button where width > theme.px(360): return min(max(self[child].most, theme.px(120)), width)
    case .text: return min(width, theme.measure)
    default: return width
    }
  }

  /// Where a child begins across, and how wide it is.
  private func across(_ child: Int, _ alignment: Alignment, _ room: Int32) -> (start: Int32, width: Int32) {
    let width = childWidth(child, alignment, room)
    return alignment == .stretch ? (0, width) : across(alignment, width, room)
  }

  func columnHeight(_ index: Int, _ width: Int32) -> Int32 {
    columnHeight(index, width) { heightOf($0, width: $1) }
  }

  func leastColumnHeight(_ index: Int, _ width: Int32) -> Int32 {
    columnHeight(index, width) { leastHeight($0, width: $1) }
  }

  /// The heights of all children, each as `height` has it for its width, with the gaps between them.
  private func columnHeight(_ index: Int, _ width: Int32, _ height: (_ child: Int, _ width: Int32) -> Int32) -> Int32 {
    let alignment = self[index].style.alignment
    var sum: Int32 = 0
    forEachChildWithGap(index) { child, gap in sum += gap + height(child, childWidth(child, alignment, width)) }
    return sum
  }

  func placeColumn(_ index: Int, _ rect: Rect, isDefinite: Bool) {
    let alignment = self[index].style.alignment
    let distribution = self[index].style.distribution
    var count = 0
    forEachChild(index) { _ in count += 1 }
    items.lend(count) { items in
      var (child, upper): (Int?, Int?) = (tree[index].firstChild, nil)
      for place in items.indices {
        guard let found = child else { break }
        let width = childWidth(found, alignment, rect.width)
        let height = heightOf(found, width: width)
        // What scrolls gives way. Everything else keeps what it needs.
        let least = isDefinite ? leastHeight(found, width: width) : height
        // A weight counts only where there is a height to share (canvas reference 1.10, rule 5).
        items[place] = FlexItem(
          least: least, content: height, weight: isDefinite ? tree[found].weight : 0,
          gap: upper.map { gap(after: $0, before: found) } ?? 0)
        upper = found
        child = tree[found].nextSibling
      }
      Flex.resolve(items, room: rect.height, distribution)
      child = tree[index].firstChild
      for item in items {
        guard let found = child else { break }
        let (start, width) = across(found, alignment, rect.width)
        place(
          found, Rect(rect.x + start, rect.y + item.start, width, item.length),
          isDefinite: isDefinite && (tree[found].weight > 0 || item.least < item.content || count == 1))
        child = tree[found].nextSibling
      }
    }
  }

  func placeList(_ index: Int, _ rect: Rect) {
    let alignment = self[index].style.alignment
    var y: Int32 = 0
    forEachChildWithGap(index) { child, gap in
      y += gap
      let (start, width) = across(child, alignment, rect.width)
      let height = heightOf(child, width: width)
      place(child, Rect(rect.x + start, rect.y + y, width, height), isDefinite: false)
      y += height
    }
    self[index].content = y
    self[index].isScrolling = y > rect.height
  }
}
