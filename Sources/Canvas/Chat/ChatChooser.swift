import Graphics
import Runtime

/// One row of the list of conversations.
public struct ChatChoice: Equatable, Sendable {
  /// What people read.
  public var label = InlineText<96>()
  /// The conversation that is shown now.
  public var isCurrent = false
  /// A row that is not a conversation, but begins one.
  public var isNew = false

  public init() {}
}

/// The list of agents and conversations, in front of the messages while a person chooses: a panel below the title, with
/// a row for each. It scrolls.
final class ChatChooser {
  private(set) var choices: [ChatChoice] = []
  private(set) var isOpen = false
  /// The row that is touched.
  var pressed: Int?
  /// The row of the keys.
  private(set) var selected = 0
  var scrolling = PageScroll()

  init() { choices.reserveCapacity(Budget.chatChoices) }

  func open() {
    isOpen = true
    selected = 0
    _ = scrolling.move(by: -scrolling.offset)
  }

  func close() {
    isOpen = false
    pressed = nil
    scrolling.stop()
  }

  func removeAll() { choices.removeAll(keepingCapacity: true) }

  /// Adds a row; nothing happens when there is no room.
  func add(_ choice: ChatChoice) {
    if choices.count < Budget.chatChoices { choices.append(choice) }
  }

  func select(_ isForward: Bool) {
    guard !choices.isEmpty else { return }
    selected = (selected + (isForward ? 1 : choices.count - 1)) % choices.count
  }

  // MARK: Places

  func rowHeight(_ theme: Theme) -> Int32 { theme.target }

  /// Its frame below the title.
  func frame(_ list: Rect, _ column: Rect, _ theme: Theme) -> Rect {
    let most = max(list.height - theme.px(8), theme.target)
    let height = min(Int32(max(choices.count, 1)) * rowHeight(theme), most)
    return Rect(column.x, list.y + theme.px(4), column.width, height)
  }

  func row(at place: Point, _ frame: Rect, _ theme: Theme) -> Int? {
    guard frame.contains(place) else { return nil }
    let row = Int((place.y - frame.y + scrolling.offset) / rowHeight(theme))
    return choices.indices.contains(row) ? row : nil
  }

  func arrange(_ frame: Rect, _ theme: Theme) {
    scrolling.setLimit(max(Int32(choices.count) * rowHeight(theme) - frame.height, 0))
  }

  // MARK: Drawing

  func draw(into list: DisplayList, _ frame: Rect, _ theme: Theme, _ flow: TextFlow, showsRing: Bool) {
    list.add(
      .shadow(frame, radius: theme.cardRadius, blur: Int16(theme.px(18)), down: Int16(theme.px(6)), theme.shadow))
    list.add(.fill(frame, radius: theme.cardRadius, .solid(theme.modal)))
    list.add(.border(frame, radius: theme.cardRadius, width: theme.hairline, theme.cardBorder))
    list.add(.clip(frame, radius: 0))
    let height = rowHeight(theme)
    for index in 0..<choices.count {
      let rect = Rect(frame.x, frame.y + Int32(index) * height - scrolling.offset, frame.width, height)
      guard rect.maxY > frame.y, rect.y < frame.maxY else { continue }
      if pressed == index { list.add(.fill(rect, radius: 0, .solid(theme.text.opacity(30)))) }
      if showsRing, selected == index {
        list.add(
          .border(rect.inset(by: theme.px(2)), radius: theme.fieldRadius, width: Int16(theme.px(2)), theme.accent))
      }
      let choice = choices[index]
      flow.take(choice.label.span, theme.font(.body), isMarkdown: false)
      let width = frame.width - 2 * theme.px(14)
      let text = flow.arrange(width: width, mostLines: 1)
      let color = choice.isCurrent || choice.isNew ? theme.accent : theme.text
      flow.draw(into: list, at: Point(rect.x + theme.px(14), rect.y + (height - text) / 2), width: width, color)
    }
    list.add(.endClip)
  }
}
