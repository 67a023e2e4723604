import Codec
import Graphics
import Runtime

/// The question whether the agent may use a device, or a link may be opened: a panel in front of every page, which no
/// page can cover or press, with a button for each answer. A touch answers when it ends on the button on which it
/// began, and not before the question has been on the panel for `Budget.consentArmMilliseconds`.
final class ConsentPanel {
  private let flow: TextFlow
  /// The answers to what the agent wants to use, in their order; of more than two the last one has a row for itself.
  private let useLabels: [StaticString]
  private let linkLabels: [StaticString] = ["Send it", "No"]
  private(set) var facts: ConsentFacts?
  /// The button that is touched, and the finger's number.
  private var pressed: (choice: Int, id: Int)?
  /// Seconds that are left.
  private var seconds: Int64 = 0
  private var size = Size(0, 0)
  private var theme = Theme()
  private var buttons: [Rect]
  /// Since when a frame with the question is on the panel; nil while none is: whatever was there before, and however
  /// old the question is, nobody has read it earlier.
  private(set) var shownAt: Int64?
  /// The frame that was drawn last has it.
  private var isDrawn = false
  /// True when the second text is shown to its end.
  private var showsAll = false

  init(flow: TextFlow, labels: [StaticString]) {
    self.flow = flow
    useLabels = labels
    buttons = Array(repeating: Rect(0, 0, 0, 0), count: max(labels.count, linkLabels.count))
  }

  private var labels: [StaticString] { facts?.kind == .link ? linkLabels : useLabels }

  /// Rows of buttons.
  private var rows: Int32 { labels.count <= 2 ? 1 : Int32((labels.count + 2) / 2) }

  func fit(_ size: Size, _ theme: Theme) { (self.size, self.theme) = (size, theme) }

  /// Another question, or none. False when nothing changed.
  func take(_ facts: ConsentFacts?, at now: Int64) -> Bool {
    guard facts != self.facts else { return false }
    if facts?.number != self.facts?.number || facts?.kind != self.facts?.kind {
      darkened()
      showsAll = false
      // Until it is drawn, a touch hits what was there before.
      for index in 0..<buttons.count { buttons[index] = Rect(0, 0, 0, 0) }
    }
    self.facts = facts
    count(at: now)
    return true
  }

  /// What was drawn last is on the panel.
  func shown(at now: Int64) {
    if isDrawn, facts != nil, shownAt == nil { shownAt = now }
  }

  /// Nobody sees it any more, or not yet.
  func darkened() { (pressed, shownAt, isDrawn) = (nil, nil, false) }

  /// Since when it can be read, and a yes can be given; nil: not now.
  var readableSince: Int64? { isOffered(0) ? shownAt : nil }

  private func count(at now: Int64) {
    let until = facts?.until ?? 0
    seconds = until == .max ? 0 : max(until - now + 999, 0) / 1000
  }

  /// When the seconds that are left change; nil at 0.
  var nextDeadline: Int64? {
    guard let facts, seconds > 0 else { return nil }
    return facts.until - (seconds - 1) * 1000
  }

  /// True when the seconds have changed.
  func advance(to now: Int64) -> Bool {
    let before = seconds
    count(at: now)
    return facts != nil && seconds != before
  }

  // MARK: Touches

  /// A touch while a question is shown. The number of the answer when this was one; `isNew`: it looks different.
  func touch(_ what: InputEvent.Pointer, id: Int, _ place: Point, at now: Int64) -> (answer: Int?, isNew: Bool) {
    guard let facts else { return (nil, false) }
    let choice = self.choice(at: place)
    switch what {
    case .down:
      guard let shownAt, now - max(facts.askedAt, shownAt) >= Budget.consentArmMilliseconds, pressed == nil, let choice,
        isOffered(choice)
      else { return (nil, false) }
      pressed = (choice, id)
      return (nil, true)
    case .move: return (nil, false)
    case .up, .cancel:
      guard let old = pressed, old.id == id else { return (nil, false) }
      pressed = nil
      return (what == .up && choice == old.choice ? choice : nil, true)
    }
  }

  /// False for a yes to what is not shown to its end, for it is what is agreed to, and for a yes for longer to what can
  /// be allowed only once. The last answer to a use is no, and the others but the first are for longer.
  private func isOffered(_ choice: Int) -> Bool {
    guard let facts else { return false }
    guard facts.kind == .use else { return choice > 0 || showsAll }
    if choice == labels.count - 1 { return true }
    return (showsAll || !facts.mustShowAll) && (choice == 0 || !facts.isOnceOnly)
  }

  private func choice(at place: Point) -> Int? {
    for index in 0..<labels.count where buttons[index].contains(place) { return index }
    return nil
  }

  // MARK: Drawing

