import Runtime

/// Gets presses of the talk button.
public protocol TalkButtonDelegate: AnyObject {
  func talkButtonPressed()
  /// It was released this many milliseconds after it was pressed.
  func talkButtonReleased(after milliseconds: Int64)
}

/// A separate button for talking: debounced, and opened again after a failure. A press from before the start is
/// ignored.
public final class TalkButton: ButtonDelegate {
  private let button: any Button
  private let clock: any Clock
  private let log: Log
  private var delegate: (any TalkButtonDelegate)?
  private var debouncer = Debouncer(Budget.buttonDebounce)
  private var retry = Retry()
  private var isOpen = false
  private var isOpening = false
  /// When it was pressed; nil also when the press is ignored.
  private var pressedAt: Int64?
  private var failure: Errno?

  /// A button that is not opened until `start`.
  @export(interface)
  public init(_ button: any Button, clock: any Clock, log: Log) {
    self.button = button
    self.clock = clock
    self.log = log
  }

  /// Why it does not work; nil: it does.
  public var fault: Errno? { failure }

  /// Opens the line. The delegate is retained until `stop`.
  public func start(_ delegate: any TalkButtonDelegate) {
    self.delegate = delegate
    open(at: clock.monotonic)
  }

  /// Closes the line. A press ends without a call of the delegate.
  public func stop() {
    if isOpen { button.stop() }
    (isOpen, pressedAt, delegate) = (false, nil, nil)
    debouncer.begin(false)
    retry.forget()
  }

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? { earliest(retry.deadline, debouncer.deadline) }

  /// Lets time pass.
  public func advance(to now: Int64) {
    if let deadline = retry.deadline, now >= deadline { open(at: now) }
    guard let deadline = debouncer.deadline, now >= deadline else { return }
    if isOpen { button.catchUp() }
    settle(to: now)
  }

  private func open(at now: Int64) {
    isOpening = true
    defer { isOpening = false }
    debouncer.begin(false)
    do throws(Errno) {
      try button.start(self)
      isOpen = true
      retry.worked(at: now)
      if failure != nil { log.write(.notice, "talk", "the talk button works") }
      failure = nil
    } catch {
      failed(error, at: now)
    }
  }

  private func settle(to instant: Int64) {
    while let change = debouncer.settled(by: instant) {
      if debouncer.isPressed { press(at: change) } else { release(at: change) }
    }
  }

  private func press(at instant: Int64) {
    pressedAt = instant
    delegate?.talkButtonPressed()
  }

  private func release(at instant: Int64) {
    guard let since = pressedAt else { return }
    pressedAt = nil
    delegate?.talkButtonReleased(after: instant - since)
  }

  // MARK: ButtonDelegate

  public func buttonChanged(isPressed: Bool, at instant: Int64) {
    if isOpening { return debouncer.begin(isPressed) }
    let instant = min(instant, clock.monotonic)
    settle(to: instant)
    debouncer.edge(isPressed, at: instant)
  }

  /// Edges were lost, so a press is taken as ended.
  public func buttonMissed(isPressed: Bool, at instant: Int64) {
    debouncer.begin(isPressed)
    if !isPressed { release(at: instant) }
  }

  public func buttonFailed(_ reason: Errno) {
    guard isOpen else { return }
    isOpen = false
    button.stop()
    debouncer.begin(false)
    release(at: clock.monotonic)
    failed(reason, at: clock.monotonic)
  }

  private func failed(_ reason: Errno, at now: Int64) {
    retry.failed(at: now)
    guard failure != reason else { return }
    failure = reason
    log.write(.warning, "talk") { line in
      line.add("the talk button does not work: ")
      line.add(DeviceTrouble(reason, of: .line))
      line.add("; it is tried again from time to time")
    }
  }
}
