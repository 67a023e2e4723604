import Runtime

/// Makes gestures of debounced presses. All instants are monotonic milliseconds in ascending order.
struct GestureReader {
  /// When the button was pressed.
  private var pressedAt: Int64?
  /// When the last press began, also after its end.
  private(set) var beganAt: Int64?
  private var releasedAt = Int64.min / 2
  /// The gestures that this press has already caused.
  private var isHeld = false, isPanic = false, isReset = false
  /// This press is ignored: the button was down at the start, or bounced, or has withdrawn an offer, or its start is
  /// unknown.
  private var isVoid = false
  /// When the reset was offered; nil: it is not.
  private var offeredAt: Int64?
  /// The button has been down for too long to be a press.
  private(set) var isStuck = false

  /// Pressed, without a gesture yet: the light confirms the press.
  var isPressed: Bool { pressedAt != nil && !isPanic && !isVoid }

  /// The button is down at the start.
  mutating func beginPressed(at instant: Int64) {
    forget()
    pressedAt = instant
    isVoid = true
    isStuck = true
  }

  /// Resets everything.
  mutating func forget() { self = GestureReader() }

  /// When the next gesture is due while nothing changes.
  var deadline: Int64? {
    guard let pressedAt else { return offerEnd }
    if isStuck { return nil }
    if !isVoid, !isHeld { return pressedAt + Budget.buttonHeld }
    if !isVoid, !isPanic { return pressedAt + Budget.buttonPanic }
    if !isVoid, !isReset { return pressedAt + Budget.buttonReset }
    return earliest(pressedAt + Budget.buttonStuck, offerEnd)
  }

  private var offerEnd: Int64? { offeredAt.map { $0 + Budget.buttonOffer } }

  /// The next gesture that is due by now; call again until nil.
  mutating func next(by now: Int64) -> Gesture? {
    if let pressedAt {
      if !isVoid, !isHeld, now >= pressedAt + Budget.buttonHeld {
        isHeld = true
        return .held
      }
      if !isVoid, !isPanic, now >= pressedAt + Budget.buttonPanic { return long() }
      if isPanic, !isReset, !isVoid, now >= pressedAt + Budget.buttonReset {
        isReset = true
        offeredAt = pressedAt + Budget.buttonReset
        return .offerReset
      }
      if now >= pressedAt + Budget.buttonStuck { isStuck = true }
    }
    // While a press may still confirm, the offer does not expire.
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

  /// The button was pressed. Call `next` first for the time before it.
  mutating func pressed(at instant: Int64) {
    (pressedAt, beganAt) = (instant, instant)
    isHeld = false
    isPanic = false
    isReset = false
    isVoid = offeredAt != nil && instant - releasedAt < Budget.buttonConfirmPause
  }

  /// Edges were lost. An offer stays valid.
  mutating func miss(_ isPressed: Bool, at instant: Int64) {
    let offer = offeredAt
    forget()
    offeredAt = offer
    releasedAt = instant
    guard isPressed else { return }
    pressedAt = instant
    isVoid = true
  }

  /// The button was released. Call `next` first for the time before it.
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
