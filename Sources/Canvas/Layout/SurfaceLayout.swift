import A2UI
import Graphics
import Runtime

/// The layout of one surface (canvas reference 1.10): widths from the leaves up, heights for widths, then rectangles
/// from the root down. Made anew whenever the document, the theme or the width changes, in as many turns as it takes
/// (`TextMeasures`).
final class SurfaceLayout {
  let tree: InstanceTree
  let measures: TextMeasures
  var flow: TextFlow { measures.flow }
  let states: WidgetStates
  private let memory: ReservedBuffer
  private let boxes: UnsafeMutableBufferPointer<Box>
  /// Items of rows while they are measured; nested rows use the part after those of the outer row.
  let items: FlexItems
  var theme = Theme()
  /// Knows how large pictures are.
  var pictures: (any PictureShelf)?
  /// Number of the surface, for the states of its widgets.
  var surface: UInt32 { tree.surface?.number ?? 0 }
  /// The height that all of it takes.
  private(set) var height: Int32 = 0
  private var (width, room): (Int32, Int32) = (0, 0)
  /// The width of the page that it has for itself.
  var pageWidth: Int32 { room > 0 ? width : 0 }
  /// The root is as high as the screen: one whose height its parts share; on a small screen each that is no card.
  private var fillsRoom: Bool {
    let isCard = tree[0].kind == .component && tree[0].type == .card
    return room <= theme.px(320) && !isCard || wantsHeight(0)
  }
  /// Instances from the first whose widths are not known yet.
  private var unknownWidths = 0
  /// Of the component whose tabs or options are being measured.
  var itemProgress = ItemProgress()
  private var hasOpenedModals = false

