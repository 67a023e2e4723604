// CameraPart: the camera commands, the camera's journal and photos for the board itself, with the cameras of module
// Camera. It must not know a driver or a screen: a recording of the screen borrows the encoder through
// `ClipEncoderLender`.

import Camera
import Codec
import Device
import Gateway
import Node
import Runtime

/// The commands of capability `camera`. Photos and clips are made one after the other, because there is one stream;
/// listing and moving cameras is independent of it.
public final class CameraCommands: Part, CommandHandler, CaptureDelegate, ClipDelegate, StreamDelegate, BlobDelegate,
  ClipEncoderLender
{
  private enum Number: Int { case list, snap, clip, axes, move }

  static let rows = [
    CommandRow("camera.list", limit: Budget.runningInvokes),
    CommandRow("camera.snap", limit: Budget.snapInvokes),
    CommandRow("camera.clip", limit: Budget.clipInvokes),
    CommandRow("camera.ptz.status", limit: Budget.axisInvokes),
    CommandRow("camera.ptz.control", limit: Budget.axisInvokes),
  ]

  /// Who requested a photo or a clip.
  enum Asker: Equatable {
    case invoke(InvokeToken)
    /// A person at the board; see `BoardSnap`.
    case board
  }

  /// A requested photo or clip.
  struct Shot {
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
  let runner: any JobRunner
  let clock: any Clock
  private let capture: CaptureJob
  private let recording: ClipJob
  private let list: CameraListCommand
  private let opening: StreamJob
  private let axes: CameraAxisCommands
  let journal: CameraJournal
  private var waiting = BoundedQueue<Shot>(capacity: Budget.snapInvokes + Budget.clipInvokes + 1)
  /// The invoke whose photo or clip is being made; nil also when it was canceled.
  var current: Asker?
  /// The photo for the board itself, one at a time.
  let boardSnap = BoardSnap()
  private let snap = SnapOperation()
  /// When the open camera is to be closed.
  private var closeTime: Int64?
  /// When closing for good began.
  private var stopTime: Int64?
  /// True while a person holds the board (panic): the camera stays closed.
  private(set) var isHeld = false
  /// The sound of clips and recordings of the screen; nil without one.
  public var clipSound: (any ClipSoundSource)?
  /// True while a recording of the screen has the encoder and the buffer for clips.
  private var isEncoderLent = false
  /// The largest message in bytes that the gateway accepts.
  var messageLimit = Int.max

  /// A part that opens no camera until a command needs one. `tools` make photos and clips of its frames.
  public init(
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
    super.init()
    capture.delegate = self
    recording.delegate = self
    list.commands = self
    opening.delegate = self
    boardSnap.commands = self
    snap.commands = self
  }

  // MARK: Part

  public override var declarationPlace: Int { 0 }

  public override func addCommands(to router: Router) { router.add(Self.rows, capability: "camera", self) }

  public override var permission: (name: StaticString, isGranted: Bool)? {
    ("camera", policy.hasDriver && policy.isEnabled)
  }

  public override var operations: [ControlRow] { [ControlRow("snap") { self.snap.begin($0, $1, $2) }] }

  public override func online(_ session: Session) { messageLimit = session.messageLimit }

  public override func boardChanged(_ change: BoardChange) { if change == .cameras { look() } }

  public override func writeStatus(to writer: inout JSONWriter) { writeCamera(to: &writer) }

  public override func report(to report: inout HardwareReport) { report.camera = hardware }

  public override var hasFault: Bool { hardware.state == .error }

  public override var live: LiveUse { isOpen ? .camera : [] }

  public override func forget(_ control: Control, _ call: Int) { snap.forget(control, call) }

  // MARK: Commands

  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
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

  /// Lists the cameras: at start, so that the log and `device.health` have their state, and when one was plugged in or
  /// removed.
  func look() {
    if policy.isEnabled { list.look() }
  }

  /// A camera that is kept open may have been plugged in.
  func camerasListed() { keepWarm() }

  // MARK: Photos and clips

  /// True while a job has the stream, or its result is being sent.
  private var isTaken: Bool { capture.isTaken || recording.isTaken || opening.isPending }

  /// A clip that would take longer than the invoke's timeout is refused at once, with the longest possible.
  private func addClip(_ token: InvokeToken, _ parameters: ClipParameters, _ deadline: Int64) throws(CameraError) {
    let left = max(deadline - clock.monotonic, 0)
    guard parameters.duration < left else { throw .clipTooLong(parameters.duration, within: left) }
    try add(.invoke(token), .clip(parameters), deadline)
  }

  func add(_ asker: Asker, _ kind: Shot.Kind, _ deadline: Int64) throws(CameraError) {
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
      scheduleClose()
      return fail(.encoderInUse)
    case .clip(let parameters):
      let sound = parameters.includesAudio ? clipSound?.begin() : nil
      recording.prepare(parameters, limit: clipLimit, deadline: next.deadline, sound: sound)
      isSubmitted = runner.submit(recording)
      if !isSubmitted { clipSound?.end() }
    }
    if isSubmitted { return }
    switch next.asker {
    case .invoke(let token): router.fail(token, RouterError.busy)
    case .board: boardSnap.fail(.busy)
    }
    done()
  }

  /// The limit of the configuration, and of the gateway's message.
  private var photoLimits: PhotoLimits {
    var limits = policy.limits
    limits.bytes = min(limits.bytes, Self.bytes(inMessage: messageLimit))
    return limits
  }

  /// Size limit in bytes of a clip of a camera or of the screen.
  public var clipLimit: Int { min(Budget.clipBytes, Self.bytes(inMessage: messageLimit)) }

  /// Lends the encoder and the buffer for clips to a recording of the screen, until `takeBackEncoder`; false while a
  /// camera's clip is made or sent. There is only one of each, because the largest clip has 19 MB, and an encoder
  /// another 10 MB.
  public func lendEncoder() -> Bool {
    guard !recording.isTaken, !isEncoderLent else { return false }
    isEncoderLent = true
    return true
  }

  public func takeBackEncoder() { isEncoderLent = false }

  /// Bytes for which a message has room as base64, besides its envelope (node-commands 1.4).
  static func bytes(inMessage limit: Int) -> Int {
    let envelope = max(min(Budget.mediaEnvelopeBytes, limit / 16), Budget.mediaEnvelopeMinimumBytes)
    return max(limit - envelope, 0) / 4 * 3
  }

  public func captured(_ job: CaptureJob) {
    scheduleClose()
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

  public func recorded(_ job: ClipJob) {
    clipSound?.end()
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
    if !router.succeed(token, blob: bytes, delegate: self, members) { done() }
  }

  private func fail(_ error: CameraError) {
    // A canceled job has no caller, and says nothing about the camera.
    if current != nil { journal.learn(error, after: stream) }
    if case .invoke(let token) = current { router.fail(token, error) }
    if current == .board { boardSnap.fail(error) }
    done()
  }

  // MARK: Sending

  public func blobRead(upTo count: Int) {
    if recording.isTaken { recording.wasSent(upTo: count) }
  }

  /// The photo or clip was sent, or its connection was lost.
  public func blobReleased() { done() }

  func done() {
    current = nil
    if capture.isTaken { capture.release() }
    if recording.isTaken { recording.release() }
    startNext()
    keepWarm()
  }

  // MARK: An open camera

  public override var nextDeadline: Int64? {
    if let stopTime { return isStopped ? nil : stopTime + Budget.cameraStopMilliseconds }
    return closeTime
  }

  /// Closes a camera that was not used for a while; while it is used, its time starts again.
  public override func advance(to now: Int64) {
    guard stopTime == nil, let time = closeTime, now >= time else { return }
    closeTime = nil
    if capture.isPending || recording.isPending || opening.isPending { return }
    submit(.close)
  }

  /// A program that crashed may have left the light on.
  public override func start() {
    if stream.hasLight { submit(.close) }
    look()
  }

  /// Closes the camera for good, after its job has ended.
  public override func stop() {
    stopTime = clock.monotonic
    closeTime = nil
    closeForGood()
  }

  /// True when nothing is open after `stop`, or a driver has blocked for too long.
  public override var isStopped: Bool {
    guard let stopTime else { return false }
    return !isOpen || clock.monotonic - stopTime >= Budget.cameraStopMilliseconds
  }

  /// Closes the camera after its job has ended, and keeps it closed.
  public override func hold() {
    isHeld = true
    closeTime = nil
    capture.cancel()
    recording.cancel()
    // The router has already answered the invokes.
    while waiting.pop() != nil {}
    if current != .board { boardSnap.fail(.busy) }
    closeForGood()
  }

  /// Allows opening the camera again after `hold`.
  public override func letGo() {
    isHeld = false
    if stream.isOpen, !policy.keepsWarm { closeTime = clock.monotonic }
    keepWarm()
    startNext()
  }

  private func closeForGood() {
    if stopTime != nil || isHeld, !capture.isPending, !recording.isPending, !opening.isPending, stream.isOpen {
      submit(.close)
    }
  }

  private func scheduleClose() {
    if stream.isOpen, !policy.keepsWarm, !isHeld { closeTime = clock.monotonic + policy.idle }
    closeForGood()
  }

  private func keepWarm() {
    guard policy.keepsWarm, stopTime == nil, !isHeld, !isTaken, !stream.isOpen, journal.isPresent else { return }
    submit(.open)
  }

  private func submit(_ action: StreamJob.Action) {
    opening.prepare(action)
    // The queue was full: it is tried again a second later.
    if !runner.submit(opening), action == .close { closeTime = clock.monotonic + 1000 }
  }

  public func streamChanged(_ job: StreamJob) {
    // First, because the next job takes the stream.
    if let failure = job.failure { journal.learn(failure, after: stream) }
    startNext()
    closeForGood()
    if job.failure == nil { keepWarm() }
  }

  // MARK: Cancelling

  public func cancel(_ token: InvokeToken) {
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
