import Camera
import Codec
import Gateway
import Runtime

/// The commands of capability `camera`. Photos and clips go one after the other, for there is one stream; looking for
/// cameras and moving them go beside.
final class CameraCommands: CommandHandler, CaptureOwner, ClipOwner, StreamOwner, BlobOwner {
  private enum Number: Int { case list, snap, clip, axes, move }

  static let rows = [
    CommandRow("camera.list", limit: Budget.runningInvokes),
    CommandRow("camera.snap", limit: Budget.snapInvokes),
    CommandRow("camera.clip", limit: Budget.clipInvokes),
    CommandRow("camera.ptz.status", limit: Budget.axisInvokes),
    CommandRow("camera.ptz.control", limit: Budget.axisInvokes),
  ]

  /// Who wants a photo or a clip.
  private enum Asker: Equatable {
    case invoke(InvokeToken)
    /// A person at the board; see `BoardSnap`.
    case board
  }

  /// A photo or a clip that is wanted.
  private struct Shot {
    enum Kind {
      case photo(SnapParameters)
      case clip(ClipParameters)
    }

    var asker: Asker
    var kind: Kind
    var deadline: Int64
  }

  let policy: CameraPolicy
  let stream: CameraStream
  let router: Router
  private let runner: any JobRunner
  private let clock: any Clock
  private let capture: CaptureJob
  private let recording: ClipJob
  private let list: CameraListCommand
  private let opening: StreamJob
  private let axes: CameraAxisCommands
  let journal: CameraJournal
  private var waiting = BoundedQueue<Shot>(capacity: Budget.snapInvokes + Budget.clipInvokes + 1)
  /// Whose photo or clip is being made; nil also when nobody waits for it any more.
  private var current: Asker?
  /// The photo for the board itself, one at a time.
  private let boardSnap = BoardSnap()
  /// When the open camera is to be closed.
  private var closeTime: Int64?
  /// When everything was to be closed for good.
  private var stopTime: Int64?
  /// A person wants it closed until they let go.
  private var isHeld = false
  /// What clips and recordings of the screen hear; nil: nothing.
  var ear: (any ClipSoundSource)?
  /// A recording of the screen has the encoder and the place for clips.
  private var isEncoderLent = false
  /// Bytes of one message that the gateway takes.
  var messageLimit = Int.max

