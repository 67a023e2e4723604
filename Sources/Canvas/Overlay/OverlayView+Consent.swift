import Codec
import Graphics
import Runtime

/// What people at the board are asked, and what they have granted.
extension OverlayView {
  /// The calm color of consent, which attention does not have.
  static let consentColor = Color(0x14B8A6)
  /// Milliseconds for which a touch shows how long a grant lasts.
  private static let countdown: Int64 = 4_000

  /// True while a question takes all touches.
  public var isAsking: Bool { consent.facts != nil || approval.facts != nil }

  /// What was drawn last is on the panel. Only from then on a question can be answered.
  public func shown(at now: Int64) {
    consent.shown(at: now)
    approval.shown(at: now)
  }

  /// Nobody sees the panel: it is blanked, or another program has it.
  public func darkened() {
    consent.darkened()
    approval.darkened()
  }

  /// True while a question is asked that is not on the panel yet.
  public var isUnseen: Bool {
    consent.facts.map { _ in consent.shownAt == nil } ?? (approval.facts != nil && approval.shownAt == nil)
  }

  /// Since when people see a question whole, in milliseconds of the monotonic clock; nil: it is not on the panel.
  public func readableSince(_ kind: ConsentFacts.Kind, _ number: Int) -> Int64? {
    guard let facts = consent.facts, facts.kind == kind, facts.number == number else { return nil }
    return consent.readableSince
  }

  /// The answers to what the gateway asks, in their order.
  static let approvalAnswers: [StaticString] = ["Allow once", "Refuse", "Later"]

  /// A touch while the gateway asks and the agent does not: the number of the request and of its answer (0 allows it, 1
  /// refuses it, 2 leaves it to others) when this was one. `isNew`: it looks different.
  public func touchApproval(
    _ what: InputEvent.Pointer, id: Int, _ place: Point, at now: Int64
  ) -> (answer: (request: Int, choice: Int)?, isNew: Bool) {
    guard consent.facts == nil else { return (nil, false) }
    let number = approval.facts?.number ?? 0
    let (answer, isNew) = approval.touch(what, id: id, place, at: now)
    return (answer.map { (number, $0) }, isNew)
  }

  /// A touch while a question is shown: the number of the question and of its answer when this was one. `isNew`: it
  /// looks different.
  public func touch(
    _ what: InputEvent.Pointer, id: Int, _ place: Point, at now: Int64
  ) -> (answer: (question: Int, choice: Int)?, isNew: Bool) {
    let number = consent.facts?.number ?? 0
    let (answer, isNew) = consent.touch(what, id: id, place, at: now)
    return (answer.map { (number, $0) }, isNew)
  }

  /// Somebody touches the screen: shows for a moment how long a grant lasts. False when there is none.
  public func showCountdown(at now: Int64) -> Bool {
    guard facts.grant != nil else { return false }
    countdownEnd = now + Self.countdown
    countGrant(at: now)
    return true
  }

  /// True when the seconds that are left have changed.
  @discardableResult
  func countGrant(at now: Int64) -> Bool {
    let before = grantSeconds
    grantSeconds = max((facts.grant?.end ?? now) - now + 999, 0) / 1000
    return grantSeconds != before
  }

  /// A border, and after a touch what is granted and how long that lasts. It is inside of the agent's own border: what
  /// the agent asks for attention with does not cover it.
  func drawGrant(into list: DisplayList) {
    guard let grant = facts.grant else { return }
    let edge = Rect(0, 0, size.width, size.height).inset(by: borderWidth)
    list.add(.border(edge, radius: 0, width: Int16(theme.px(4)), Self.consentColor))
    guard countdownEnd != nil else { return }
    var text = InlineText<160>()
    text.fill { buffer in
      var line = LogLine(buffer)
      line.add("Granted: ")
      line.add(grant.names.span)
      if grant.end != nil {
        line.add(", ")
        line.add(grantSeconds < 120 ? grantSeconds : grantSeconds / 60)
        line.add(grantSeconds < 120 ? " s" : " min")
      }
      return line.count
    }
    flow.take(text.span, theme.font(.caption), isMarkdown: false)
    let padding = theme.px(12)
    let most = max(size.width - 2 * theme.pageMargin - 2 * padding, 1)
    let width = min(flow.widths().max + 1, most)
    let height = flow.arrange(width: width, mostLines: 2)
    let frame = Rect(
      (size.width - width) / 2 - padding, theme.px(8), width + 2 * padding, height + 2 * theme.px(6))
    drawPanel(frame, radius: Int16(min(frame.height / 2, theme.px(16))), into: list)
    flow.draw(
      into: list, at: Point(frame.x + padding, frame.y + theme.px(6)), width: width, theme.text, alignment: .center)
  }
}
