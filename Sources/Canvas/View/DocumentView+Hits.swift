import A2UI
import Graphics
import Runtime

// Hit testing.

extension DocumentView {
  /// The target at a place; nil: none. A target smaller than a finger is also found beside its edge when no other one
  /// is nearer.
  public func hit(at point: Point) -> Hit? {
    if let modal = topModal { return hit(at: point, modal) }
    var best: (hit: Hit, distance: Int32)?
    for surface in 0..<surfaceCount {
      let layout = layout(surface)
      let offset = offset(surface)
      for index in 0..<layout.count where layout[index].isShown && !layout.isInModal(index) {
        consider(layout, surface, index, point, offset, &best)
      }
    }
    return best?.hit
  }

  /// True where something reacts to a tap: everywhere while something is being entered, because a tap beside it ends
  /// that.
  public func reacts(at place: Point) -> Bool {
    person.picker.isOpen || person.keyboard.isShown || hit(at: place) != nil
  }

  /// The open modal that is in front of all others.
  var topModal: (surface: Int, modal: Int, content: Int)? {
    var found: (Int, Int, Int)?
    for surface in 0..<surfaceCount {
      layout(surface).forEachOpenModal { modal, content in found = (surface, modal, content) }
    }
    return found
  }

  private func hit(at point: Point, _ top: (surface: Int, modal: Int, content: Int)) -> Hit? {
    let layout = layout(top.surface)
    let frame = layout.modalFrame(top.content, on: room)
    let closer = layout.modalCloser(frame).inset(by: -theme.px(12))
    if !frame.contains(point) || closer.contains(point) {
      return Hit(kind: .closer, surface: top.surface, index: top.modal, id: layout.tree[top.modal].id)
    }
    guard layout.modalInside(frame, top.content).contains(point) else { return nil }
    var best: (hit: Hit, distance: Int32)?
    for index in top.content..<layout.count
    where layout[index].isShown && (index == top.content || layout.isInside(index, top.content)) {
      consider(layout, top.surface, index, point, Point(0, 0), &best)
    }
    return best?.hit
  }

  /// Takes an instance that is nearer than what was found; of two alike the later, for it stands in front.
  private func consider(
    _ layout: SurfaceLayout, _ surface: Int, _ index: Int, _ point: Point, _ offset: Point,
    _ best: inout (hit: Hit, distance: Int32)?
  ) {
    guard layout.tree[index].kind == .component, let visible = layout.visibleRect(index, offset) else { return }
    let grow = max((theme.target - min(visible.width, visible.height)) / 2, 0)
    guard visible.inset(by: -grow).contains(point) else { return }
    let distance = visible.distance(to: point)
    if let best, best.distance < distance { return }
    let rect = layout.screenRect(index).offset(offset.x, offset.y)
    guard let hit = layout.hit(index, surface, point, rect) else { return }
    best = (hit, distance)
  }
}

extension Rect {
  /// How far a place is from the rectangle, along the axis where it is farther; 0 inside.
  func distance(to point: Point) -> Int32 {
    let x = max(self.x - point.x, point.x - maxX + 1, 0)
    let y = max(self.y - point.y, point.y - maxY + 1, 0)
    return max(x, y)
  }
}

extension SurfaceLayout {
  /// True for what stands below another instance.
  func isInside(_ index: Int, _ container: Int) -> Bool {
    var place = index
    while let parent = tree[place].parent {
      if parent == container { return true }
      place = parent
    }
    return false
  }

  /// The part of an instance on the screen that no scrolling list cuts off; nil: none.
  func visibleRect(_ index: Int, _ offset: Point) -> Rect? {
    var rect = screenRect(index)
    var place = index
    while let parent = tree[place].parent {
      if tree[parent].type == .list, self[parent].isScrolling { rect = rect.intersection(screenRect(parent)) }
      place = parent
    }
    return rect.isEmpty ? nil : rect.offset(offset.x, offset.y)
  }

  /// The target of an instance; nil: none. `rect` is where it stands on the screen.
  func hit(_ index: Int, _ surface: Int, _ point: Point, _ rect: Rect) -> Hit? {
    let id = tree[index].id
    func hit(_ kind: Hit.Kind, _ part: Int32 = 0) -> Hit {
      Hit(kind: kind, surface: surface, index: index, part: part, id: id)
    }
    switch tree[index].type {
    case .button: return hit(.button)
    case .text: return link(index, point, rect).map { hit(.link, $0) }
    case .checkBox: return hit(.checkBox)
    case .slider: return hit(.slider)
    case .textField: return hit(.textField)
    case .dateTimeInput: return hit(.dateTime)
    case .tabs: return tab(index, point, rect).map { hit(.tab, $0) }
    case .multipleChoice:
      if isFilterable(index), field(index, rect).box.contains(point) { return hit(.filter) }
      var found: Int32?
      forEachOption(index, rect) { option, place in if place.contains(point) { found = Int32(option) } }
      return found.map { hit(.option, $0) }
    case .modal: return hit(.opener)
    default: return nil
    }
  }

  /// The number of the link at a place of a Text; nil: none. Of a button's label none counts: it is one thing to press.
  private func link(_ index: Int, _ point: Point, _ rect: Rect) -> Int32? {
    let tree = tree
    guard let text = tree.string(index, "text"), Self.hasLink(text) else { return nil }
    let parent = tree[index].parent
    var place = parent
    while let above = place {
      if tree[above].type == .button { return nil }
      place = tree[above].parent
    }
    guard let flow = textFlow(index) else { return nil }
    flow.arrangeOnce(width: max(rect.width, 1))
    // Where `SurfaceDrawing.drawText` has it.
    let isInRow = parent.map { tree[$0].type == .row } ?? false
    let top = isInRow ? max((rect.height - flow.progress.height) / 2, 0) : 0
    return flow.link(at: Point(point.x - rect.x, point.y - rect.y - top), slack: theme.px(8)).map { Int32($0) }
  }

  /// Most texts have none, which is seen without laying them out.
  private static func hasLink(_ text: Span<UInt8>) -> Bool {
    var place = 0
    while place + 2 < text.count {
      if text[place] == UInt8(ascii: "]"), text[place + 1] == UInt8(ascii: "("),
        text[place + 2] | 0x20 == UInt8(ascii: "o")
      {
        return true
      }
      place += 1
    }
    return false
  }

  /// Hands over the target of a Text's link.
  func withLink(_ index: Int, _ number: Int, _ body: (Span<UInt8>) -> Void) {
    let tree = tree
    guard let text = tree.string(index, "text"), let flow = textFlow(index), number > 0, number <= flow.links.count
    else { return }
    body(text.extracting(flow.links[number - 1]))
  }

  private func tab(_ index: Int, _ point: Point, _ rect: Rect) -> Int32? {
    guard point.y < rect.y + tabBarHeight else { return nil }
    var x = rect.x - state(index).scroll
    for item in 0..<tree.itemCount(index, "tabItems") {
      let width = tabWidth(index, item)
      if point.x >= x, point.x < x + width { return Int32(item) }
      x += width
    }
    return nil
  }
}