  init(
    stream: CameraStream, tools: CameraTools, policy: CameraPolicy, router: Router, runner: any JobRunner,
    clock: any Clock, log: Log
  ) throws(Errno) {
    self.router = router
    self.policy = policy
    self.stream = stream
    self.runner = runner
    self.clock = clock
    journal = CameraJournal(log: log)
    capture = try CaptureJob(stream: stream, codec: tools.jpeg, clock: clock)
    recording = try ClipJob(stream: stream, codec: tools.jpeg, encoder: tools.encoder, store: tools.clips, clock: clock)
    list = CameraListCommand(stream: stream, router: router, runner: runner, journal: journal)
    opening = StreamJob(stream: stream)
    axes = CameraAxisCommands(stream: stream, router: router, runner: runner)
    capture.owner = self
    recording.owner = self
    list.commands = self
    opening.owner = self
    boardSnap.commands = self
  }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard policy.isEnabled else { return router.fail(token, CameraError.disabled) }
    if isHeld { return router.fail(token, HoldError.held) }
    do throws(CameraError) {
      switch Number(rawValue: command) {
      case .list:
        try CameraList.check(copy parameters)
        list.begin(token)
      case .snap: try add(.invoke(token), .photo(SnapParameters(copy parameters, defaultDelay: policy.delay)), deadline)
      case .clip: try addClip(token, ClipParameters(copy parameters), deadline)
      case .axes: try axes.begin(token, AxisParameters(copy parameters, moves: false))
      case .move, nil: try axes.begin(token, AxisParameters(copy parameters, moves: true))
      }
    } catch {
      router.fail(token, error)
    }
  }

  /// Looks for cameras: at start, so that the log and `device.health` know before anybody asks, and when one was
  /// plugged in or pulled out.
  func look() {
    if policy.isEnabled { list.look() }
  }

  /// A camera that is kept open may be there now.
  func camerasListed() { keepWarm() }

  // MARK: Photos and clips

  /// True while a job has the stream, or its result is on its way.
  private var isTaken: Bool { capture.isTaken || recording.isTaken || opening.isPending }

  /// A clip that takes longer than the invoke has is refused at once, with what it may have.
  private func addClip(_ token: InvokeToken, _ parameters: ClipParameters, _ deadline: Int64) throws(CameraError) {
    let left = max(deadline - clock.monotonic, 0)
    guard parameters.duration < left else { throw .clipTooLong(parameters.duration, within: left) }
    try add(.invoke(token), .clip(parameters), deadline)
  }

  private func add(_ asker: Asker, _ kind: Shot.Kind, _ deadline: Int64) throws(CameraError) {
    guard waiting.push(Shot(asker: asker, kind: kind, deadline: deadline)) else { throw .busy }
    startNext()
  }

  private func startNext() {
    guard stopTime == nil, !isHeld, !isTaken, let next = waiting.pop() else { return }
    closeTime = nil
    current = next.asker
    let isSubmitted: Bool
    switch next.kind {
    case .photo(let parameters):
      let keepsOpen = policy.keepsWarm || policy.idle > 0
      capture.prepare(parameters, limits: photoLimits, deadline: next.deadline, keepsOpen: keepsOpen)
      isSubmitted = runner.submit(capture)
    case .clip where isEncoderLent:
      rest()
      return fail(.encoderLent)
    case .clip(let parameters):
      let sound = parameters.includesAudio ? ear?.begin() : nil
      recording.prepare(parameters, limit: clipLimit, deadline: next.deadline, sound: sound)
      isSubmitted = runner.submit(recording)
      if !isSubmitted { ear?.end() }
    }
    if isSubmitted { return }
    switch next.asker {
    case .invoke(let token): router.fail(token, RouterError.busy)
    case .board: boardSnap.fail(.busy)
    }
    done()
  }

  /// What the configuration allows, and the gateway's message with it.
  private var photoLimits: PhotoLimits {
    var limits = policy.limits
    limits.bytes = min(limits.bytes, Self.bytes(inMessage: messageLimit))
    return limits
  }

  /// Bytes of a whole clip, of a camera or of the screen.
  var clipLimit: Int { min(Budget.clipBytes, Self.bytes(inMessage: messageLimit)) }

  /// Lends the encoder and the place for clips to a recording of the screen, until `takeBackEncoder`; false while a camera's clip
  /// is made or sent. There is one of each: the largest clip has 19 MB, and an encoder another 10.
  func lendEncoder() -> Bool {
    guard !recording.isTaken, !isEncoderLent else { return false }
    isEncoderLent = true
    return true
  }

  func takeBackEncoder() { isEncoderLent = false }

  /// Bytes that a message has room for as base64, beside an envelope (node-commands 1.4).
  static func bytes(inMessage limit: Int) -> Int {
    let envelope = max(min(Budget.mediaEnvelopeBytes, limit / 16), Budget.mediaEnvelopeBytesLeast)
    return max(limit - envelope, 0) / 4 * 3
  }

  func captured(_ job: CaptureJob) {
    rest()
    journal.count(job.faults, of: .photos)
    switch job.outcome {
    case .none: done()
    case .failed(let error): fail(error)
    case .photo(let photo):
      if current == .board { return write(photo) }
      send(photo.bytes) { writer in
        writer.key("format")
        writer.string(job.parameters.format.name)
        writer.key("width")
        writer.int(Int64(photo.width))
        writer.key("height")
        writer.int(Int64(photo.height))
      }
    }
  }

  func recorded(_ job: ClipJob) {
    ear?.end()
    journal.count(job.faults, of: .clips)
    switch job.outcome {
    case .none: done()
    case .failed(let error): fail(error)
    case .clip(let bytes, let hasSound):
      send(bytes) { writer in
        writer.key("format")
        writer.string("mp4")
        writer.key("durationMs")
        writer.int(job.parameters.duration)
        writer.key("hasAudio")
        writer.bool(hasSound)
      }
    }
  }

  private func send(_ bytes: UnsafeBufferPointer<UInt8>, _ members: (inout JSONWriter) -> Void) {
    guard case .invoke(let token) = current else { return done() }
    current = nil
    journal.learn(nil, after: stream)
    if !router.succeed(token, blob: bytes, owner: self, members) { done() }
  }

  private func fail(_ error: CameraError) {
    // Nobody waits for what was cancelled, and it says nothing of the camera.
    if current != nil { journal.learn(error, after: stream) }
    if case .invoke(let token) = current { router.fail(token, error) }
    if current == .board { boardSnap.fail(error) }
    done()
  }

  // MARK: Photos for the board

  /// Takes a photo for a person at the board, into the file of this absolute path, or nowhere when it is empty. The owner
  /// hears of the end.
  func snap(
    _ parameters: SnapParameters, to path: UnsafeBufferPointer<UInt8>, _ owner: any BoardSnapOwner
  ) throws(CameraError) {
    guard policy.isEnabled else { throw .disabled }
    guard !isHeld, boardSnap.owner == nil, !boardSnap.isPending else { throw .busy }
    do throws(Errno) { try boardSnap.aim(at: path) } catch { throw .io(error) }
    boardSnap.owner = owner
    do throws(CameraError) {
      try add(.board, .photo(parameters), clock.monotonic + Self.boardPatience)
    } catch {
      boardSnap.owner = nil
      throw error
    }
  }

  /// Milliseconds for such a photo.
  private static let boardPatience: Int64 = 30_000

  /// Nobody waits for the photo any more; it is written all the same.
  func forgetSnap() { boardSnap.owner = nil }

  private func write(_ photo: Photo) {
    journal.learn(nil, after: stream)
    current = nil
    boardSnap.take(photo)
    if runner.submit(boardSnap) { return }
    boardSnap.fail(.busy)
    done()
  }

  /// The photo's memory is free again.
  func snapWritten() { done() }

  func blobRead(upTo count: Int) {
    if recording.isTaken { recording.wasSent(upTo: count) }
  }

  /// The photo or clip has been sent, or dropped with its connection.
  func blobReleased() { done() }

  private func done() {
    current = nil
    if capture.isTaken { capture.release() }
    if recording.isTaken { recording.release() }
    startNext()
    keepWarm()
  }

  // MARK: An open camera

  /// When the open camera is to be closed.
  var nextDeadline: Int64? {
    if let stopTime { return isStopped ? nil : stopTime + Budget.cameraStopMilliseconds }
    return closeTime
  }

  /// Closes a camera that nobody used for a while. One that is being used is given its time anew.
  func advance(to now: Int64) {
    guard stopTime == nil, let time = closeTime, now >= time else { return }
    closeTime = nil
    if capture.isPending || recording.isPending || opening.isPending { return }
    submit(.close)
  }

  /// A program that fell over may have left the light on.
  func start() {
    if stream.hasLight { submit(.close) }
    look()
  }

  /// Closes the camera for good, once its job has ended.
  func stop() {
    stopTime = clock.monotonic
    closeTime = nil
    closeForGood()
  }

  /// True when nothing is left open after `stop`, or a driver holds on to it for too long.
  var isStopped: Bool {
    guard let stopTime else { return false }
    return !isOpen || clock.monotonic - stopTime >= Budget.cameraStopMilliseconds
  }

  /// Closes the camera now, once its job has ended, and opens it no more.
  func hold() {
    isHeld = true
    closeTime = nil
    capture.cancel()
    recording.cancel()
    // Invokes were ended by the router.
    while waiting.pop() != nil {}
    if current != .board { boardSnap.fail(.busy) }
    closeForGood()
  }

  /// Ends what `hold` began.
  func letGo() {
    isHeld = false
    if stream.isOpen, !policy.keepsWarm { closeTime = clock.monotonic }
    keepWarm()
    startNext()
  }

  private func closeForGood() {
    if stopTime != nil || isHeld, !capture.isPending, !recording.isPending, !opening.isPending, stream.isOpen { submit(.close) }
  }

  private func rest() {
    if stream.isOpen, !policy.keepsWarm, !isHeld { closeTime = clock.monotonic + policy.idle }
    closeForGood()
  }

  private func keepWarm() {
    guard policy.keepsWarm, stopTime == nil, !isHeld, !isTaken, !stream.isOpen, journal.isPresent else { return }
    submit(.open)
  }

  private func submit(_ action: StreamJob.Action) {
    opening.prepare(action)
    // A full queue empties itself; the next second tries again.
    if !runner.submit(opening), action == .close { closeTime = clock.monotonic + 1000 }
  }

  func streamChanged(_ job: StreamJob) {
    // First, for the next job takes the stream.
    if let failure = job.failure { journal.learn(failure, after: stream) }
    startNext()
    closeForGood()
    if job.failure == nil { keepWarm() }
  }

  // MARK: Cancelling

  func cancel(_ token: InvokeToken) {
    if current == .invoke(token) {
      current = nil
      capture.cancel()
      return recording.cancel()
    }
    axes.cancel(token)
    waiting.removeAll { $0.asker == .invoke(token) }
    list.cancel(token)
  }

  /// True while a camera may be open.
  var isOpen: Bool { capture.isPending || recording.isPending || opening.isPending || stream.isOpen }
}
