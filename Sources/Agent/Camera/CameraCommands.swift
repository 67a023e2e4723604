import Camera
import Codec
import Gateway
import Runtime

/// The commands of capability `camera`. Photos and clips go one after the other, for there is one stream; looking for
/// cameras and moving them go beside.
final class CameraCommands: CommandHandler, CaptureOwner, ListOwner, BlobOwner, StreamOwner {
  static let rows = [
    CommandRow("camera.list", limit: Budget.runningInvokes),
    CommandRow("camera.snap", limit: Budget.snapInvokes),
    CommandRow("camera.ptz.status", limit: Budget.axisInvokes),
    CommandRow("camera.ptz.control", limit: Budget.axisInvokes),
  ]

  private struct Snap {
    var token: InvokeToken
    var parameters: SnapParameters
    var deadline: Int64
  }

  let router: Router
  let policy: CameraPolicy
  let stream: CameraStream
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let capture: CaptureJob
  private let list: ListJob
  private let opening: StreamJob
  private let axes: CameraAxisCommands
  private var waiting = BoundedQueue<Snap>(capacity: Budget.runningInvokes)
  private var listing = BoundedQueue<InvokeToken>(capacity: Budget.runningInvokes)
  private var current: InvokeToken?
  /// True while a job has the stream.
  private var isBusy: Bool { capture.isPending || opening.isPending }
  /// When the open camera is to be closed.
  private var closeTime: Int64?
  private var mustLook = false
  private var hasSaidLightBroken = false
  private(set) var state = CameraState()
  /// Bytes of one message that the gateway takes.
  var messageLimit = Int.max

