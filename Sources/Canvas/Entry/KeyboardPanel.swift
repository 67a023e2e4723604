import Graphics
import Locales
import Runtime

/// The result of a key of the on-screen keyboard.
enum KeyStroke: Equatable, Sendable {
  case character(Unicode.Scalar)
  case backspace, enter, hide
}

/// The on-screen keyboard: its current keys, their places, and which are pressed. A state machine; `down`, `up` and
/// `advance` return what was typed.
final class KeyboardPanel {
  enum Shift: Sendable { case off, once, locked }

  /// What the letters are.
  var letters = ScreenLetters.english {
    didSet {
      isLatin = letters.own.isLatin
      held.clear()
    }
  }
  /// The Latin alphabet is shown.
  private(set) var isLatin = true
  /// The small letter that was held, whose relatives are offered; empty: none.
  private(set) var held = InlineText<8>()
  private(set) var isShown = false
  private(set) var layer = KeyRows.Layer.letters
  private(set) var shift = Shift.off
  private var shiftTime: Int64 = -1_000_000
  /// The key under each finger; -1: none.
  private var pressed = InlineArray<10, Int>(repeating: -1)
  /// The selected key, on boards without a touch panel.
  private(set) var selection: Int?
  /// When a held key repeats, or offers its relatives, and the finger on it.
  private(set) var repeatAt: Int64?
  private var holder = 0
  private var size = Size(0, 0)
  private var theme = Theme()

  func fit(_ size: Size, _ theme: Theme) {
    (self.size, self.theme) = (size, theme)
    release()
  }

  /// Shows the keyboard, or changes to the keys that a field needs. `isSelecting`: it is operated by next, previous and
  /// activate.
  func show(_ layer: KeyRows.Layer, isSelecting: Bool) {
    if !isShown || layer != .letters || self.layer == .number || self.layer == .date { self.layer = layer }
    if !isShown { shift = .off }
    isShown = true
    selection = isSelecting ? selection ?? 0 : nil
    release()
  }

  func hide() {
    isShown = false
    selection = nil
    release()
  }

  private func release() {
    for finger in 0..<pressed.count { pressed[finger] = -1 }
    repeatAt = nil
    held.clear()
  }

  // MARK: Places

  /// The keys that are shown.
  var rows: KeyRows {
    let hasOther = !letters.own.isLatin
    return KeyRows(
      letters: isLatin ? letters.latin : letters.own, other: hasOther ? isLatin ? letters.own : letters.latin : nil,
      layer: layer, isShifted: shift != .off, held: held)
  }

  /// Rows of the longer alphabet with the one below it: the height stays, whichever is shown.
  private var mostRows: Int32 { Int32(max(letters.own.rows, letters.latin.rows)) + 1 }

  /// High enough for fingers, but all at most six tenths of the screen.
  private var rowHeight: Int32 { min(theme.target + theme.px(4), size.height * 6 / 10 / mostRows) }

  /// The part of the screen that it covers; empty while it is hidden.
  var frame: Rect {
    guard isShown else { return .empty }
    let height = rowHeight * mostRows + theme.px(4)
    return Rect(0, size.height - height, size.width, height)
  }

  /// Goes over the keys, each with the rectangle in which it is hit; rows one below the other.
  func forEachKey(_ body: (_ index: Int, ScreenKey, Rect) -> Void) {
    let rows = rows
    var most: Int32 = 0
    for row in 0..<rows.count { most = max(most, width(row, rows).all) }
    let rowHeight = rowHeight * mostRows / Int32(rows.count)
    let isPad = layer == .number || layer == .date
    let room = min(size.width, isPad ? theme.px(320) : theme.px(90) * most / 2)
    let left = (size.width - room) / 2
    let top = frame.y + theme.px(2)
    var index = 0
    for row in 0..<rows.count {
      let (all, wide) = width(row, rows)
      // The remaining width goes to the space bar, or stays free at both ends.
      let spare = most - all
      var place = wide ? 0 : spare
      rows.forEach(row) { key in
        let length = 2 * (key.width + (key.isWide ? spare : 0))
        let (start, end) = (left + place * room / (2 * most), left + (place + length) * room / (2 * most))
        body(index, shifted(key, rows), Rect(start, top + Int32(row) * rowHeight, end - start, rowHeight))
        place += length
        index += 1
      }
    }
  }

  private func width(_ row: Int, _ rows: KeyRows) -> (all: Int32, isWide: Bool) {
    var (all, isWide): (Int32, Bool) = (0, false)
    rows.forEach(row) { key in
      all += key.width
      if key.isWide { isWide = true }
    }
    return (all, isWide)
  }

  private func shifted(_ key: ScreenKey, _ rows: KeyRows) -> ScreenKey {
    // Shifted rows are in the table.
    if layer == .letters, held.isEmpty, rows.letters.shift == .rows { return key }
    guard shift != .off, case .character(let scalar) = key else { return key }
    return Unicode.Scalar(LetterCase.capital(scalar.value)).map { .character($0) } ?? key
  }

  private func key(_ wanted: Int) -> ScreenKey? {
    var found: ScreenKey?
    forEachKey { index, key, _ in if index == wanted { found = key } }
    return found
  }

  func isPressed(_ index: Int) -> Bool {
    for finger in 0..<pressed.count where pressed[finger] == index { return true }
    return false
  }

  // MARK: Fingers

