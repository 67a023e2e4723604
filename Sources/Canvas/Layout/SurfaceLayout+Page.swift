import A2UI
import Graphics

// How a surface stands on its page: as wide as can be read, in two columns where there is room for them, and as high as
// its content unless something in it asks for the height.

extension SurfaceLayout {
  /// Two columns stand beside each other where each is `Theme.columnWidth` wide at least, which screens of 16:10 and
  /// wider have room for, and no wider than `Theme.measure`.
  static func columns(_ width: Int32, _ theme: Theme) -> Int32 {
    width >= 2 * theme.columnWidth + theme.groupGap ? 2 : 1
  }

  /// The width of all of so many columns in what there is.
  static func columnsWidth(_ count: Int32, in width: Int32, _ theme: Theme) -> Int32 {
    min(width, count * theme.measure + (count - 1) * theme.groupGap)
  }

  /// Where the root stands in a page of this width; its widths are known.
  func rootFrame(_ page: Int32) -> (x: Int32, width: Int32) {
    let count = Self.columns(page, theme) == 2 && wantsColumns(0) ? Int32(2) : 1
    let most = Self.columnsWidth(count, in: page, theme)
    // A few words do not need all of it, but a page of them is not of many widths. Nor does a row of small cards.
    let least = count == 2 ? theme.measure : theme.px(480)
    let width = isGrid(0) ? most : min(most, max(self[0].most, least))
    return ((page - width) / 2, width)
  }

  /// A root that has cards, or a row of them.
  private func wantsColumns(_ index: Int) -> Bool {
    if isGrid(index) { return true }
    guard tree[index].kind == .component, tree[index].type == .column || tree[index].type == .list else {
      return isRowOfCards(index)
    }
    var found = false
    forEachChild(index) { child in if isRowOfCards(child) { found = true } }
    return found
  }

  private func isRowOfCards(_ index: Int) -> Bool {
    tree[index].kind == .component && tree[index].type == .row && cards(index) >= 2
  }

  private func cards(_ index: Int) -> Int {
    var count = 0
    forEachChild(index) { child in if isCard(child) { count += 1 } }
    return count
  }

  private func isCard(_ index: Int) -> Bool { tree[index].kind == .component && tree[index].type == .card }

  /// The root's cards stand in two columns: there is room, and the document does not say where they stand.
  func isGrid(_ index: Int) -> Bool {
    guard index == 0, tree[index].kind == .component, Self.columns(pageWidth, theme) == 2 else { return false }
    guard tree[index].type == .column || tree[index].type == .list && !isHorizontal(index) else { return false }
    guard self[index].style.alignment == .stretch, !wantsHeight(index) else { return false }
    return cards(index) >= 2
  }

  /// Something in it shares the height that there is, or stands at the end of it.
  func wantsHeight(_ index: Int) -> Bool {
    guard tree[index].kind == .component else { return false }
    switch tree[index].type {
    case .column where self[index].style.distribution != .start: return true
    case .column:
      var found = false
      forEachChild(index) { child in
        if tree[child].weight > 0 || wantsHeight(child) { found = true }
      }
      return found
    default: return false
    }
  }

  // MARK: Cards in two columns

  /// Goes over the children of a grid: cards take turns in two columns, everything else is as wide as both.
  private func forEachCell(_ index: Int, _ width: Int32, _ body: (_ child: Int, Rect) -> Void) -> Int32 {
    let column = (width - theme.groupGap) / 2
    var (left, right): (Int32, Int32) = (0, 0)
    var (isRight, upper): (Bool, Int?) = (false, nil)
    forEachChild(index) { child in
      guard isCard(child) else {
        let top = max(left, right) + (upper.map { gap(after: $0, before: child) } ?? 0)
        let height = heightOf(child, width: width)
        body(child, Rect(0, top, width, height))
        (left, right, isRight, upper) = (top + height, top + height, false, child)
        return
      }
      let above = isRight ? right : left
      let top = above == 0 ? 0 : above + theme.groupGap
      let height = heightOf(child, width: column)
      body(child, Rect(isRight ? column + theme.groupGap : 0, top, column, height))
      if isRight { right = top + height } else { left = top + height }
      isRight.toggle()
      upper = child
    }
    return max(left, right)
  }

  func gridHeight(_ index: Int, _ width: Int32) -> Int32 { forEachCell(index, width) { _, _ in } }

  func placeGrid(_ index: Int, _ rect: Rect) {
    _ = forEachCell(index, rect.width) { child, cell in
      place(child, cell.offset(rect.x, rect.y), isDefinite: false)
    }
  }
}
