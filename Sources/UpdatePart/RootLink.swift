import Runtime
import Updates

/// Gets what root's side says.
protocol RootLinkDelegate: AnyObject {
  func rootAnswered(_ answer: RootAnswer)
  func rootReported(_ slots: SlotReport?)
  func requestFailed(_ reason: Errno)
}

/// Speaks to root's side through files, on a worker: writes a request, and looks for the answer while one is awaited.
final class RootLink: Job {
  private enum Step { case write, answer, slot }

  private let files: any UpdateFiles
  private let runner: any JobRunner
  private let clock: any Clock
  private unowned(unsafe) let delegate: any RootLinkDelegate
  private let request = FixedBuffer(capacity: Budget.updateRequestBytes)
  private let text = FixedBuffer(capacity: Budget.updateReportBytes)
  private var requestCount = 0
  private var step = Step.slot
  private var hasRequest = false
  private var wantsSlot = false
  private var count: Int?
  private var failure: Errno?
  /// When the answer is looked for; nil: none is awaited.
  private(set) var nextDeadline: Int64?

  init(_ files: any UpdateFiles, runner: any JobRunner, clock: any Clock, delegate: any RootLinkDelegate) {
    self.files = files
    self.runner = runner
    self.clock = clock
    self.delegate = delegate
  }

  /// What root's side says now. Blocks: at start only.
  func readSlots() -> SlotReport? {
    guard let count = try? files.read(.slot, into: text.bytes) else { return nil }
    return SlotReport(UnsafeBufferPointer(text.bytes).extracting(0..<min(count, text.bytes.count)).span)
  }

  /// Hands over a request, whose answer is looked for from then on.
  func send(_ order: RootRequest) {
    requestCount = order.encode(into: request.bytes)
    hasRequest = true
    nextDeadline = clock.monotonic + Budget.updateAnswerPoll
    submit()
  }

  /// No answer is awaited any more.
  func rest() { nextDeadline = nil }

  /// Reads the report of the slots again.
  func lookAtSlots() {
    wantsSlot = true
    submit()
  }

  func advance(to now: Int64) {
    guard let due = nextDeadline, now >= due else { return }
    nextDeadline = now + Budget.updateAnswerPoll
    submit()
  }

  private func submit() {
    if isPending { return }
    step = hasRequest ? .write : wantsSlot ? .slot : .answer
    // A full queue is tried again a moment later.
    if !runner.submit(self) { nextDeadline = clock.monotonic + Budget.updateAnswerPoll }
  }

  override func run() {
    failure = nil
    do throws(Errno) {
      switch step {
      case .write: try files.write(request: UnsafeBufferPointer(request.bytes).extracting(0..<requestCount))
      case .answer: count = try files.read(.answer, into: text.bytes)
      case .slot: count = try files.read(.slot, into: text.bytes)
      }
    } catch {
      failure = error
    }
  }

  override func finish() {
    switch step {
    case .write:
      hasRequest = false
      if let failure { return delegate.requestFailed(failure) }
    case .slot:
      wantsSlot = false
      delegate.rootReported(report)
    case .answer:
      guard failure == nil, let bytes = read, let answer = RootAnswer(bytes.span) else { return }
      delegate.rootAnswered(answer)
    }
    if hasRequest || wantsSlot { submit() }
  }

  private var read: UnsafeBufferPointer<UInt8>? {
    guard let count else { return nil }
    return UnsafeBufferPointer(text.bytes).extracting(0..<min(count, text.bytes.count))
  }

  private var report: SlotReport? {
    guard failure == nil, let read else { return nil }
    return SlotReport(read.span)
  }
}
