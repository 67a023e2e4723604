import A2UI
import Codec
import Graphics

// Rows, which wrap only where not even their words fit (canvas reference 1.10, rule 10), and lists that go to the
// right.

extension SurfaceLayout {
  func rowWidths(_ index: Int) -> (Int32, Int32) {
    var (least, most, count): (Int32, Int32, Int32) = (0, 0, 0)
    forEachChild(index) { child in
      least = max(least, self[child].least)
      most += self[child].most
      count += 1
    }
    return (least, most + theme.gap * max(count - 1, 0))
  }

  /// How far a list to the right lets one of its items reach: 80 % of it, or 400 of the reference's pixels.
  private func stripItemMost(_ width: Int32) -> Int32 { min(width * 4 / 5, theme.px(400)) }

  // MARK: Lines of a row

  /// True when each child of a line has a weight and only shows something. Then their widths are those of their weights
  /// (CSS `flex: weight 1 0%`), so that rows with the same weights have the same columns, whatever stands in them:
  /// words are broken. Beside others, and beside what a person operates, each keeps its longest word.
  private func isShared(from first: Int, _ count: Int) -> Bool {
    var (child, left): (Int?, Int) = (first, count)
    while let place = child, left > 0 {
      if !isShare(place) { return false }
      child = tree[place].nextSibling
      left -= 1
    }
    return true
  }

  private func isShare(_ child: Int) -> Bool { tree[child].weight > 0 && self[child].isFluid }

  /// The least width of each child of a line that is shared, some letters: the same for all, for it must not depend on
  /// what stands in them. All of them fit.
  private func sharedLeast(_ count: Int, _ width: Int32) -> Int32 {
    let count = Int32(clamping: max(count, 1))
    return min(theme.px(32), max(width - theme.gap * (count - 1), 0) / count)
  }

  /// The first child of the next line and how many stand in this one, which begins with `first`.
  private func line(from first: Int, width: Int32) -> (next: Int?, count: Int) {
    // All in one when their words fit beside each other, or some letters of each where all are shares.
    var (words, letters, count): (Int32, Int32, Int32) = (0, 0, 0)
    var (child, isShared): (Int?, Bool) = (first, true)
    while let place = child {
      let gap = count > 0 ? theme.gap : 0
      words = words.adding(clamping: self[place].least + gap)
      letters += min(self[place].least, theme.px(32)) + gap
      count += 1
      isShared = isShared && isShare(place)
      if letters > width || !isShared && words > width { break }
      child = tree[place].nextSibling
    }
    if (isShared ? letters : words) <= width { return (nil, Int(count)) }
    var (used, taken): (Int32, Int) = (0, 0)
    child = first
    while let place = child {
      let wanted = min(self[place].most, width) + (taken > 0 ? theme.gap : 0)
      if taken > 0, used + wanted > width { break }
      used += wanted
      taken += 1
      child = tree[place].nextSibling
    }
    return (child, taken)
  }

  /// Goes over the lines of a row; of each it tells the children, with widths and starts, as flex items.
  private func forEachLine(
    _ index: Int, _ width: Int32, _ body: (_ first: Int, UnsafeMutableBufferPointer<FlexItem>) -> Void
  ) {
    let distribution = self[index].style.distribution
    var first = tree[index].firstChild
    while let start = first {
      let line = line(from: start, width: width)
      let shared = isShared(from: start, line.count) ? sharedLeast(line.count, width) : nil
      items.lend(line.count) { items in
        var child: Int? = start
        for place in items.indices {
          guard let found = child else { break }
          let box = self[found]
          items[place] = FlexItem(
            least: shared ?? min(box.least, width), content: min(box.most, width), weight: tree[found].weight,
            gap: theme.gap)
          child = tree[found].nextSibling
        }
        Flex.resolve(items, room: width, distribution)
        body(start, items)
      }
      first = line.next
    }
  }

  private func lineHeight(_ first: Int, _ items: UnsafeMutableBufferPointer<FlexItem>) -> Int32 {
    var (height, child): (Int32, Int?) = (0, first)
    for item in items {
      guard let found = child else { break }
      height = max(height, heightOf(found, width: item.length))
      child = tree[found].nextSibling
    }
    return height
  }

  func rowHeight(_ index: Int, _ width: Int32) -> Int32 {
    var (height, lines): (Int32, Int32) = (0, 0)
    forEachLine(index, width) { first, items in
      height += lineHeight(first, items)
      lines += 1
    }
    return height + theme.gap * max(lines - 1, 0)
  }

  func placeRow(_ index: Int, _ rect: Rect) {
    let alignment = self[index].style.alignment
    // A row of one line fills its height; the lines of one that wraps are as high as they need.
    let isOneLine = tree[index].firstChild.map { line(from: $0, width: rect.width).next == nil } ?? true
    var y = rect.y
    forEachLine(index, rect.width) { first, items in
      let height = isOneLine ? rect.height : lineHeight(first, items)
      var child: Int? = first
      for item in items {
        guard let found = child else { break }
        let own = heightOf(found, width: item.length)
        let (start, length) = across(rowAlignment(found, alignment), own, height)
        place(found, Rect(rect.x + item.start, y + start, item.length, length), isDefinite: alignment == .stretch)
        child = tree[found].nextSibling
      }
      y += height + theme.gap
    }
  }

  /// What a person operates, and pictures, are as high as they are, however high their neighbours are.
  private func rowAlignment(_ child: Int, _ alignment: Alignment) -> Alignment {
    guard alignment == .stretch, tree[child].kind == .component else { return alignment }
    switch tree[child].type {
    case .button, .checkBox, .textField, .dateTimeInput, .slider, .multipleChoice, .image, .video, .audioPlayer:
      return .center
    default: return .stretch
    }
  }

  /// Where what is `own` long begins across, and how long it gets.
  func across(_ alignment: Alignment, _ own: Int32, _ room: Int32) -> (start: Int32, length: Int32) {
    switch alignment {
    case .stretch: (0, room)
    case .start: (0, own)
    case .center: (max((room - own) / 2, 0), own)
    case .end: (max(room - own, 0), own)
    }
  }

  // MARK: Lists to the right

  func stripHeight(_ index: Int, _ width: Int32) -> Int32 {
    var height: Int32 = 0
    forEachChild(index) { child in
      height = max(height, heightOf(child, width: min(self[child].most, stripItemMost(width))))
    }
    return height
  }

  func placeStrip(_ index: Int, _ rect: Rect) {
    let alignment = self[index].style.alignment
    var x: Int32 = 0
    forEachChild(index) { child in
      if x > 0 { x += theme.gap }
      let width = min(self[child].most, stripItemMost(rect.width))
      let (start, length) = across(alignment, heightOf(child, width: width), rect.height)
      place(child, Rect(rect.x + x, rect.y + start, width, length), isDefinite: alignment == .stretch)
      x += width
    }
    self[index].content = x
    self[index].isScrolling = x > rect.width
  }
}
