import Graphics
import Runtime

// What the keys are for.

extension ChatPage {
  func setFocus(_ target: Target) {
    focus = target
    if target == .field { person.wakeCaret() } else { person.hideCaret() }
  }

  /// Moves the focus to the next or the previous target.
  func moveFocus(_ isForward: Bool) {
    var targets = InlineList<16, Target>()
    targets.append(.field)
    targets.append(.action)
    targets.append(.back)
    if !sticks { targets.append(.toEnd) }
    var index = log.count - 1
    // Only the last few failed messages are targets.
    while index >= 0 {
      if canRetry(index) { targets.append(.retry(index)) }
      index -= 1
    }
    if canChoose { targets.append(.title) }
    if hasCamera { targets.append(.camera) }
    index = log.count - 1
    while index >= 0 {
      if canUnfold(index) { targets.append(.fold(index)) }
      index -= 1
    }
    var place = 0
    for index in 0..<targets.count where targets[index] == focus { place = index }
    setFocus(targets[(place + (isForward ? 1 : targets.count - 1)) % targets.count])
    if case .retry(let index) = focus { reveal(index) }
    if case .fold(let index) = focus { reveal(index) }
    person.showsRing = true
  }

  private func reveal(_ index: Int) {
    var top: Int32 = 0
    for above in 0..<index { top += log.height(above) }
    let bottom = top + log.height(index) + 2 * margin
    if top < scrolling.offset { move(by: top - scrolling.offset) }
    if bottom > scrolling.offset + listRect.height { move(by: bottom - scrolling.offset - listRect.height) }
  }
}
