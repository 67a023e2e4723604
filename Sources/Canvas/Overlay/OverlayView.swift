import Codec
import Graphics
import Runtime

/// What stands in front of every page: lights of the camera, the microphone and a recording of the screen, a border
/// while the agent wants a person or may use what a person has granted, the question whether it may, a notification,
/// and the cover while the board is paused. Content cannot cover any of it.
public final class OverlayView {
  let flow: TextFlow
  let consent: ConsentPanel
  /// What the gateway asks, behind the question about the board's own devices.
  let approval: ConsentPanel
  /// How far the orb is, and when it looks different.
  var orbStep = 0
  private var orbAt: Int64?
  /// Until when the countdown of a grant is shown, after a touch, and the seconds of it that are left.
  var countdownEnd: Int64?
  var grantSeconds: Int64 = 0
  /// What it shows.
  public private(set) var facts = OverlayFacts()
  private var title = InlineText<96>()
  private var body = InlineText<256>()
  private var toastEnd: Int64?
  private var toastFrame = Rect(0, 0, 0, 0)
  /// True when there is a conversation to return to.
  private var hasChat = false
  /// The border is drawn; it comes and goes while it is urgent.
  private var isBorderLit = true
  private var nextBlink: Int64?
  var size = Size(0, 0)
  var theme = Theme()

  /// An overlay that sets its text with `flow`. `answers`: the buttons of the question whether the agent may use a
  /// device.
  @export(interface)
  public init(flow: TextFlow, answers: [StaticString] = []) {
    self.flow = flow
    consent = ConsentPanel(flow: flow, labels: answers)
    approval = ConsentPanel(flow: flow, labels: Self.approvalAnswers)
  }

  // MARK: What it says

  /// Lays it out for a screen.
  public func fit(_ size: Size, _ theme: Theme) {
    (self.size, self.theme) = (size, theme)
    consent.fit(size, theme)
    approval.fit(size, theme)
  }

  /// Sets the contents; false when nothing changed.
  public func take(_ facts: OverlayFacts, at now: Int64) -> Bool {
    guard facts != self.facts else { return false }
    if facts.border != self.facts.border {
      isBorderLit = true
      nextBlink = Self.blinkPeriod(facts.border).map { now + $0 }
    }
    _ = consent.take(facts.isHeld ? nil : facts.consent, at: now)
    _ = approval.take(facts.isHeld || facts.consent != nil ? nil : facts.approval, at: now)
    if facts.orb != self.facts.orb {
      orbStep = 0
      orbAt = orbPeriod(facts.orb).map { now + $0 }
    }
    if facts.grant == nil { countdownEnd = nil }
    self.facts = facts
    countGrant(at: now)
    return true
  }

  /// Shows a notification for a while, in place of the one before.
  public func toast(_ title: Span<UInt8>, _ body: Span<UInt8>, at now: Int64) {
    self.title = InlineText(cutting: title)
    self.body = InlineText(cutting: body)
    toastEnd = now + Budget.toastMilliseconds
  }

  /// Removes the notification; false when there was none.
  public func endToast() -> Bool {
    defer { toastEnd = nil }
    return toastEnd != nil
  }

  /// Shows or hides the button back to the conversation that the agent's page has replaced.
  public func setChat(_ hasChat: Bool) { self.hasChat = hasChat }

  /// Milliseconds between lit and dark; nil: the border stands still.
  private static func blinkPeriod(_ level: BorderLevel) -> Int64? {
    switch level {
    case .none, .passive, .notify, .active: nil
    case .interrupt: 1_000
    case .urgent: 400
    }
  }

  // MARK: Time

  /// When `advance` has to be called; nil: nothing comes or goes by itself.
  public var nextDeadline: Int64? {
    var earliest = Int64.max
    if let toastEnd { earliest = min(earliest, toastEnd) }
    if let nextBlink { earliest = min(earliest, nextBlink) }
    if let instant = consent.nextDeadline { earliest = min(earliest, instant) }
    if let instant = approval.nextDeadline { earliest = min(earliest, instant) }
    if let orbAt { earliest = min(earliest, orbAt) }
    if let countdownEnd { earliest = min(earliest, countdownEnd) }
    if countdownEnd != nil, let end = facts.grant?.end { earliest = min(earliest, end - (grantSeconds - 1) * 1000) }
    return earliest == .max ? nil : earliest
  }

  /// Advances time. True when something looks different.
  public func advance(to now: Int64) -> Bool {
    var hasChanged = false
    if let end = toastEnd, now >= end { (toastEnd, hasChanged) = (nil, true) }
    if consent.advance(to: now) { hasChanged = true }
    if approval.advance(to: now) { hasChanged = true }
    if let at = orbAt, now >= at {
      orbStep = (orbStep + 1) % 8
      orbAt = orbPeriod(facts.orb).map { now + $0 }
      hasChanged = true
    }
    if let end = countdownEnd, now >= end { (countdownEnd, hasChanged) = (nil, true) }
    if countdownEnd != nil, countGrant(at: now) { hasChanged = true }
    if let blink = nextBlink, now >= blink {
      isBorderLit.toggle()
      nextBlink = Self.blinkPeriod(facts.border).map { now + $0 }
      hasChanged = true
    }
    return hasChanged
  }

  // MARK: Drawing

  /// True for a touch of the notification, which is meant for it and not for the page after.
  public func takes(_ place: Point) -> Bool { toastEnd != nil && !facts.isHeld && toastFrame.contains(place) }

  /// True for a touch of the button back to the conversation.
  public func takesChat(_ place: Point) -> Bool { hasChat && !facts.isHeld && chatFrame.contains(place) }

  /// In the lower left corner, where pages have least.
  private var chatFrame: Rect {
    let (width, height) = (theme.px(64), theme.px(34))
    return Rect(theme.px(8), size.height - height - theme.px(8), width, height)
  }