  /// Reserves its memory; throws when the address space is full.
  init(
    _ store: SurfaceStore, measures: TextMeasures, states: WidgetStates, items: FlexItems
  ) throws(Errno) {
    tree = try InstanceTree(store)
    self.measures = measures
    self.states = states
    self.items = items
    memory = try ReservedBuffer(capacity: Budget.a2uiInstances * MemoryLayout<Box>.stride)
    boxes = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: Box.self)
  }

  /// Instances, the root first.
  var count: Int { tree.count }

  subscript(index: Int) -> Box {
    get { boxes[index] }
    set { boxes[index] = newValue }
  }

  /// Begins the layout for a width. `room`: the height of the screen that it has for itself, which its root fills; 0:
  /// it is one of several, and as high as its content.
  func begin(width: Int32, room: Int32, theme: Theme) {
    (self.theme, self.width, self.room) = (theme, width, room)
    tree.forgetArrangement()
    for index in 0..<count { boxes[index] = Box() }
    height = 0
    (unknownWidths, hasOpenedModals, itemProgress) = (count, false, ItemProgress())
  }

  /// Continues the layout.
  /// - Returns: false when the turn is over before all of it is arranged.
  func arrangeMore() -> Bool {
    guard count > 0 else { return true }
    // Children stand after their parents.
    while unknownWidths > 0 {
      let index = unknownWidths - 1
      guard measures.pay(Budget.arrangedStep) else { return false }
      boxes[index].style = style(of: index)
      tree.lookForValue(of: index)
      (boxes[index].least, boxes[index].most) = widths(of: index)
      if measures.isSpent { return false }
      boxes[index].isFluid = isFluid(index)
      unknownWidths = index
    }
    if !hasOpenedModals { openModals() }
    hasOpenedModals = true
    // From the root anew in each turn; heights that are known stay.
    let root = room > 0 ? rootFrame(width) : (x: 0, width: width)
    height = heightOf(0, width: root.width)
    var y: Int32 = 0
    if room > 0 {
      let least = leastHeight(0, width: root.width)
      let own = fillsRoom ? max(least, room) : max(least, min(height, room))
      y = max((room - own) / 2, 0)
      height = own
    }
    if measures.isSpent { return false }
    place(0, Rect(root.x, y, root.width, height), isDefinite: room > 0)
    height += y
    return !measures.isSpent
  }

  /// Releases its memory.
  func clear() {
    tree.clear()
    memory.release()
    height = 0
  }

  /// The text of a Text that is drawn, in the flow that it has; nil when it has none.
  func textFlow(_ index: Int) -> TextFlow? {
    let tree = tree
    guard let text = tree.string(index, "text"), !text.isEmpty else { return nil }
    return measures.flow(text, font(of: index), isMarkdown: true)
  }

  // MARK: Children

  /// Goes over the children of an instance.
  func forEachChild(_ index: Int, _ body: (Int) -> Void) {
    var child = tree[index].firstChild
    while let place = child {
      body(place)
      child = tree[place].nextSibling
    }
  }

  /// The child of a container that shows one at a time: the open tab, or what opens a modal.
  func openChild(_ index: Int) -> Int? {
    var wanted = 0
    if tree[index].type == .tabs { wanted = Int(state(index).tab) }
    var (place, child) = (0, tree[index].firstChild)
    while let found = child {
      if place == wanted { return tree[found].kind == .missing ? nil : found }
      place += 1
      child = tree[found].nextSibling
    }
    return nil
  }

  /// What a modal shows when it is open.
  func modalContent(_ index: Int) -> Int? {
    guard let entry = tree[index].firstChild, let content = tree[entry].nextSibling else { return nil }
    return tree[content].kind == .missing ? nil : content
  }

  func state(_ index: Int) -> WidgetState { states[tree[index].id, surface] }

  /// A modal without anything to tap opens by itself (canvas reference 1.12).
  private func openModals() {
    for index in 0..<count where tree[index].type == .modal && tree[index].kind == .component {
      guard modalContent(index) != nil, !state(index).hasOpenedItself, !state(index).isOpen else { continue }
      if let entry = openChild(index), boxes[entry].most > 0 { continue }
      states.change(tree[index].id, surface) { ($0.isOpen, $0.hasOpenedItself) = (true, true) }
    }
  }

  // MARK: Widths and heights

  /// The least and the most that an instance wants to be wide, from those of its children.
  private func widths(of index: Int) -> (Int32, Int32) {
    let instance = tree[index]
    guard instance.kind == .component else { return placeholderWidths(index) }
    switch instance.type {
    case .row: return rowWidths(index)
    case .list where isHorizontal(index): return rowWidths(index)
    case .column, .list: return columnWidths(index, padding: 0)
    case .card: return columnWidths(index, padding: theme.cardPadding)
    case .unknown: return unknownWidths(index)
    case .button: return buttonWidths(index)
    case .tabs: return tabsWidths(index)
    case .modal:
      guard let entry = openChild(index) else { return (0, 0) }
      return (boxes[entry].least, boxes[entry].most)
    default: return leafWidths(index)
    }
  }

  /// Whether an instance only shows texts, icons and pictures; that of its children is known.
  private func isFluid(_ index: Int) -> Bool {
    guard tree[index].kind == .component else { return true }
    switch tree[index].type {
    case .text, .icon, .image, .divider: return true
    case .row, .column, .card,
      .list where !isHorizontal(index):
      var isFluid = true
      forEachChild(index) { child in if !boxes[child].isFluid { isFluid = false } }
      return isFluid
    default: return false
    }
  }

  /// The height at a width; 0, or too little, when the turn is over.
  func heightOf(_ index: Int, width: Int32) -> Int32 {
    if boxes[index].heightWidth == width { return boxes[index].height }
    guard !measures.isSpent, measures.pay(Budget.arrangedStep) else { return 0 }
    let height = measureHeight(index, width)
    if measures.isSpent { return height }
    (boxes[index].height, boxes[index].heightWidth) = (height, width)
    return height
  }

  /// The height below which something would be cut off: lists that go down may scroll.
  func leastHeight(_ index: Int, width: Int32) -> Int32 {
    let instance = tree[index]
    guard instance.kind == .component else { return heightOf(index, width: width) }
    switch instance.type {
    case .list where !isHorizontal(index) && !isGrid(index): return min(heightOf(index, width: width), theme.px(120))
    case .column where isGrid(index): return gridHeight(index, width)
    case .column: return leastColumnHeight(index, width)
    case .card: return leastColumnHeight(index, width - 2 * theme.cardPadding) + 2 * theme.cardPadding
    case .tabs: return tabBarHeight + (openChild(index).map { leastHeight($0, width: width) + theme.gap } ?? 0)
    default: return heightOf(index, width: width)
    }
  }

  private func measureHeight(_ index: Int, _ width: Int32) -> Int32 {
    let instance = tree[index]
    guard instance.kind == .component else { return placeholderHeight(index) }
    switch instance.type {
    case .row: return rowHeight(index, width)
    case .list where isHorizontal(index): return stripHeight(index, width)
    case .column, .list: return isGrid(index) ? gridHeight(index, width) : columnHeight(index, width)
    case .card: return columnHeight(index, width - 2 * theme.cardPadding) + 2 * theme.cardPadding
    case .unknown: return unknownHeight(index, width)
    case .button: return buttonHeight(index, width)
    case .tabs: return tabsHeight(index, width)
    case .modal: return openChild(index).map { heightOf($0, width: width) } ?? 0
    default: return leafHeight(index, width)
    }
  }

  // MARK: Rectangles

  /// Gives an instance its rectangle, and its children theirs. `isDefinite`: the height is given from outside, so that
  /// weights inside have something to share.
  func place(_ index: Int, _ rect: Rect, isDefinite: Bool) {
    boxes[index].rect = rect
    boxes[index].isShown = true
    let instance = tree[index]
    guard instance.kind == .component else { return }
    switch instance.type {
    case .row: placeRow(index, rect)
    case .list where isHorizontal(index): placeStrip(index, rect)
    case .column where isGrid(index), .list where isGrid(index): placeGrid(index, rect)
    case .column: placeColumn(index, rect, isDefinite: isDefinite)
    case .list: placeList(index, rect)
    case .card: placeColumn(index, rect.inset(by: theme.cardPadding), isDefinite: isDefinite)
    case .unknown: placeColumn(index, unknownInside(index, rect), isDefinite: false)
    case .button: placeButton(index, rect)
    case .tabs: placeTabs(index, rect, isDefinite: isDefinite)
    case .modal: openChild(index).map { place($0, rect, isDefinite: isDefinite) }
    default: break
    }
  }

  func isHorizontal(_ index: Int) -> Bool { boxes[index].style.isHorizontal }
}
