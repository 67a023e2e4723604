import Runtime

/// Reads a button: debounces its edges and makes gestures of them, by their timestamps.
final class ButtonReader {
  private let button: any Button
  private let clock: any Clock
  private let log: Log
  private var panel: FrontPanel?
  private var delegate: (any FrontPanelDelegate)?
  private var debouncer = Debouncer(Budget.buttonDebounce)
  private var gestures = GestureReader()
  private var retry = Retry()
  private var isStarted = false, isOpen = false
  /// True while the button reports its initial state.
  private var isOpening = false
  private var lastStamp = Int64.min / 2
  private var wasStuck = false
  private var failure: Errno?

  init(_ button: any Button, clock: any Clock, log: Log) {
    self.button = button
    self.clock = clock
    self.log = log
  }

  var fault: Errno? { failure ?? (isStuck ? .busy : nil) }
  var isStuck: Bool { gestures.isStuck }
  var isPressed: Bool { gestures.isPressed }
  var pressBegan: Int64? { gestures.beganAt }

  /// The panel is kept until `stop`.
  func start(_ panel: FrontPanel, _ delegate: any FrontPanelDelegate) {
    guard !isStarted else { return }
    isStarted = true
    self.panel = panel
    self.delegate = delegate
    open(at: clock.monotonic)
  }

  func stop() {
    guard isStarted else { return }
    isStarted = false
    if isOpen { button.stop() }
    isOpen = false
    forget()
    retry.forget()
    panel = nil
    delegate = nil
  }

  /// While a contact bounces, gestures wait for it.
  var nextDeadline: Int64? { earliest(retry.deadline, debouncer.deadline ?? gestures.deadline) }

  func advance(to now: Int64) {
    if let deadline = retry.deadline, now >= deadline { open(at: now) }
    guard let next = debouncer.deadline ?? gestures.deadline, now >= next else { return }
    // Edges that the kernel has not delivered yet may be earlier than now.
    if isOpen { button.catchUp() }
    settle(to: now)
  }

  private func open(at now: Int64) {
    isOpening = true
    defer { isOpening = false }
    forget()
    do throws(Errno) {
      try button.start(self)
      isOpen = true
      retry.worked(at: now)
      if failure != nil { log.write(.notice, "panel") { $0.add("the button works") } }
      failure = nil
      noteStuck()
    } catch {
      failed(error, at: now)
    }
  }

  private func forget() {
    debouncer.begin(false)
    gestures.forget()
    wasStuck = false
    panel?.refresh()
  }

  // MARK: Time

  /// Processes everything up to an instant. While the contact bounces, only up to the bounce.
  private func settle(to instant: Int64) {
    while let change = debouncer.settled(by: instant) {
      give(by: change)
      if debouncer.isPressed {
        gestures.pressed(at: change)
      } else if let gesture = gestures.released(at: change) {
        report(gesture)
      }
    }
    give(by: min(instant, debouncer.changedAt ?? instant))
    noteStuck()
    panel?.refresh()
  }

  private func give(by instant: Int64) {
    while let gesture = gestures.next(by: instant) { report(gesture) }
  }

  private func report(_ gesture: Gesture) { delegate?.gestured(gesture) }

  // MARK: Faults

  private func failed(_ reason: Errno, at now: Int64) {
    retry.failed(at: now)
    guard failure != reason else { return }
    failure = reason
    log.write(.warning, "panel") {
      $0.add("the button does not work: ")
      $0.add(DeviceTrouble(reason, of: .line))
      $0.add("; it is tried again from time to time")
    }
  }

  private func noteStuck() {
    guard isStuck != wasStuck else { return }
    wasStuck = isStuck
    log.write(isStuck ? .warning : .notice, "panel") {
      guard isStuck else { return $0.add("the button is released") }
      $0.add("the button is down, and is ignored until it is released: is it stuck, or is its wiring inverted?")
    }
  }
}

extension ButtonReader: ButtonDelegate {
  func buttonChanged(isPressed: Bool, at instant: Int64) {
    let now = clock.monotonic
    lastStamp = min(max(instant, lastStamp), now)
    if isOpening {
      debouncer.begin(isPressed)
      if isPressed { gestures.beginPressed(at: lastStamp) }
      return
    }
    settle(to: lastStamp)
    debouncer.edge(isPressed, at: lastStamp)
  }

  /// A press that seems to last may have ended long ago, so it is ignored: above all it must not become panic.
  func buttonMissed(isPressed: Bool, at instant: Int64) {
    lastStamp = min(max(instant, lastStamp), clock.monotonic)
    debouncer.begin(isPressed)
    gestures.miss(isPressed, at: lastStamp)
    panel?.refresh()
  }

  func buttonFailed(_ reason: Errno) {
    guard isOpen else { return }
    isOpen = false
    button.stop()
    forget()
    failed(reason, at: clock.monotonic)
  }
}