  func draw(into list: DisplayList) {
    guard let facts else { return }
    let screen = Rect(0, 0, size.width, size.height)
    list.add(.fill(screen, radius: 0, .solid(theme.shadow)))
    let (padding, gap) = (theme.px(14), theme.px(8))
    let width = max(min(size.width - 2 * theme.pageMargin, theme.px(420)) - 2 * padding, 1)
    // On a small screen the buttons have what the text leaves, but no less than a finger needs.
    let most = (size.height - 2 * theme.px(4) - 2 * padding) / (rows + 2) - gap
    let button = max(min(theme.target, most), theme.px(28))
    let sentence = arrange(facts.sentence.span, .h4, width, lines: 3)
    let room = size.height - 2 * theme.px(4) - 2 * padding - sentence - rows * (button + gap) - theme.px(18)
    let purposeLines = Int(min(max(room / max(theme.px(20), 1), room > theme.px(18) ? 1 : 0), facts.mostLines))
    let purpose = facts.purpose.isEmpty || purposeLines == 0 ? 0 : arrangePurpose(width, purposeLines)
    let isShown = facts.purpose.isEmpty || purpose > 0 && arrangePurpose(width, Budget.flowLines) == purpose
    showsAll = isShown && !facts.isCut
    // Below the message, where there is room, the link itself.
    let previewLines = min(Int(room - purpose) / Int(theme.px(18)), 2)
    let preview = facts.preview.isEmpty || previewLines < 1 ? 0 : arrangePreview(width, previewLines)
    let height = sentence + purpose + preview + theme.px(18) + rows * (button + gap)
    let frame = Rect(
      (size.width - width) / 2 - padding, max((size.height - height) / 2 - padding, 0), width + 2 * padding,
      height + 2 * padding)
    list.add(.fill(frame, radius: theme.cardRadius, .solid(theme.modal)))
    list.add(.border(frame, radius: theme.cardRadius, width: Int16(theme.px(2)), OverlayView.consentColor))
    var y = frame.y + padding
    let x = frame.x + padding
    _ = arrange(facts.sentence.span, .h4, width, lines: 3)
    flow.draw(into: list, at: Point(x, y), width: width, theme.text, alignment: .start)
    y += sentence
    if purpose > 0 {
      _ = arrangePurpose(width, purposeLines)
      flow.draw(into: list, at: Point(x, y), width: width, theme.mutedText, alignment: .start)
      y += purpose
    }
    if preview > 0 {
      _ = arrangePreview(width, previewLines)
      flow.draw(into: list, at: Point(x, y), width: width, theme.mutedText, alignment: .start)
      y += preview
    }
    drawSeconds(at: Point(x, y), width, into: list)
    y += theme.px(18)
    drawButtons(at: Point(x, y), width, button, gap, into: list)
    isDrawn = true
  }

  private func arrange(_ text: Span<UInt8>, _ size: Theme.TypeSize, _ width: Int32, lines: Int) -> Int32 {
    flow.take(text, theme.font(size), isMarkdown: false)
    return flow.arrange(width: width, mostLines: lines)
  }

  private func arrangePurpose(_ width: Int32, _ lines: Int) -> Int32 {
    guard let facts else { return 0 }
    return arrange(facts.purpose.span, .body, width, lines: lines)
  }

  private func arrangePreview(_ width: Int32, _ lines: Int) -> Int32 {
    guard let facts else { return 0 }
    return arrange(facts.preview.span, .caption, width, lines: lines)
  }

  /// How long it waits, or why it cannot be allowed here.
  private func drawSeconds(at place: Point, _ width: Int32, into list: DisplayList) {
    var text = InlineText<64>()
    text.fill { buffer in
      var line = LogLine(buffer)
      if !isOffered(0) {
        line.add("There is no room to show it whole: ")
        switch facts?.kind {
        case .link: line.add("talon open yes shows it.")
        case .use: line.add("talon grants shows it.")
        case .request, nil: line.add("allow it at the gateway.")
        }
        return line.count
      }
      if facts?.until == .max {
        line.add("It waits until somebody answers.")
        return line.count
      }
      line.add("Without an answer: no, in ")
      line.add(seconds)
      line.add(" s")
      return line.count
    }
    _ = arrange(text.span, .caption, width, lines: 1)
    flow.draw(into: list, at: place, width: width, theme.mutedText, alignment: .start)
  }

  /// Two in a row; the last has its own.
  private func drawButtons(
    at place: Point, _ width: Int32, _ height: Int32, _ gap: Int32, into list: DisplayList
  ) {
    let half = (width - gap) / 2
    for index in 0..<labels.count {
      let isLast = labels.count > 2 && index == labels.count - 1
      let row = isLast ? rows - 1 : Int32(index / 2)
      let column = isLast ? 0 : Int32(index % 2)
      let frame = Rect(
        place.x + column * (half + gap), place.y + gap + row * (height + gap), isLast ? width : half, height)
      buttons[index] = frame
      let isPressed = pressed?.choice == index
      let fill = isPressed ? OverlayView.consentColor : theme.secondaryButton
      list.add(.fill(frame, radius: theme.buttonRadius, .solid(fill)))
      let border = isOffered(index) ? theme.fieldBorder : theme.cardBorder
      list.add(.border(frame, radius: theme.buttonRadius, width: theme.hairline, border))
      let text = arrange(labels[index].utf8Bytes, .h5, frame.width, lines: 1)
      let ink = isPressed ? Theme.text(on: fill) : isOffered(index) ? theme.text : theme.mutedText.opacity(50)
      flow.draw(
        into: list, at: Point(frame.x, frame.y + (frame.height - text) / 2), width: frame.width, ink,
        alignment: .center)
    }
  }
}
