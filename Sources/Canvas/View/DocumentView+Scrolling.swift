import A2UI
import Graphics
import Runtime

/// What moves under a finger: the page, a list, the titles of tabs, or what a modal shows.
struct Scroller: Equatable, Sendable {
  var surface = 0
  /// Of the instance; 0: the page.
  var id: UInt64 = 0
  var isHorizontal = false

  static let page = Scroller()
}

extension DocumentView {
  /// What scrolls at a place along an axis: the innermost that can. Nil: nothing does.
  func scroller(at point: Point, isHorizontal: Bool) -> Scroller? {
    var found: Scroller?
    for surface in 0..<surfaceCount {
      let layout = layout(surface)
      for index in 0..<layout.count where layout[index].isShown && layout[index].isScrolling {
        guard let kind = layout.scrolls(index), kind == isHorizontal else { continue }
        let isInFront = layout.isInModal(index) || layout.tree[index].type == .modal
        let offset = isInFront ? Point(0, 0) : offset(surface)
        guard let rect = layout.scrollRect(index, offset, room), rect.contains(point) else { continue }
        found = Scroller(surface: surface, id: layout.tree[index].id, isHorizontal: isHorizontal)
      }
    }
    if let found { return found }
    return !isHorizontal && limit > 0 && !hasModal ? .page : nil
  }

  /// Moves content by pixels, as far as it goes; false when it stands at its end.
  func scroll(_ scroller: Scroller, by distance: Int32) -> Bool {
    guard scroller.id != 0 else {
      let before = scroll
      scroll(to: before + distance)
      return scroll != before
    }
    guard scroller.surface < surfaceCount else { return false }
    let layout = layout(scroller.surface)
    guard let index = layout.tree.index(of: scroller.id) else { return false }
    let most = layout.scrollLimit(index, room)
    let before = layout.state(index).scroll
    let after = min(max(before + distance, 0), most)
    guard after != before else { return false }
    states.change(scroller.id, layout.surface) { $0.scroll = after }
    return true
  }

  private var hasModal: Bool { topModal != nil }
}

extension SurfaceLayout {
  /// Whether something scrolls, and then along which axis: true is to the right.
  func scrolls(_ index: Int) -> Bool? {
    switch tree[index].type {
    case .list: isHorizontal(index)
    case .tabs: true
    case .modal: state(index).isOpen ? false : nil
    default: nil
    }
  }

  /// Where a finger moves it.
  func scrollRect(_ index: Int, _ offset: Point, _ screen: Size) -> Rect? {
    switch tree[index].type {
    case .modal: return modalContent(index).map { modalInside(modalFrame($0, on: screen), $0) }
    case .tabs:
      guard var rect = visibleRect(index, offset) else { return nil }
      rect.height = min(rect.height, tabBarHeight)
      return rect
    default: return visibleRect(index, offset)
    }
  }

  /// How far it can be scrolled.
  func scrollLimit(_ index: Int, _ screen: Size) -> Int32 {
    let box = self[index]
    let room =
      switch tree[index].type {
      case .modal: modalContent(index).map { modalInside(modalFrame($0, on: screen), $0).height } ?? 0
      case .list where !isHorizontal(index): box.rect.height
      default: box.rect.width
      }
    return max(box.content - room, 0)
  }
}
