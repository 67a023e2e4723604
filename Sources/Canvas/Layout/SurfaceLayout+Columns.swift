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
    alignment == .stretch ? width : min(self[child].most, width)
  }

  private func alignment(_ index: Int) -> Alignment {
    switch tree[index].type {
    case .column, .list: tree.word(index, "alignment", otherwise: Alignment.stretch)
    default: .stretch
    }
  }

  func columnHeight(_ index: Int, _ width: Int32) -> Int32 {
    columnHeight(index, width) { heightOf($0, width: $1) }
  }

  func leastColumnHeight(_ index: Int, _ width: Int32) -> Int32 {
    columnHeight(index, width) { leastHeight($0, width: $1) }
  }

  /// The heights of all children, each as `height` has it for its width, with the gaps between them.
  private func columnHeight(_ index: Int, _ width: Int32, _ height: (_ child: Int, _ width: Int32) -> Int32) -> Int32 {
    let alignment = alignment(index)
    var (sum, count): (Int32, Int32) = (0, 0)
    forEachChild(index) { child in
      sum += height(child, childWidth(child, alignment, width))
      count += 1
    }
    return sum + theme.gap * max(count - 1, 0)
  }

  func placeColumn(_ index: Int, _ rect: Rect, isDefinite: Bool) {
    let alignment = alignment(index)
    let distribution =
      tree[index].type == .column ? tree.word(index, "distribution", otherwise: Distribution.start) : .start
    var count = 0
    forEachChild(index) { _ in count += 1 }
    items.lend(count) { items in
      var child = tree[index].firstChild
      for place in items.indices {
        guard let found = child else { break }
        let width = childWidth(found, alignment, rect.width)
        let height = heightOf(found, width: width)
        // What scrolls gives way. Everything else keeps what it needs.
        let least = isDefinite ? leastHeight(found, width: width) : height
        // A weight counts only where there is a height to share (canvas reference 1.10, rule 5).
        items[place] = FlexItem(least: least, content: height, weight: isDefinite ? tree[found].weight : 0)
        child = tree[found].nextSibling
      }
      Flex.resolve(items, room: rect.height, gap: theme.gap, distribution)
      child = tree[index].firstChild
      for item in items {
        guard let found = child else { break }
        let (start, width) = across(alignment, min(self[found].most, rect.width), rect.width)
        place(
          found, Rect(rect.x + start, rect.y + item.start, width, item.length),
          isDefinite: isDefinite && (tree[found].weight > 0 || item.least < item.content || count == 1))
        child = tree[found].nextSibling
      }
    }
  }

  func placeList(_ index: Int, _ rect: Rect) {
    let alignment = alignment(index)
    var y: Int32 = 0
    forEachChild(index) { child in
      if y > 0 { y += theme.gap }
      let (start, width) = across(alignment, min(self[child].most, rect.width), rect.width)
      let height = heightOf(child, width: width)
      place(child, Rect(rect.x + start, rect.y + y, width, height), isDefinite: false)
      y += height
    }
    self[index].content = y
    self[index].isScrolling = y > rect.height
  }
}
