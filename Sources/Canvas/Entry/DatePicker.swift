import Codec
import Graphics
import Locales
import Runtime

/// The result of a touch or a key.
enum PickerResult: Equatable, Sendable {
  case nothing, changed
  /// Closed by a button: cleared, cancelled, or with the shown value.
  case closed(PickerButton)
}

/// The buttons below the columns, in their order.
enum PickerButton: Int, CaseIterable, Sendable {
  case clear, cancel, done

  var label: StaticString {
    switch self {
    case .clear: "Clear"
    case .cancel: "Cancel"
    case .done: "Done"
    }
  }
}

/// The picker of a date, a time of day, or both: a column for each part, with a step up above and a step down below. A
/// state machine.
final class DatePicker {
  /// What can be touched or selected.
  enum Target: Equatable, Sendable {
    case up(DateTimeValue.Part), down(DateTimeValue.Part)
    case button(PickerButton)
  }

  private(set) var isOpen = false
  private(set) var value = DateTimeValue(unixMilliseconds: 0)
  private(set) var hasDate = true
  private(set) var hasTime = true
  /// How dates are written, and which part stands in which column.
  private(set) var locale = Locale.plain
  private var order: InlineArray<5, DateTimeValue.Part> = [.year, .month, .day, .hour, .minute]
  private var least: DateTimeLimit?
  private var most: DateTimeLimit?
  private(set) var pressed: Target?
  /// The focus: a column, or a button.
  private(set) var selection = 0
  /// True while next and previous change the selected column.
  private(set) var isTurning = false
  /// True after a key was used: the focus is shown.
  private(set) var showsSelection = false
  /// When a held step repeats.
  private(set) var repeatAt: Int64?
  private var size = Size(0, 0)
  private var theme = Theme()

  func fit(_ size: Size, _ theme: Theme) { (self.size, self.theme) = (size, theme) }

  func open(
    _ value: DateTimeValue, hasDate: Bool, hasTime: Bool, showsSelection: Bool, locale: Locale,
    least: DateTimeLimit? = nil, most: DateTimeLimit? = nil
  ) {
    (self.value, self.hasDate, self.hasTime) = (value, hasDate || !hasTime, hasTime || !hasDate)
    (self.locale, self.least, self.most) = (locale, least, most)
    let dateOrder = locale.dateOrder
    for index in 0..<dateOrder.count { order[index] = DateTimeValue.Part(rawValue: dateOrder[index].rawValue) ?? .year }
    limit()
    (isOpen, pressed, repeatAt, selection, isTurning) = (true, nil, nil, 0, false)
    self.showsSelection = showsSelection
  }

  func close() { (isOpen, pressed, repeatAt) = (false, nil, nil) }

  // MARK: Places

  private var firstPart: Int { hasDate ? 0 : 3 }
  /// Columns.
  var columns: Int { (hasTime ? 5 : 3) - firstPart }
  func part(_ column: Int) -> DateTimeValue.Part { order[min(max(firstPart + column, 0), order.count - 1)] }

  private var padding: Int32 { theme.px(10) }
  private var columnWidth: Int32 {
    min(theme.px(hasDate && hasTime ? 72 : 96), (size.width - 2 * padding - theme.px(8)) / Int32(columns))
  }
  private var captionHeight: Int32 { theme.px(18) }
  private var stepHeight: Int32 { min(theme.target, (size.height - 2 * padding - captionHeight) / 5) }

  var frame: Rect {
    let width = max(columnWidth * Int32(columns), min(theme.px(240), size.width - 2 * padding)) + 2 * padding
    let height = captionHeight + 4 * stepHeight + 3 * padding
    return Rect((size.width - width) / 2, (size.height - height) / 2, width, height)
  }

  /// What stands above a column.
  func caption(_ column: Int) -> Rect {
    let up = self.column(column).up
    return Rect(up.x, up.y - captionHeight, up.width, captionHeight)
  }

