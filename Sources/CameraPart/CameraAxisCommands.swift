import Camera
import Codec
import Node
import Runtime

/// `camera.ptz.status` and `camera.ptz.control`: one at a time, in their order.
final class CameraAxisCommands: AxisDelegate {
  private struct Request {
    var token: InvokeToken
    var parameters: AxisParameters
    var deadline: Int64
  }

  private enum State {
    case idle
    /// The job is with the workers.
    case working
    /// The camera moves, and is looked at again at this time.
    case pausing(until: Int64)
    /// The camera must stream to move, and something else may have the stream.
    case waitingForStream
  }

  private let router: Router
  private let runner: any JobRunner
  private let clock: any Clock
  private let job: AxisJob
  private var waiting = BoundedQueue<Request>(capacity: 2 * Budget.axisInvokes)
  private var current: InvokeToken?
  private var deadline: Int64 = 0
  private var state = State.idle
  /// True while a movement has the stream.
  private(set) var hasStream = false
  /// Who has the stream.
  unowned(unsafe) var commands: CameraCommands?

  init(stream: CameraStream, router: Router, runner: any JobRunner, clock: any Clock) {
    self.router = router
    self.runner = runner
    self.clock = clock
    job = AxisJob(source: stream.source, cameraSettings: stream.cameraSettings, stream: stream)
    job.delegate = self
  }

  /// True while a worker may use the stream.
  var isStreamInUse: Bool { hasStream && job.isPending }

  func begin(_ token: InvokeToken, _ parameters: AxisParameters, deadline: Int64) {
    guard waiting.push(Request(token: token, parameters: parameters, deadline: deadline)) else {
      return router.fail(token, RouterError.busy)
    }
    startNext()
  }

  func cancel(_ token: InvokeToken) {
    waiting.removeAll { $0.token == token }
    if current == token { abandon() }
  }

  /// Panic: the router has already answered the invokes.
  func hold() {
    while waiting.pop() != nil {}
    abandon()
  }

  /// A movement that has begun continues; its result is not reported.
  private func abandon() {
    current = nil
    if !job.isPending { end() }
  }

  private func startNext() {
    guard case .idle = state, let next = waiting.pop() else { return }
    job.prepare(next.parameters)
    current = next.token
    deadline = next.deadline
    submit()
  }

  private func submit() {
    state = .working
    if runner.submit(job) { return }
    // The workers' queue is full: a movement that has begun is looked at later.
    if job.next != nil { return pause() }
    if let token = current { router.fail(token, RouterError.busy) }
    end()
  }

  private func pause() { state = .pausing(until: clock.monotonic + AxisJob.lookMilliseconds) }

  /// Gives the stream, which is free, to a movement that waits for it; false when none does.
  func useStream() -> Bool {
    guard case .waitingForStream = state else { return false }
    hasStream = true
    submit()
    return true
  }

  // MARK: Time

  var nextDeadline: Int64? { if case .pausing(let time) = state { time } else { nil } }

  func advance(to now: Int64) {
    if case .pausing(let time) = state, now >= time { submit() }
  }

  // MARK: Results

  func moved(_ job: AxisJob) {
    if let token = current {
      if continues() { return }
      answer(token, job)
    }
    end()
  }

  /// Prepares the next step of a movement; false when its outcome is to be answered, because it is the last one or the
  /// time of the request is over.
  private func continues() -> Bool {
    guard let commands, commands.stopTime == nil else { return false }
    switch job.next {
    case nil: return false
    case .look:
      guard clock.monotonic + 2 * AxisJob.lookMilliseconds < deadline else { return false }
      pause()
    case .stream:
      state = .waitingForStream
      commands.startNext()
    }
    return true
  }

  private func answer(_ token: InvokeToken, _ job: AxisJob) {
    switch job.outcome {
    case .none: break
    case .failed(let error): router.fail(token, error)
    case .state(let axes, let adjusted):
      let isStatus = job.parameters.operation == .look
      router.succeed(token) { isStatus ? axes.writeStatus(to: &$0) : axes.writeMoved(to: &$0, adjusted) }
    }
  }

  private func end() {
    current = nil
    state = .idle
    if hasStream {
      hasStream = false
      commands?.streamReleased()
    }
    startNext()
  }
}
