import Codec
import Graphics
import Runtime

/// Gets the actions of the person.
public protocol HomeDelegate: AnyObject {
  /// The person wants to talk to the agent.
  func chatWanted()
}

/// The page that is shown until something is sent to the board: a clock, what the agent has said last, and a button to
/// the conversation. A touch shows the technical side for a while; a board that waits for approval shows nothing else.
public final class HomeView: ScreenPage {
  let flow: TextFlow
  private let encoder: any QREncoder
  let code = QRModules()
  private(set) var facts = HomeFacts()
  private(set) var size = Size(0, 0)
  private(set) var theme = Theme()
  private var gestures = PointerGestures(scale: 1)
  private var isPressed = false
  /// Until when the technical side is shown after a touch; nil: the face is.
  private var detailsUntil: Int64?
  /// A key was used last: the button shows that it has the focus.
  private var showsRing = false
  /// Outlives this object.
  public unowned(unsafe) var delegate: (any HomeDelegate)?

  /// A home that sets its text with `flow`.
  @export(interface)
  public init(flow: TextFlow, encoder: any QREncoder) {
    self.flow = flow
    self.encoder = encoder
  }

  /// Sets the contents; false when nothing changed.
  public func take(_ facts: HomeFacts) -> Bool {
    guard !facts.equals(self.facts) else { return false }
    if !facts.command.equals(self.facts.command.span) || !facts.page.equals(self.facts.page.span) {
      code.fill { _ in nil }
      // A phone can do nothing with a command.
      if !facts.command.isEmpty, !facts.page.isEmpty { encoder.encode(facts.page.span, into: code) }
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

  /// The technical side is shown instead of the face.
  var showsDetails: Bool { !facts.command.isEmpty || detailsUntil != nil }

  // MARK: Input

  public func input(_ event: InputEvent, at instant: Int64) -> Bool {
    var isNew = false
    switch event {
    case .pointer(let what, let id, let place):
      gestures.feed(what, id: id, place, at: instant) { if take($0, at: instant) { isNew = true } }
    case .key(let key, let isDown, let isRepeat, let modifiers):
      guard facts.canChat, isDown, !isRepeat, !modifiers.contains(.control), !modifiers.contains(.alt) else {
        return false
      }
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

  public func reacts(at place: Point) -> Bool { button.contains(place) }

  private func take(_ gesture: PointerGesture, at now: Int64) -> Bool {
    let before = (isPressed, showsRing)
    let wasDetailed = showsDetails
    switch gesture {
    case .down(let place): (isPressed, showsRing) = (button.contains(place), false)
    case .tap(let place):
      let isHit = isPressed && button.contains(place)
      isPressed = false
      if isHit {
        delegate?.chatWanted()
      } else {
        detailsUntil = detailsUntil == nil ? now + Budget.homeDetailsMilliseconds : nil
      }
    case .notTap, .cancel: isPressed = false
    default: break
    }
    return before != (isPressed, showsRing) || wasDetailed != showsDetails
  }

  /// The button at the foot of the screen; empty while there is none.
  private var button: Rect {
    guard facts.canChat else { return .empty }
    let width = min(theme.px(150), size.width - 2 * theme.pageMargin)
    let height = theme.target
    return Rect((size.width - width) / 2, size.height - height - theme.px(14), width, height)
  }

  public var nextDeadline: Int64? { earliest(gestures.nextDeadline, detailsUntil) }

  public func advance(to now: Int64) -> Bool {
    var isNew = false
    gestures.advance(to: now) { if take($0, at: now) { isNew = true } }
    if let until = detailsUntil, now >= until { (detailsUntil, isNew) = (nil, true) }
    return isNew
  }

  // MARK: Drawing

  @export(interface)
  public func draw(into list: DisplayList) {
    list.add(.fill(Rect(0, 0, size.width, size.height), radius: 0, .solid(theme.page)))
    showsDetails ? drawDetails(into: list) : drawFace(into: list)
  }

  /// The button, or why there is none where that is wanted; where that begins, else the lower margin.
  func drawFoot(into list: DisplayList, saysWhy: Bool) -> Int32 {
    if facts.canChat {
      let radius = Int16(button.height / 2)
      list.add(.fill(button, radius: radius, .solid(theme.secondaryButton)))
      list.add(.border(button, radius: radius, width: theme.hairline, theme.fieldBorder))
      if isPressed { list.add(.fill(button, radius: radius, .solid(theme.text.opacity(30)))) }
      if showsRing { list.add(.border(button, radius: radius, width: Int16(theme.px(2)), theme.accent)) }
      let word: StaticString = "Chat"
      flow.take(word.utf8Bytes, theme.font(.h4), isMarkdown: false)
      let height = flow.arrange(width: button.width)
      let place = Point(button.x, button.y + (button.height - height) / 2)
      flow.draw(into: list, at: place, width: button.width, theme.text, alignment: .center)
      return button.y
    }
    guard saysWhy, !facts.noChat.isEmpty else { return size.height - theme.px(8) }
    let width = max(min(size.width - 2 * theme.px(16), theme.px(560)), 1)
    flow.take(facts.noChat.span, theme.font(.caption), isMarkdown: false)
    let height = flow.arrange(width: width, mostLines: 3)
    let place = Point((size.width - width) / 2, size.height - height - theme.px(12))
    flow.draw(into: list, at: place, width: width, theme.mutedText, alignment: .center)
    return place.y
  }
}