  /// The step up, the value and the step down of a column, one below the other.
  func column(_ column: Int) -> (up: Rect, value: Rect, down: Rect) {
    let frame = frame
    let left = frame.x + (frame.width - columnWidth * Int32(columns)) / 2 + Int32(column) * columnWidth
    let up = Rect(left, frame.y + padding + captionHeight, columnWidth, stepHeight)
    return (up, up.offset(0, stepHeight), up.offset(0, 2 * stepHeight))
  }

  func place(of button: PickerButton) -> Rect {
    let frame = frame
    let count = Int32(PickerButton.allCases.count)
    let width = (frame.width - (count + 1) * padding) / count
    return Rect(
      frame.x + padding + Int32(button.rawValue) * (width + padding), frame.maxY - padding - stepHeight, width,
      stepHeight)
  }

  private func target(at point: Point) -> Target? {
    for index in 0..<columns {
      let (up, _, down) = column(index)
      if up.contains(point) { return .up(part(index)) }
      if down.contains(point) { return .down(part(index)) }
    }
    for button in PickerButton.allCases where place(of: button).contains(point) { return .button(button) }
    // What is beside it closes it.
    return frame.contains(point) ? nil : .button(.cancel)
  }

  // MARK: Fingers

  /// A finger goes down. A step is done at once, and repeats while it is held.
  func down(_ point: Point, at time: Int64) -> PickerResult {
    pressed = target(at: point)
    showsSelection = false
    switch pressed {
    case .up, .down:
      step()
      repeatAt = time + Budget.keyDelayMilliseconds
    case .button, nil: break
    }
    return pressed == nil ? .nothing : .changed
  }

  func up(_ point: Point) -> PickerResult {
    let wanted = pressed
    (pressed, repeatAt) = (nil, nil)
    guard let wanted else { return .nothing }
    guard wanted == target(at: point) else { return .changed }
    if case .button(let button) = wanted { return .closed(button) }
    return .changed
  }

  func cancel() { (pressed, repeatAt) = (nil, nil) }

  /// Repeats a held step; true when it did.
  func advance(to time: Int64) -> Bool {
    guard let at = repeatAt, time >= at else { return false }
    repeatAt = time + Budget.keyRepeatMilliseconds
    step()
    return true
  }

  private func step() {
    switch pressed {
    case .up(let part): turn(part, by: 1)
    case .down(let part): turn(part, by: -1)
    case .button, nil: break
    }
  }

  private func turn(_ part: DateTimeValue.Part, by step: Int) {
    value.turn(part, by: step)
    limit()
  }

  private func limit() {
    if let most { value = most.applied(to: value, isLeast: false) }
    if let least { value = least.applied(to: value, isLeast: true) }
  }

  /// What a part shows: a month by its name, an hour as the locale's clock has it, anything else in digits.
  func text(_ part: DateTimeValue.Part, isShort: Bool = false) -> InlineText<64> {
    let number = value.number(part)
    switch part {
    case .month:
      return InlineText(cutting: isShort ? locale.shortMonthName(number) : locale.monthName(number))
    case .hour:
      var text = InlineText<64>()
      text.fill { buffer in
        var writer = ByteWriter(into: buffer)
        locale.write(hour: number, into: &writer)
        return min(writer.count, buffer.count)
      }
      return text
    case .year, .day, .minute: return InlineText(cutting: value.text(part).span)
    }
  }

  // MARK: Keys

  func key(_ key: Key, isBack: Bool) -> PickerResult {
    showsSelection = true
    switch key {
    case .escape: return .closed(.cancel)
    case .up where selection < columns, .down where selection < columns:
      turn(part(selection), by: key == .up ? 1 : -1)
    case .next, .previous:
      if isTurning { turn(part(selection), by: key == .next ? 1 : -1) } else { select(key == .next ? 1 : -1) }
    case .tab: select(isBack ? -1 : 1)
    case .right, .down: select(1)
    case .left, .up: select(-1)
    case .activate where selection < columns: isTurning.toggle()
    case .enter, .space, .activate: return .closed(PickerButton(rawValue: selection - columns) ?? .done)
    default: return .nothing
    }
    return .changed
  }

  private func select(_ step: Int) {
    isTurning = false
    let count = columns + PickerButton.allCases.count
    selection = (selection + step + count) % count
  }
}
