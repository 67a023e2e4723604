import Codec
import Graphics
import Runtime

/// Contents of the home page.
public struct HomeFacts: Sendable {
  /// The device's name.
  public var name = InlineText<64>()
  /// The state of the connection in one word, and in a sentence that says what to do.
  public var state = InlineText<32>()
  public var sentence = InlineText<256>()
  /// The command to enter at the gateway; empty: none. Also shown as a QR code.
  public var command = InlineText<192>()
  /// The time of day; empty while unknown.
  public var time = InlineText<16>()
  /// Whether the person can talk to the agent, or why not.
  public var canChat = false
  public var noChat = InlineText<256>()

  public init() {}

  func equals(_ other: HomeFacts) -> Bool {
    name.equals(other.name.span) && state.equals(other.state.span) && sentence.equals(other.sentence.span)
      && command.equals(other.command.span) && time.equals(other.time.span)
      && canChat == other.canChat && noChat.equals(other.noChat.span)
  }
}

/// Gets the actions of the person.
public protocol HomeDelegate: AnyObject {
  /// The person wants to talk to the agent.
  func chatWanted()
}

/// The page that is shown until something is sent to the board: its name, its state, and a button to the conversation.
public final class HomeView: ScreenPage {
  private let flow: TextFlow
  private let encoder: any QREncoder
  private let code = QRModules()
  private var facts = HomeFacts()
  private var size = Size(0, 0)
  private var theme = Theme()
  private var gestures = PointerGestures(scale: 1)
  private var isPressed = false
  /// A key was used last: the button shows that it has the focus.
  private var showsRing = false
  /// Outlives this object.
  public unowned(unsafe) var delegate: (any HomeDelegate)?

  /// A home that sets its text with `flow`.
  public init(flow: TextFlow, encoder: any QREncoder) {
    self.flow = flow
    self.encoder = encoder
  }

  /// Sets the contents; false when nothing changed.
  public func take(_ facts: HomeFacts) -> Bool {
    guard !facts.equals(self.facts) else { return false }
    if !facts.command.equals(self.facts.command.span) {
      facts.command.isEmpty ? code.fill { _ in nil } : encoder.encode(facts.command.span, into: code)
    }
    self.facts = facts
    return true
  }

  public func fit(_ size: Size, _ theme: Theme) {
    (self.size, self.theme) = (size, theme)
    gestures = PointerGestures(scale: Float(theme.scale) / 100)
    isPressed = false
  }

  public var scrolled: Int32 {
    get { 0 }
    set {}
  }

  // MARK: The button

  public func input(_ event: InputEvent, at instant: Int64) -> Bool {
    guard facts.canChat else { return false }
    var isNew = false
    switch event {
    case .pointer(let what, let id, let place):
      gestures.feed(what, id: id, place, at: instant) { if take($0) { isNew = true } }
    case .key(let key, let isDown, let isRepeat, let modifiers):
      guard isDown, !isRepeat, !modifiers.contains(.control), !modifiers.contains(.alt) else { return false }
      switch key {
      case .enter, .space, .activate: delegate?.chatWanted()
      case .tab, .next, .previous, .up, .down, .left, .right:
        isNew = !showsRing
        showsRing = true
      case .escape:
        isNew = showsRing
        showsRing = false
      default: break
      }
    case .hover, .wheel, .character: break
    }
    return isNew
  }

  private func take(_ gesture: PointerGesture) -> Bool {
    let before = (isPressed, showsRing)
    switch gesture {
    case .down(let place): (isPressed, showsRing) = (button.contains(place), false)
    case .tap(let place):
      let isHit = isPressed && button.contains(place)
      isPressed = false
      if isHit { delegate?.chatWanted() }
    case .notTap, .cancel: isPressed = false
    default: break
    }
    return before != (isPressed, showsRing)
  }

  /// The button at the foot of the screen; empty while there is none.
  private var button: Rect {
    guard facts.canChat else { return .empty }
    let width = min(theme.px(150), size.width - 2 * theme.pageMargin)
    let height = theme.px(40)
    return Rect((size.width - width) / 2, size.height - height - theme.px(14), width, height)
  }

  public var nextDeadline: Int64? { gestures.nextDeadline }

  public func advance(to now: Int64) -> Bool {
    var isNew = false
    gestures.advance(to: now) { if take($0) { isNew = true } }
    return isNew
  }

  // MARK: Drawing

