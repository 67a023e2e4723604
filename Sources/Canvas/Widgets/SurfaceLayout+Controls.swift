import A2UI
import Graphics
import Runtime

// How large buttons, tabs and choices are, and where their parts stand.

extension SurfaceLayout {
  // MARK: Buttons

  private var buttonPadding: Size { Size(theme.px(14), theme.px(10)) }

  func buttonWidths(_ index: Int) -> (Int32, Int32) {
    let (least, most) = columnWidths(index, padding: buttonPadding.width)
    return (max(least, theme.target), max(most, theme.target))
  }

  func buttonHeight(_ index: Int, _ width: Int32) -> Int32 {
    max(columnHeight(index, width - 2 * buttonPadding.width) + 2 * buttonPadding.height, theme.target)
  }

  /// What a button shows stands in its middle.
  func placeButton(_ index: Int, _ rect: Rect) {
    guard let child = tree[index].firstChild else { return }
    let room = Rect(
      rect.x + buttonPadding.width, rect.y, max(rect.width - 2 * buttonPadding.width, 0), rect.height)
    let width = min(self[child].most, room.width)
    let height = heightOf(child, width: width)
    place(
      child, Rect(room.x + (room.width - width) / 2, room.y + (room.height - height) / 2, width, height),
      isDefinite: false)
  }

  // MARK: Tabs

  var tabBarHeight: Int32 { theme.target }

  func tabsWidths(_ index: Int) -> (Int32, Int32) {
    // All tabs, so that opening another one does not move what stands beside.
    let (least, most) = columnWidths(index, padding: 0)
    return (max(least, theme.px(80)), max(most, tabsLength(index)))
  }

  func tabsHeight(_ index: Int, _ width: Int32) -> Int32 {
    let content = openChild(index).map { heightOf($0, width: width) + theme.gap } ?? 0
    return tabBarHeight + content
  }

  func placeTabs(_ index: Int, _ rect: Rect, isDefinite: Bool) {
    self[index].content = tabsLength(index)
    self[index].isScrolling = self[index].content > rect.width
    guard let child = openChild(index) else { return }
    let top = tabBarHeight + theme.gap
    place(child, Rect(rect.x, rect.y + top, rect.width, max(rect.height - top, 0)), isDefinite: isDefinite)
  }

  /// How long all titles are together.
  private func tabsLength(_ index: Int) -> Int32 {
    var length: Int32 = 0
    for item in 0..<tree.itemCount(index, "tabItems") { length += tabWidth(index, item) }
    return length
  }

  func tabWidth(_ index: Int, _ item: Int) -> Int32 {
    let tree = tree
    guard let title = tree.itemString(index, "tabItems", item, "title") else { return theme.target }
    return max(textWidths(index, title, theme.font(.h5)).1 + 2 * theme.px(14), theme.target)
  }

  // MARK: Choices

  func isChips(_ index: Int) -> Bool {
    tree.word(index, "variant", otherwise: ChoiceVariant.checkbox) == .chips
  }

  /// What stands above the options: the label of all, and a field that filters them.
  func choiceTop(_ index: Int, _ width: Int32) -> Int32 { fieldLabelHeight(index, width) + filterHeight(index) }

  /// A field above the options that filters them.
  func filterHeight(_ index: Int) -> Int32 { isFilterable(index) ? theme.target + theme.px(6) : 0 }

  /// The width of one option with its mark.
  func optionWidth(_ index: Int, _ option: Int) -> Int32 {
    let mark = isChips(index) ? 2 * theme.px(14) : theme.px(22) + theme.gap
    let tree = tree
    guard let label = tree.itemString(index, "options", option, "label") else { return mark }
    return textWidths(index, label, theme.font(.body)).1 + mark
  }

  func choiceWidths(_ index: Int) -> (Int32, Int32) {
    var (widest, all): (Int32, Int32) = (theme.px(80), 0)
    let count = tree.itemCount(index, "options")
    if count > Budget.unboundOptions, !tree.isBound(index, "selections") { tree.record(.options, at: index) }
    for option in 0..<count {
      let width = optionWidth(index, option)
      widest = max(widest, width)
      all += width + (option > 0 ? theme.px(8) : 0)
    }
    return isChips(index) ? (theme.px(80), max(all, widest)) : (theme.px(80), widest)
  }

  func choiceHeight(_ index: Int, _ width: Int32) -> Int32 {
    var height: Int32 = 0
    forEachOption(index, Rect(0, 0, width, 0)) { _, rect in height = max(height, rect.maxY) }
    return max(height, choiceTop(index, width) + theme.target)
  }

  /// Goes over the options that pass the filter, each with the rectangle that belongs to it within the component's.
  func forEachOption(_ index: Int, _ rect: Rect, _ body: (_ option: Int, Rect) -> Void) {
    let isChips = isChips(index)
    let gap = theme.px(8)
    var (x, y) = (rect.x, rect.y + choiceTop(index, rect.width))
    for option in 0..<tree.itemCount(index, "options") where passesFilter(index, option) {
      guard isChips else {
        let height = optionHeight(index, option, rect.width)
        body(option, Rect(rect.x, y, rect.width, height))
        y += height
        continue
      }
      let width = min(optionWidth(index, option), rect.width)
      if x > rect.x, x + width > rect.maxX { (x, y) = (rect.x, y + theme.px(36) + gap) }
      body(option, Rect(x, y, width, theme.px(36)))
      x += width + gap
    }
  }

  private func optionHeight(_ index: Int, _ option: Int, _ width: Int32) -> Int32 {
    let tree = tree
    guard let label = tree.itemString(index, "options", option, "label") else { return theme.target }
    return max(textHeight(index, label, theme.font(.body), width: width - theme.px(22) - theme.gap), theme.target)
  }
}