  /// True when the page below is hidden.
  public var coversAll: Bool { facts.isHeld }

  /// Draws it in front of what the list has.
  @export(interface)
  public func draw(into list: DisplayList) {
    if facts.isHeld {
      drawCover(into: list)
    } else {
      drawGrant(into: list)
      drawBorder(into: list)
      if hasChat { drawChat(into: list) }
      drawToast(into: list)
      approval.draw(into: list)
      consent.draw(into: list)
      drawOrb(into: list)
    }
    drawLights(into: list)
  }

  private func drawCover(into list: DisplayList) {
    let screen = Rect(0, 0, size.width, size.height)
    list.add(.fill(screen, radius: 0, .solid(theme.page)))
    let width = max(min(size.width - 2 * theme.px(20), theme.px(480)), 1)
    let title: StaticString = "Held by a person"
    let body: StaticString =
      "No camera, no microphone, no gateway. Three fingers on the screen, or the button for 3 seconds, let go."
    flow.take(title.utf8Bytes, theme.font(.h1), isMarkdown: false)
    let titleHeight = flow.arrange(width: width)
    flow.take(body.utf8Bytes, theme.font(.body), isMarkdown: false)
    let height = titleHeight + theme.px(10) + flow.arrange(width: width)
    let start = Point((size.width - width) / 2, max((size.height - height) / 2, theme.px(8)))
    flow.draw(
      into: list, at: Point(start.x, start.y + titleHeight + theme.px(10)), width: width, theme.mutedText,
      alignment: .center)
    flow.take(title.utf8Bytes, theme.font(.h1), isMarkdown: false)
    _ = flow.arrange(width: width)
    flow.draw(into: list, at: start, width: width, theme.error, alignment: .center)
  }

  private func drawBorder(into list: DisplayList) {
    guard facts.border != .none, isBorderLit else { return }
    let screen = Rect(0, 0, size.width, size.height)
    list.add(.border(screen, radius: 0, width: Int16(borderWidth), borderColor))
  }

  /// The width of the agent's border in pixels, also while it is dark for a moment; 0 without one.
  var borderWidth: Int32 { facts.border == .none ? 0 : theme.px(facts.border == .passive ? 2 : 5) }

  private var borderColor: Color {
    switch facts.border {
    case .none, .passive: theme.mutedText
    case .notify, .active: Color(0x3B82F6)
    case .interrupt: Color(0xF59E0B)
    case .urgent: theme.error
    }
  }

  private func drawChat(into list: DisplayList) {
    let frame = chatFrame
    drawPanel(frame, radius: Int16(frame.height / 2), into: list)
    let word: StaticString = "Chat"
    flow.take(word.utf8Bytes, theme.font(.h5), isMarkdown: false)
    let height = flow.arrange(width: frame.width)
    flow.draw(
      into: list, at: Point(frame.x, frame.y + (frame.height - height) / 2), width: frame.width, theme.text,
      alignment: .center)
  }

  /// At the top of the page.
  private func drawToast(into list: DisplayList) {
    guard toastEnd != nil else { return }
    let padding = theme.px(14)
    let width = max(min(size.width - 2 * theme.pageMargin, theme.px(520)) - 2 * padding, 1)
    let titleHeight = arrange(title.span, .h4, width, mostLines: 2)
    let gap = titleHeight > 0 && !body.isEmpty ? theme.px(4) : 0
    let bodyHeight = arrange(body.span, .body, width, mostLines: 5)
    let frame = Rect(
      (size.width - width) / 2 - padding, theme.pageMargin, width + 2 * padding,
      titleHeight + gap + bodyHeight + 2 * theme.px(12))
    toastFrame = frame
    drawPanel(frame, radius: theme.cardRadius, into: list)
    let start = Point(frame.x + padding, frame.y + theme.px(12))
    flow.draw(
      into: list, at: Point(start.x, start.y + titleHeight + gap), width: width, theme.mutedText, alignment: .start)
    _ = arrange(title.span, .h4, width, mostLines: 2)
    flow.draw(into: list, at: start, width: width, theme.text, alignment: .start)
  }

  private func arrange(_ text: Span<UInt8>, _ size: Theme.TypeSize, _ width: Int32, mostLines: Int) -> Int32 {
    flow.take(text, theme.font(size), isMarkdown: false)
    return text.isEmpty ? 0 : flow.arrange(width: width, mostLines: mostLines)
  }

  func drawPanel(_ frame: Rect, radius: Int16, into list: DisplayList) {
    list.add(.shadow(frame, radius: radius, blur: Int16(theme.px(18)), down: Int16(theme.px(6)), theme.shadow))
    list.add(.fill(frame, radius: radius, .solid(theme.modal)))
    list.add(.border(frame, radius: radius, width: theme.hairline, theme.cardBorder))
  }

  /// In the upper right corner, in front of all.
  private func drawLights(into list: DisplayList) {
    let side = theme.px(22)
    var x = size.width - theme.px(6) - side
    if facts.isCameraLive {
      drawLight(.camera, Rect(x, theme.px(6), side, side), into: list)
      x -= side + theme.px(4)
    }
    if facts.isMicrophoneLive {
      drawLight(.microphone, Rect(x, theme.px(6), side, side), into: list)
      x -= side + theme.px(4)
    }
    if facts.isRecorded { drawLight(.visibility, Rect(x, theme.px(6), side, side), into: list) }
  }

  private func drawLight(_ icon: Icon, _ rect: Rect, into list: DisplayList) {
    list.add(.fill(rect, radius: Int16(rect.width / 2), .solid(Color(0xDC2626))))
    list.add(.icon(icon, rect.inset(by: rect.width / 5), .white))
  }
}
