import Runtime

/// Makes gestures of debounced presses. All instants are monotonic milliseconds and come in their order.
struct GestureReader {
  /// Since when the button is down.
  private var pressedAt: Int64?
  private var releasedAt = Int64.min / 2
  /// What this press has become already.
  private var isPanic = false, isReset = false
  /// This press means nothing: the button was down at the start, or bounced, or has taken an offer back, or nobody knows when it
  /// began.
  private var isVoid = false
  /// The offer of a reset, by when it was made.
  private var offeredAt: Int64?
  /// The button has been down for too long to be a person.
  private(set) var isStuck = false

  /// Down, and no gesture yet: the light tells that the press is felt.
  var isPressed: Bool { pressedAt != nil && !isPanic && !isVoid }

  /// The button is down before anybody can have pressed it.
  mutating func beginPressed(at instant: Int64) {
    forget()
    pressedAt = instant
    isVoid = true
    isStuck = true
  }

  /// Nothing is pressed, nothing offered.
  mutating func forget() { self = GestureReader() }

  /// When the next gesture is due while nothing changes.
  var deadline: Int64? {
    guard let pressedAt else { return offerEnd }
    if isStuck { return nil }
    if !isVoid, !isPanic { return pressedAt + Budget.buttonPanic }
    if !isVoid, !isReset { return pressedAt + Budget.buttonReset }
    return earliest(pressedAt + Budget.buttonStuck, offerEnd)
  }

  private var offerEnd: Int64? { offeredAt.map { $0 + Budget.buttonOffer } }

  /// The next gesture that is due by now; asked again until there is none.
  mutating func next(by now: Int64) -> Gesture? {
    if let pressedAt {
      if !isVoid, !isPanic, now >= pressedAt + Budget.buttonPanic { return long() }
      if isPanic, !isReset, !isVoid, now >= pressedAt + Budget.buttonReset {
        isReset = true
        offeredAt = pressedAt + Budget.buttonReset
        return .offerReset
      }
      if now >= pressedAt + Budget.buttonStuck { isStuck = true }
    }
    // A press that may confirm decides by itself.
    guard pressedAt == nil || isReset || isVoid, let offerEnd, now >= offerEnd else { return nil }
    offeredAt = nil
    return .withdrawReset
  }

  private mutating func long() -> Gesture {
    isPanic = true
    guard offeredAt != nil else { return .panic }
    offeredAt = nil
    isVoid = true
    return .withdrawReset
  }

  /// The button went down. What was due before has been asked for.
  mutating func pressed(at instant: Int64) {
    pressedAt = instant
    isPanic = false
    isReset = false
    isVoid = offeredAt != nil && instant - releasedAt < Budget.buttonConfirmPause
  }

  /// Nobody knows what the button did before. An offer stands.
  mutating func miss(_ isPressed: Bool, at instant: Int64) {
    let offer = offeredAt
    forget()
    offeredAt = offer
    releasedAt = instant
    guard isPressed else { return }
    pressedAt = instant
    isVoid = true
  }

  /// The button came up. What was due before has been asked for.
  mutating func released(at instant: Int64) -> Gesture? {
    defer {
      pressedAt = nil
      isStuck = false
      isReset = false
      releasedAt = instant
    }
    if isPanic, !isReset, !isVoid { return .letGo }
    guard !isVoid, !isPanic, pressedAt != nil else { return nil }
    guard offeredAt != nil else { return .acknowledge }
    offeredAt = nil
    return .confirmReset
  }
}
