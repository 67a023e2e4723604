import Camera
import Canvas
import Codec
import Gateway
import Graphics
import Node
import Runtime

/// `screen.record`: pictures of the screen at the requested rate, as a person sees it, in an MP4 file. An unchanged
/// screen costs nothing. One at a time; the encoder is that of the cameras' clips.
final class RecordCommands: CommandHandler, BlobDelegate {
  static let rows = [CommandRow("screen.record", limit: Budget.recordInvokes)]

  private enum Phase {
    case idle, recording
    /// The file is being completed.
    case finishing
    /// The result is not needed any more.
    case dropped
    case sending
  }

  private let face: CanvasFace
  private let camera: any ClipEncoderLender
  private let router: Router
  private let runner: any JobRunner
  private let clock: any Clock
  private var job: RecordJob! = nil
  private var phase = Phase.idle
  /// The invoke that waits for it.
  private var current: InvokeToken?
  private var parameters = RecordParameters()
  /// The size of the screen when it began.
  private var size = Size(0, 0)
  /// The time of the first picture; nil before it, since `waitingSince`.
  private var start: Int64?
  private var waitingSince: Int64 = 0
  /// The number of the last picture, counted every 1/rate s; that of the last encoded picture; and how often that was
  /// encoded again since the last change.
  private var tick: Int64 = -1
  private var encoded: Int64 = 0
  private var repeats = 0
  /// The version of the painted picture: see `FramePump.paintings`.
  private var painting: UInt64 = 0
  private var wakeAt: Int64 = .max

  init(
    _ face: CanvasFace, camera: any ClipEncoderLender, tools: CameraTools, router: Router, runner: any JobRunner,
    clock: any Clock
  ) throws(Errno) {
    self.face = face
    self.camera = camera
    self.router = router
    self.runner = runner
    self.clock = clock
    job = try RecordJob(encoder: tools.encoder, store: tools.clips) { [unowned(unsafe) self] in self.stepped() }
  }

  /// True while the screen is recorded.
  var isRecording: Bool { phase == .recording }

  /// True when no job runs.
  var isAtRest: Bool { phase == .idle || phase == .sending }

  // MARK: CommandHandler

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    do throws(RecordError) {
      try begin(token, RecordParameters(copy parameters), deadline)
    } catch {
      router.fail(token, error)
    }
  }

  private func begin(_ token: InvokeToken, _ parameters: RecordParameters, _ deadline: Int64) throws(RecordError) {
    guard phase == .idle else { throw .busy }
    let now = clock.monotonic
    // Refused now instead of after a minute of recording.
    guard deadline - now >= parameters.duration + Budget.recordMargin else { throw .noTime }
    guard camera.lendEncoder() else { throw .encoderTaken }
    self.parameters = parameters
    (current, phase, size) = (token, .recording, face.pump.size)
    (start, waitingSince, tick, encoded, repeats) = (nil, now, -1, 0, 0)
    job.begin(
      size, parameters, limit: camera.clipLimit, sound: parameters.includesAudio ? camera.clipSound?.begin() : nil)
    advance(to: now)
  }

  func cancel(_ token: InvokeToken) {
    guard current == token else { return }
    drop()
  }

  /// The program ends.
  func stop() { if phase == .recording || phase == .finishing { drop() } }

  private func drop() {
    camera.clipSound?.end()
    (current, phase) = (nil, .dropped)
    advance(to: clock.monotonic)
  }

  private func fail(_ error: RecordError) {
    if let token = current { router.fail(token, error) }
    drop()
  }

  // MARK: Time

  /// When `advance` is to be called.
  var nextDeadline: Int64? { isAtRest || job.isPending ? nil : wakeAt }

  /// Does what is due.
  func advance(to now: Int64) {
    guard !job.isPending else { return }
    switch phase {
    case .idle, .sending: return
    case .recording: record(now)
    case .finishing:
      job.finishFile()
      submit()
    case .dropped:
      job.abandon()
      submit()
    }
  }

  /// A frame was painted, and the next one has not begun.
  func frameShown() { advance(to: clock.monotonic) }

  /// Takes the picture of the screen when the next one is due.
  private func record(_ now: Int64) {
    let elapsed = now - (start ?? waitingSince)
    guard elapsed < parameters.duration else { return finish() }
    guard face.pump.size == size else { return fail(.screenChanged) }
    let due = elapsed * parameters.rate / 1000
    // A picture cannot be taken while another frame is being painted: it is taken after that, or when the next one is
    // due.
    wakeAt =
      (start ?? waitingSince) + min(((due + 1) * 1000 + parameters.rate - 1) / parameters.rate, parameters.duration)
    guard due > tick || start == nil else { return }
    if face.pump.paintings != painting || start == nil { return look(due, now) }
    let isUnchanged = repeats >= Budget.recordRepeats && !job.isAhead
    if isUnchanged, (due - encoded) * 1000 < Budget.recordStillMilliseconds * parameters.rate { return tick = due }
    repeats += 1
    encode(due)
  }

  private func look(_ due: Int64, _ now: Int64) {
    guard face.pump.paintings > 0, let pixels = face.pump.lend(evenIfOld: true) else { return }
    if start == nil { job.start(at: now) }
    job.convert(pixels)
    guard submit() else { return face.pump.takeBack() }
    painting = face.pump.paintings
    if start == nil {
      (start, tick) = (now, 0)
    } else {
      tick = due
    }
    repeats = 0
  }

  private func encode(_ tick: Int64) {
    (self.tick, encoded) = (tick, tick)
    job.encode(at: tick * 1_000_000 / parameters.rate)
    submit()
  }

  private func finish() {
    phase = .finishing
    advance(to: clock.monotonic)
  }

  /// When the queue has no room, it is tried again soon.
  @discardableResult
  private func submit() -> Bool {
    if runner.submit(job) { return true }
    wakeAt = clock.monotonic + Self.retry
    return false
  }

  /// Milliseconds before a frame is encoded that no worker had room for.
  private static let retry: Int64 = 20

  // MARK: Steps

  private func stepped() {
    if job.step == .convert { face.pump.takeBack() }
    switch job.outcome {
    case .failed(let error) where phase != .dropped: return fail(error)
    case .file(let bytes, let hasSound) where phase == .finishing: return send(bytes, hasSound)
    case .done where phase == .recording: return finish()
    case .failed, .file, .done, .more: break
    }
    if phase == .dropped, job.step == .abandon { return free() }
    // The picture that was taken is encoded at once.
    if phase == .recording, job.step == .convert { return encode(tick) }
    advance(to: clock.monotonic)
  }

  private func send(_ file: UnsafeBufferPointer<UInt8>, _ hasSound: Bool) {
    guard let token = current else { return drop() }
    camera.clipSound?.end()
    (current, phase) = (nil, .sending)
    let parameters = parameters
    let isSent = router.succeed(token, blob: file, delegate: self) { writer in
      writer.key("format")
      writer.string("mp4")
      writer.key("durationMs")
      writer.int(parameters.duration)
      writer.key("fps")
      writer.int(parameters.rate)
      writer.key("screenIndex")
      writer.int(0)
      writer.key("hasAudio")
      writer.bool(hasSound)
    }
    if !isSent { free() }
  }

  private func free() {
    job.release()
    phase = .idle
    camera.takeBackEncoder()
  }

  // MARK: BlobDelegate

  func blobRead(upTo count: Int) { job.wasSent(upTo: count) }

  func blobReleased() { free() }
}
