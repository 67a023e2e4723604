import A2UI
import Graphics
import Runtime

// Modals: in front of everything, in the middle of the screen, closed by the cross or a tap beside them.

extension SurfaceLayout {
  /// Goes over the open modals that can be seen, those inside others after them.
  func forEachOpenModal(_ body: (_ modal: Int, _ content: Int) -> Void) {
    for index in 0..<count where tree[index].type == .modal && tree[index].kind == .component && self[index].isShown {
      guard state(index).isOpen, let content = modalContent(index) else { continue }
      body(index, content)
    }
  }

  /// Arranges what open modals show, in pixels of the screen.
  func placeModals(on screen: Size) {
    forEachOpenModal { modal, content in
      let width = modalWidth(on: screen) - 2 * modalPadding
      let height = heightOf(content, width: width)
      let frame = frame(height, on: screen, top: top(content))
      let inside = modalInside(frame, content)
      place(content, Rect(inside.x, inside.y, width, height), isDefinite: false)
      self[modal].content = height
      self[modal].isScrolling = height > inside.height
    }
  }

  var modalPadding: Int32 { theme.px(16) }
  /// What is kept free for the cross.
  private var closerHeight: Int32 { theme.px(36) }

  private func modalWidth(on screen: Size) -> Int32 {
    max(min(theme.px(520), screen.width - theme.px(48)), theme.px(80))
  }

  /// What is free above its content: a title stands beside the cross, everything else below it.
  private func top(_ content: Int) -> Int32 { title(content) == nil ? closerHeight : modalPadding - theme.px(2) }

  /// The heading with which a modal's content begins.
  private func title(_ content: Int) -> Int? {
    guard tree[content].kind == .component, tree[content].type == .column, let first = tree[content].firstChild else {
      return nil
    }
    guard tree[first].kind == .component, tree[first].type == .text else { return nil }
    let size = typeSize(of: first)
    return size == .body || size == .caption ? nil : first
  }

  /// What a child leaves free for the cross beside it.
  func titleInset(_ child: Int) -> Int32 {
    guard let content = tree[child].parent, let modal = tree[content].parent, tree[modal].type == .modal else {
      return 0
    }
    return modalContent(modal) == content && title(content) == child ? theme.px(28) : 0
  }

  private func frame(_ content: Int32, on screen: Size, top: Int32) -> Rect {
    let width = modalWidth(on: screen)
    let height = min(content + top + modalPadding, screen.height - theme.px(24))
    return Rect((screen.width - width) / 2, (screen.height - height) / 2, width, height)
  }

  /// The whole of a modal with this content.
  func modalFrame(_ content: Int, on screen: Size) -> Rect {
    frame(self[content].rect.height, on: screen, top: top(content))
  }

  /// Where its content stands; what is longer scrolls.
  func modalInside(_ frame: Rect, _ content: Int) -> Rect {
    let top = top(content)
    return Rect(
      frame.x + modalPadding, frame.y + top, frame.width - 2 * modalPadding,
      max(frame.height - top - modalPadding, 0))
  }

  /// The cross that closes it.
  func modalCloser(_ frame: Rect) -> Rect {
    let side = theme.px(20)
    return Rect(frame.maxX - side - theme.px(10), frame.y + theme.px(9), side, side)
  }

  /// Stands in a modal's content, and so is arranged on the screen.
  func isInModal(_ index: Int) -> Bool {
    var place = index
    while let parent = tree[place].parent {
      if tree[parent].type == .modal, tree[parent].kind == .component, tree[parent].firstChild != place { return true }
      place = parent
    }
    return false
  }

  /// Where an instance stands when everything around it is scrolled as it is.
  func screenRect(_ index: Int) -> Rect {
    var rect = self[index].rect
    var place = index
    while let parent = tree[place].parent {
      let isContent = tree[parent].type == .modal && tree[parent].firstChild != place
      if tree[parent].type == .list || isContent, self[parent].isScrolling {
        let scroll = state(parent).scroll
        let isHorizontal = tree[parent].type == .list && isHorizontal(parent)
        rect = isHorizontal ? rect.offset(-scroll, 0) : rect.offset(0, -scroll)
      }
      place = parent
    }
    return rect
  }
}