  init(
    stream: CameraStream, codec: any JPEGCodec, policy: CameraPolicy, router: Router, runner: any JobRunner,
    clock: any Clock, log: Log
  ) throws(Errno) {
    self.router = router
    self.policy = policy
    self.stream = stream
    self.runner = runner
    self.clock = clock
    self.log = log
    capture = try CaptureJob(stream: stream, codec: codec, clock: clock)
    list = ListJob(source: stream.source)
    opening = StreamJob(stream: stream)
    axes = CameraAxisCommands(stream: stream, router: router, runner: runner)
    capture.owner = self
    list.owner = self
    opening.owner = self
  }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard policy.isEnabled else { return router.fail(token, CameraError.disabled) }
    switch command {
    case 0: beginList(token)
    case 1: beginSnap(token, parameters, deadline)
    default: axes.begin(token, parameters, moves: command == 3)
    }
  }

  // MARK: camera.list

  /// Looks for cameras: at start, so that the log and `device.health` know before anybody asks, and when one was
  /// plugged in or pulled out.
  func look() {
    guard policy.isEnabled else { return }
    mustLook = list.isPending || !runner.submit(list)
  }

  private func beginList(_ token: InvokeToken) {
    guard list.isPending || runner.submit(list), listing.push(token) else {
      return router.fail(token, RouterError.busy)
    }
  }

  func listed(_ job: ListJob) {
    let count = job.cameras.count
    learn(job.failure ?? (count == 0 ? .noDevice : nil), cameras: count)
    // Requests that came while the job ran are answered from what it found.
    for _ in 0..<listing.count {
      guard let token = listing.pop() else { break }
      if let failure = job.failure {
        router.fail(token, failure)
      } else {
        router.succeed(token) { job.cameras.write(to: &$0, kind: job.source.kind, roster: self.stream.roster) }
      }
    }
    if mustLook { look() }
    warm()
  }

  // MARK: camera.snap

  private func beginSnap(_ token: InvokeToken, _ parameters: borrowing JSONView, _ deadline: Int64) {
    do throws(CameraError) {
      let asked = try SnapParameters(copy parameters, defaultDelay: policy.delay)
      guard waiting.push(Snap(token: token, parameters: asked, deadline: deadline)) else { throw .busy }
      startNext()
    } catch {
      router.fail(token, error)
    }
  }

  private func startNext() {
    guard !capture.isTaken, !isBusy, let next = waiting.pop() else { return }
    closeTime = nil
    capture.prepare(next.parameters, limits: photoLimits, deadline: next.deadline, keepsOpen: keepsOpen)
    current = next.token
    if runner.submit(capture) { return }
    router.fail(next.token, RouterError.busy)
    done()
  }

  private var keepsOpen: Bool { policy.keepsWarm || policy.idle > 0 }

  /// What the configuration allows, and the gateway's message with it.
  private var photoLimits: PhotoLimits {
    var limits = policy.limits
    limits.bytes = min(limits.bytes, Self.bytes(inMessage: messageLimit))
    return limits
  }

  /// Bytes that a message has room for as base64, beside an envelope (node-commands 1.4).
  static func bytes(inMessage limit: Int) -> Int {
    let envelope = max(min(Budget.mediaEnvelopeBytes, limit / 16), Budget.mediaEnvelopeBytesLeast)
    return max(limit - envelope, 0) / 4 * 3
  }

  func captured(_ job: CaptureJob) {
    rest()
    count(job.faults)
    guard let token = current else { return done() }
    current = nil
    switch job.outcome {
    case .none: done()
    case .failed(let error):
      learn(error)
      router.fail(token, error)
      done()
    case .photo(let photo):
      learn(nil)
      let isTaken = router.succeed(token, blob: photo.bytes, owner: self) { writer in
        writer.key("format")
        writer.string(job.parameters.format.name)
        writer.key("width")
        writer.int(Int64(photo.width))
        writer.key("height")
        writer.int(Int64(photo.height))
      }
      if !isTaken { done() }
    }
  }

  /// The photo has been sent, or dropped with its connection.
  func blobReleased() { done() }

  private func done() {
    current = nil
    capture.release()
    startNext()
  }

  // MARK: An open camera

  /// When the open camera is to be closed.
  var nextDeadline: Int64? { closeTime }

  /// Closes a camera that nobody used for a while.
  func advance(to now: Int64) {
    guard let time = closeTime, now >= time, !isBusy else { return }
    closeTime = nil
    submit(.close)
  }

  /// Closes the camera, when it is open, and lets nothing wait.
  func close() {
    closeTime = nil
    if stream.isOpen, !isBusy { submit(.close) }
  }

  private func rest() {
    if stream.isOpen, !policy.keepsWarm { closeTime = clock.monotonic + policy.idle }
  }

  private func warm() {
    guard policy.keepsWarm, !isBusy, !stream.isOpen, case .present = state.finding else { return }
    submit(.open)
  }

  private func submit(_ action: StreamJob.Action) {
    opening.prepare(action)
    // A full queue empties itself; the next photo, or the next second, tries again.
    if !runner.submit(opening), action == .close { closeTime = clock.monotonic + 1000 }
  }

  func streamChanged(_ job: StreamJob) {
    if let failure = job.failure { learn(failure) }
    startNext()
  }

  // MARK: Cancelling

  func cancel(_ token: InvokeToken) {
    if current == token {
      current = nil
      return capture.cancel()
    }
    axes.cancel(token)
    for _ in 0..<waiting.count {
      guard let snap = waiting.pop() else { break }
      if snap.token != token { _ = waiting.push(snap) }
    }
    for _ in 0..<listing.count {
      guard let other = listing.pop() else { break }
      if other != token { _ = listing.push(other) }
    }
  }

  // MARK: What is known

  /// Writes the member "camera" of the agent's status.
  func writeStatus(to writer: inout JSONWriter) {
    writer.key("camera")
    writer.beginObject()
    writer.key("isEnabled")
    writer.bool(policy.isEnabled)
    writer.key("isOpen")
    writer.bool(isBusy || stream.isOpen)
    writer.key("cameras")
    writer.int(Int64(state.count))
    writer.key("damagedFrames")
    writer.int(Int64(state.damagedFrames))
    if case .failing(let error) = state.finding {
      writer.key("trouble")
      writer.string(error.wire.text)
      if let step = error.nextStep {
        writer.key("step")
        writer.string(step)
      }
    }
    writer.endObject()
  }

  /// Logs a change of what is known of the cameras, once.
  private func learn(_ error: CameraError?, cameras: Int? = nil) {
    let isNews = state.learn(error) || error == nil && cameras.map { $0 != state.count } ?? false
    if let cameras { state.count = cameras }
    sayLight()
    guard isNews else { return }
    guard let error else {
      return log.write(.info, "camera") { line in
        guard let cameras, cameras != 1 else { return line.add("the camera works") }
        line.add(Int64(cameras))
        line.add(" cameras are there")
      }
    }
    log.write(.warning, "camera") { error.write(to: &$0) }
  }

  private func sayLight() {
    if stream.isLightBroken, !hasSaidLightBroken {
      log.write(.warning, "camera", "the light that shows that the camera is on does not work")
    }
    hasSaidLightBroken = stream.isLightBroken
  }

  private func count(_ faults: FrameFaults) {
    let new = faults.total - state.damagedFrames
    guard new > 0 else { return }
    state.damagedFrames = faults.total
    log.write(.info, "camera") { line in
      line.add("left out damaged frames: ")
      line.add(Int64(new))
    }
  }
}

extension CameraError {
  /// The error in a log line.
  func write(to line: inout LogLine) {
    var text = InlineText<256>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text(wire.text)
      writeDetail(to: &writer)
      return min(writer.count, buffer.count)
    }
    line.add(text.span)
  }
}