  /// The texts in the middle, one below the other; a code beside them, or below them on a screen that stands upright;
  /// the time in the upper left corner.
  public func draw(into list: DisplayList) {
    let screen = Rect(0, 0, size.width, size.height)
    list.add(.fill(screen, radius: 0, .solid(theme.page)))
    var inside = screen.inset(by: theme.px(16))
    inside.height = max(drawFoot(into: list) - theme.px(8) - inside.y, 1)
    let square = codeSquare(inside)
    var texts = inside
    if let square {
      if square.x > inside.x || square.y == inside.y {
        texts.width = max(square.x - inside.x - theme.px(12), 1)
      }
      if !code.draw(into: list, square) { texts = inside }
    }
    let isBelow = square.map { $0.y > inside.y } ?? false
    drawTexts(into: list, texts, height: isBelow ? (square?.y ?? 0) - texts.y - theme.px(8) : texts.height)
    drawTime(into: list)
  }

  /// Where the code stands: at the right of a wide screen, at the foot of a tall one.
  private func codeSquare(_ inside: Rect) -> Rect? {
    guard code.side > 0 else { return nil }
    if inside.width > inside.height {
      let side = min(inside.height, inside.width * 2 / 5)
      return Rect(inside.x + inside.width - side, inside.y, side, inside.height)
    }
    let side = min(inside.width, inside.height * 2 / 5)
    return Rect(inside.x, inside.y + inside.height - side, inside.width, side)
  }

  private func drawTexts(into list: DisplayList, _ room: Rect, height roomHeight: Int32) {
    let width = max(min(room.width, theme.px(560)), 1)
    var height: Int32 = 0
    forEachPart { text, font, _, gap in
      flow.take(text, font, isMarkdown: false)
      height += flow.arrange(width: width) + gap
    }
    var y = room.y + max((roomHeight - height) / 2, 0)
    let x = room.x + (room.width - width) / 2
    forEachPart { text, font, color, gap in
      y += gap
      flow.take(text, font, isMarkdown: false)
      let height = flow.arrange(width: width)
      flow.draw(into: list, at: Point(x, y), width: width, color, alignment: .center)
      y += height
    }
  }

  /// The button, or why there is none; where that begins, else the lower margin.
  private func drawFoot(into list: DisplayList) -> Int32 {
    if facts.canChat {
      let radius = Int16(button.height / 2)
      list.add(.fill(button, radius: radius, .solid(theme.secondaryButton)))
      if isPressed { list.add(.fill(button, radius: radius, .solid(theme.text.opacity(30)))) }
      if showsRing { list.add(.border(button, radius: radius, width: Int16(theme.px(2)), theme.accent)) }
      let word: StaticString = "Chat"
      flow.take(word.utf8Bytes, theme.font(.h4), isMarkdown: false)
      let height = flow.arrange(width: button.width)
      let place = Point(button.x, button.y + (button.height - height) / 2)
      flow.draw(into: list, at: place, width: button.width, theme.text, alignment: .center)
      return button.y
    }
    guard !facts.noChat.isEmpty else { return size.height - theme.px(8) }
    let width = max(min(size.width - 2 * theme.px(16), theme.px(560)), 1)
    flow.take(facts.noChat.span, theme.font(.caption), isMarkdown: false)
    let height = flow.arrange(width: width, mostLines: 3)
    let place = Point((size.width - width) / 2, size.height - height - theme.px(12))
    flow.draw(into: list, at: place, width: width, theme.mutedText, alignment: .center)
    return place.y
  }

  private func drawTime(into list: DisplayList) {
    guard !facts.time.isEmpty else { return }
    flow.take(facts.time.span, theme.font(.h4), isMarkdown: false)
    flow.arrange(width: size.width)
    flow.draw(into: list, at: Point(theme.px(12), theme.px(8)), width: size.width, theme.mutedText)
  }

  private func forEachPart(_ body: (Span<UInt8>, Font, Color, _ gap: Int32) -> Void) {
    if !facts.name.isEmpty { body(facts.name.span, theme.font(.h1), theme.text, 0) }
    if !facts.state.isEmpty { body(facts.state.span, theme.font(.h4), theme.accent, theme.px(10)) }
    if !facts.sentence.isEmpty { body(facts.sentence.span, theme.font(.body), theme.mutedText, theme.px(6)) }
    guard !facts.command.isEmpty else { return }
    var font = theme.font(.body)
    font.isMonospaced = true
    body(facts.command.span, font, theme.text, theme.px(16))
  }
}