  /// A finger goes down on it.
  func down(_ point: Point, finger: Int, at time: Int64) -> KeyStroke? {
    guard pressed.indices.contains(finger) else { return nil }
    selection = nil
    var found = -1
    forEachKey { index, _, rect in if rect.contains(point) { found = index } }
    pressed[finger] = found
    (repeatAt, holder) = (nil, finger)
    switch key(found) {
    case .backspace:
      // It acts at once, and repeats while it is held.
      repeatAt = time + Budget.keyDelayMilliseconds
      return .backspace
    case .character(let scalar) where KeyLetters.relatives(of: Self.small(scalar).span) != nil:
      repeatAt = time + Budget.longPressMilliseconds
    default: break
    }
    return nil
  }

  /// A finger is lifted: types the key when the finger is still on it.
  func up(_ point: Point, finger: Int, at time: Int64) -> KeyStroke? {
    guard pressed.indices.contains(finger) else { return nil }
    let wanted = pressed[finger]
    pressed[finger] = -1
    var found: ScreenKey?
    forEachKey { index, key, rect in if index == wanted, rect.contains(point) { found = key } }
    if finger == holder { repeatAt = nil }
    if wanted >= 0, key(wanted) == .backspace { return nil }
    return found.flatMap { type($0, at: time) }
  }

  /// A finger is gone, or has left its key.
  func cancel(finger: Int) {
    guard pressed.indices.contains(finger) else { return }
    pressed[finger] = -1
    repeatAt = nil
  }

  /// Repeats a held key, or offers the relatives of a letter: then it looks different, and nothing is typed.
  func advance(to time: Int64) -> (stroke: KeyStroke?, isNew: Bool) {
    guard let at = repeatAt, time >= at else { return (nil, false) }
    if case .character(let scalar) = key(pressed[holder]) {
      release()
      held = Self.small(scalar)
      return (nil, true)
    }
    repeatAt = time + Budget.keyRepeatMilliseconds
    return (.backspace, true)
  }

  private static func small(_ scalar: Unicode.Scalar) -> InlineText<8> {
    var text = InlineText<8>()
    text.fill { Characters.write(LetterCase.small(scalar.value), to: $0) }
    return text
  }

  // MARK: Typing

  private func type(_ key: ScreenKey, at time: Int64) -> KeyStroke? {
    if key != .shift { held.clear() }
    switch key {
    case .character(let scalar):
      if shift == .once { shift = .off }
      // A letter with a mark is one among others.
      if layer == .accents { layer = .letters }
      return .character(scalar)
    case .backspace: return .backspace
    case .enter: return .enter
    case .hide: return .hide
    case .shift:
      let isDouble = time - shiftTime <= Budget.doubleTapMilliseconds
      shift = shift == .off ? .once : shift == .once && isDouble ? .locked : .off
      shiftTime = time
    case .letters: layer = .letters
    case .digits: layer = .digits
    case .signs: layer = .signs
    case .accents: layer = .accents
    case .language: (isLatin, layer, shift) = (!isLatin, .letters, .off)
    }
    return nil
  }

  /// Goes to the next key or the one before, around the end.
  func select(_ isForward: Bool) {
    var count = 0
    forEachKey { _, _, _ in count += 1 }
    guard count > 0 else { return }
    let place = selection ?? (isForward ? count - 1 : 0)
    selection = (place + (isForward ? 1 : count - 1)) % count
  }

  /// Types the key that is selected.
  func press(at time: Int64) -> KeyStroke? {
    guard let selection, let key = key(selection) else { return nil }
    let stroke = type(key, at: time)
    var count = 0
    forEachKey { _, _, _ in count += 1 }
    if self.selection != nil { self.selection = min(selection, max(count - 1, 0)) }
    return stroke
  }

  // MARK: Drawing

  func draw(into list: DisplayList, _ flow: TextFlow) {
    guard isShown else { return }
    list.add(.fill(frame, radius: 0, .solid(theme.modal)))
    list.add(.fill(Rect(frame.x, frame.y, frame.width, Int32(theme.hairline)), radius: 0, .solid(theme.divider)))
    forEachKey { index, key, cell in
      let rect = cell.inset(by: theme.px(2))
      let isOn = isPressed(index) || key == .shift && shift != .off
      let isPlain = key.width == 2 || key.isWide
      let fill = isOn ? theme.accent : isPlain ? theme.secondaryButton : theme.field
      let ink = isOn ? theme.onAccent : theme.text
      list.add(.fill(rect, radius: theme.fieldRadius, .solid(fill)))
      if selection == index {
        list.add(.border(rect, radius: theme.fieldRadius, width: Int16(theme.px(3)), theme.accent))
      }
      draw(key, rect, ink, list, flow)
      if key == .shift, shift == .locked {
        let mark = Rect(rect.x + rect.width / 3, rect.maxY - theme.px(6), rect.width / 3, theme.px(3))
        list.add(.fill(mark, radius: 0, .solid(ink)))
      }
    }
  }

  private func draw(_ key: ScreenKey, _ rect: Rect, _ ink: Color, _ list: DisplayList, _ flow: TextFlow) {
    if let icon = key.icon {
      let side = min(theme.iconSize, rect.height, rect.width)
      let place = Rect(rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2, side, side)
      return list.add(.icon(icon, place, ink))
    }
    var text = rows.label(key)
    let font = theme.font(text.isEmpty ? .h3 : .body)
    if text.isEmpty, case .character(let scalar) = key { text.fill { Characters.write(scalar.value, to: $0) } }
    flow.take(text.span, font, isMarkdown: false)
    let height = flow.arrange(width: max(rect.width, 1), mostLines: 1)
    flow.draw(
      into: list, at: Point(rect.x, rect.y + (rect.height - height) / 2), width: rect.width, ink, alignment: .center)
  }
}

extension ScreenKey {
  /// Its label.
  func write(to text: inout InlineText<8>) {
    guard case .character(let scalar) = self else { return text = InlineText(cutting: word) }
    text.fill { Characters.write(scalar.value, to: $0) }
  }
}
