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
    let titles = measureItems(tree.itemCount(index, "tabItems"), from: ItemProgress(index: index)) { item, progress in
      progress.sum += tabWidth(index, item)
    }
    self[index].content = titles.sum
    return (max(least, theme.px(80)), max(most, titles.sum))
  }

  func tabsHeight(_ index: Int, _ width: Int32) -> Int32 {
    let content = openChild(index).map { heightOf($0, width: width) + theme.gap } ?? 0
    return tabBarHeight + content
  }

  func placeTabs(_ index: Int, _ rect: Rect, isDefinite: Bool) {
    // How long all titles are together is known with the widths.
    self[index].isScrolling = self[index].content > rect.width
    guard let child = openChild(index) else { return }
    let top = tabBarHeight + theme.gap
    place(child, Rect(rect.x, rect.y + top, rect.width, max(rect.height - top, 0)), isDefinite: isDefinite)
  }

  /// The title of a tab.
  @_lifetime(immortal)
  func title(_ index: Int, _ tab: Int) -> Span<UInt8>? { label(index, "tabItems", tab, "title") }

  func tabWidth(_ index: Int, _ item: Int) -> Int32 {
    guard let title = title(index, item) else { return theme.target }
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

  /// The label of an option.
  @_lifetime(immortal)
  func optionLabel(_ index: Int, _ option: Int) -> Span<UInt8>? { label(index, "options", option, "label") }

  /// The width of one option with its mark.
  func optionWidth(_ index: Int, _ option: Int) -> Int32 {
    let mark = isChips(index) ? 2 * theme.px(14) : theme.px(22) + theme.gap
    guard let label = optionLabel(index, option) else { return mark }
    return textWidths(index, label, theme.font(.body)).1 + mark
  }

  func choiceWidths(_ index: Int) -> (Int32, Int32) {
    let count = tree.itemCount(index, "options")
    if count > Budget.unboundOptions, !tree.isBound(index, "selections") { tree.record(.options, at: index) }
    let widths = measureItems(count, from: ItemProgress(index: index, most: theme.px(80))) { option, progress in
      let width = optionWidth(index, option)
      progress.most = max(progress.most, width)
      progress.sum += width + (option > 0 ? theme.px(8) : 0)
    }
    return (theme.px(80), isChips(index) ? max(widths.sum, widths.most) : widths.most)
  }

  func choiceHeight(_ index: Int, _ width: Int32) -> Int32 {
    let (rect, isChips) = (Rect(0, 0, width, 0), isChips(index))
    let top = choiceTop(index, width)
    let start = ItemProgress(index: index, width: width, most: top + theme.target, next: Point(0, top))
    let options = measureItems(tree.itemCount(index, "options"), from: start) { option, progress in
      guard passesFilter(index, option) else { return }
      progress.most = max(progress.most, place(of: option, index, rect, isChips, &progress.next).maxY)
    }
    return options.most
  }

  /// Goes over the options that pass the filter, each with the rectangle that belongs to it within the component's.
  func forEachOption(_ index: Int, _ rect: Rect, _ body: (_ option: Int, Rect) -> Void) {
    let isChips = isChips(index)
    var next = Point(rect.x, rect.y + choiceTop(index, rect.width))
    for option in 0..<tree.itemCount(index, "options") where passesFilter(index, option) {
      body(option, place(of: option, index, rect, isChips, &next))
    }
  }

  /// The rectangle of an option within the component's; `next` is where it may begin, and then where the next one may.
  private func place(of option: Int, _ index: Int, _ rect: Rect, _ isChips: Bool, _ next: inout Point) -> Rect {
    guard isChips else {
      let place = Rect(rect.x, next.y, rect.width, optionHeight(index, option, rect.width))
      next.y = place.maxY
      return place
    }
    let (width, height, gap) = (min(optionWidth(index, option), rect.width), theme.px(36), theme.px(8))
    if next.x > rect.x, next.x + width > rect.maxX { next = Point(rect.x, next.y + height + gap) }
    let place = Rect(next.x, next.y, width, height)
    next.x += width + gap
    return place
  }

  private func optionHeight(_ index: Int, _ option: Int, _ width: Int32) -> Int32 {
    guard let label = optionLabel(index, option) else { return theme.target }
    return max(textHeight(index, label, theme.font(.body), width: width - theme.px(22) - theme.gap), theme.target)
  }

  // MARK: Items

  /// A text of a tab or an option, cut where no screen shows more of it.
  @_lifetime(immortal)
  private func label(_ index: Int, _ list: StaticString, _ item: Int, _ name: StaticString) -> Span<UInt8>? {
    let tree = tree
    guard let text = tree.itemString(index, list, item, name) else { return nil }
    guard text.count > Budget.labelBytes else { return text }
    tree.record(.labelBytes, at: index)
    let end = Characters.boundary(text, Budget.labelBytes)
    return _overrideLifetime(text.extracting(0..<end), copying: ())
  }

  /// Measures the items of a component, in as many turns as it takes: those that are measured are not asked for again.
  private func measureItems(
    _ count: Int, from start: ItemProgress, _ body: (_ item: Int, inout ItemProgress) -> Void
  ) -> ItemProgress {
    guard !measures.isSpent else { return start }
    if itemProgress.index != start.index || itemProgress.width != start.width { itemProgress = start }
    var progress = itemProgress
    while progress.item < count {
      body(itemProgress.item, &progress)
      // The item was refused, and is the next turn's first.
      if measures.isSpent { return progress }
      progress.item += 1
      itemProgress = progress
    }
    itemProgress = ItemProgress()
    return progress
  }
}

/// How far the tabs or options of a component are measured: a turn may end between two of them.
struct ItemProgress {
  var index = -1
  /// What they are measured for; -1: their own widths.
  var width: Int32 = -1
  /// The next one.
  var item = 0
  /// Of their lengths.
  var sum: Int32 = 0
  var most: Int32 = 0
  /// Where the next option may stand.
  var next = Point(0, 0)
}
