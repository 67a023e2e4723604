import Runtime

/// What home says.
public struct HomeFacts: Sendable {
  /// The device's name.
  public var name = InlineText<64>()
  /// How the connection is, in one word, and in a sentence that says what to do.
  public var state = InlineText<32>()
  public var sentence = InlineText<256>()
  /// What a person has to type at the gateway; empty: nothing.
  public var command = InlineText<192>()

  public init() {}

  func equals(_ other: HomeFacts) -> Bool {
    name.equals(other.name.span) && state.equals(other.state.span) && sentence.equals(other.sentence.span)
      && command.equals(other.command.span)
  }
}

/// The screen of a board that nothing was sent to: who it is, and what it needs.
public final class HomeView: ScreenPage {
  private let flow: TextFlow
  private var facts = HomeFacts()
  private var size = Size(0, 0)
  private var theme = Theme()

  public init(measurer: any TextMeasurer) { flow = TextFlow(measurer: measurer) }

  /// Takes what to say; false when it says that already.
  public func take(_ facts: HomeFacts) -> Bool {
    guard !facts.equals(self.facts) else { return false }
    self.facts = facts
    return true
  }

  public func fit(_ size: Size, _ theme: Theme) { (self.size, self.theme) = (size, theme) }

  public func input(_ event: InputEvent, at instant: Int64) -> Bool { false }

  public var nextDeadline: Int64? { nil }

  public func advance(to now: Int64) -> Bool { false }

  /// Everything in the middle, one below the other.
  public func draw(into list: DisplayList) {
    let screen = Rect(0, 0, size.width, size.height)
    list.add(.fill(screen, radius: 0, .solid(theme.page)))
    let width = max(min(size.width - 2 * theme.px(20), theme.px(560)), 1)
    var height: Int32 = 0
    forEachPart { text, font, _, gap in
      flow.take(text, font, isMarkdown: false)
      height += flow.arrange(width: width) + gap
    }
    var y = max((size.height - height) / 2, theme.px(8))
    let x = (size.width - width) / 2
    forEachPart { text, font, color, gap in
      y += gap
      flow.take(text, font, isMarkdown: false)
      let height = flow.arrange(width: width)
      flow.draw(into: list, at: Point(x, y), width: width, color, alignment: .center)
      y += height
    }
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
