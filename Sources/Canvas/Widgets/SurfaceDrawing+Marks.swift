import A2UI
import Graphics
import Runtime

// What a finger is on, and what the keys go to.

extension SurfaceDrawing {
  /// Whether the keys go to an instance, or to a part of it.
  func isFocused(_ index: Int, _ kind: Hit.Kind? = nil, _ part: Int32 = 0) -> Bool {
    guard let focus = person.focus, focus.surface == layout.surface, focus.hit.id == tree[index].id else {
      return false
    }
    return kind == nil || focus.hit.kind == kind && focus.hit.part == part
  }

  /// A ring around what the keys go to, once a key was used.
  func drawFocus(
    _ index: Int, _ rect: Rect, _ radius: Int16, _ kind: Hit.Kind? = nil, _ part: Int32 = 0, width: Int32 = 2
  ) {
    guard person.showsRing, isFocused(index, kind, part) else { return }
    list.add(.border(rect, radius: radius, width: Int16(theme.px(width)), theme.accent))
  }

  /// What a finger is on looks pressed.
  func drawPressed(_ index: Int, _ rect: Rect, _ radius: Int16, _ kind: Hit.Kind? = nil, _ part: Int32 = 0) {
    guard let pressed = person.pressed, pressed.id == tree[index].id, pressed.surface == surface else { return }
    guard kind == nil || pressed.kind == kind && pressed.part == part else { return }
    let mark = Fill.solid(theme.text.opacity(0x30))
    guard person.ripple.isMoving else { return list.add(.fill(rect, radius: radius, mark)) }
    // From the finger to the farthest corner.
    let place = person.pressedAt
    let reach = max(place.x - rect.x, rect.maxX - place.x) + max(place.y - rect.y, rect.maxY - place.y)
    let side = max(reach * person.ripple.progress(at: person.now) / Motion.whole, 1)
    list.add(.clip(rect, radius: radius))
    list.add(
      .fill(Rect(place.x - side, place.y - side, 2 * side, 2 * side), radius: Int16(clamping: side), mark))
    list.add(.endClip)
  }
}
