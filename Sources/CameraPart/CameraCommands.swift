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
/// listing cameras is independent of it, and so is moving them, unless a camera must stream to move.
public final class CameraCommands: Part, CommandHandler {
  private enum Number: Int { case list, snap, clip, axes, move }

  static let rows = [
    CommandRow("camera.list", limit: Budget.runningInvokes),
    CommandRow("camera.snap", limit: Budget.snapInvokes, queues: true),
    CommandRow("camera.clip", limit: Budget.clipInvokes),
    CommandRow("camera.ptz.status", limit: Budget.axisInvokes),
    CommandRow("camera.ptz.control", limit: Budget.axisInvokes),
  ]

  /// Who requested a photo or a clip.
  enum Asker: Equatable {
    case invoke(InvokeToken)
    /// A person at the board; see `BoardSnap`.
    case board
    /// A person at the board, for a message to the agent.
    case chat
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
  let capture: CaptureJob
  let recording: ClipJob
  private let list: CameraListCommand
  let opening: StreamJob
  let axes: CameraAxisCommands
  let journal: CameraJournal
  private var waiting = BoundedQueue<Shot>(capacity: Budget.snapInvokes + Budget.clipInvokes + 1)
  /// The invoke whose photo or clip is being made; nil also when it was canceled.
  var current: Asker?
  /// The photo for the board itself, one at a time.
  let boardSnap = BoardSnap()
  private let snap = SnapOperation()
  /// Waits for a photo for a message; nil without one.
  var chatTaker: (any ChatPhotoTaker)?
  /// When the open camera is to be closed.
  var closeTime: Int64?
  /// When the last camera went away.
  private var lostTime: Int64?
  /// When closing for good began.
  var stopTime: Int64?
  /// True while a person holds the board (panic): the camera stays closed.
  private(set) var isHeld = false
  /// Keeps photos; nil where none are kept.
  public var photos: PhotosPart? { didSet { photos?.camera = self } }
  /// A photo is being kept, and its answer was sent before that ended.
  var isKeeping = false
  var isAnswered = false
  /// Gets the number of cameras whenever they were listed.
  var whenListed: ((Int) -> Void)?
  /// The sound of clips and recordings of the screen; nil without one.
  public var clipSound: (any ClipSoundSource)?
  /// True while a recording of the screen has the encoder and the buffer for clips.
  var isEncoderLent = false
  /// The largest message in bytes that the gateway accepts.
  var messageLimit = Int.max

  /// A part that opens no camera until a command needs one. `tools` make photos and clips of its frames.
  @export(interface)
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
    axes = CameraAxisCommands(stream: stream, router: router, runner: runner, clock: clock)
    super.init()
    capture.delegate = self
    recording.delegate = self
    list.commands = self
    axes.commands = self
    opening.delegate = self
    boardSnap.commands = self
    snap.commands = self
  }

  // MARK: Part

  public override var declarationPlace: Int { 0 }

  /// Without a driver there is nothing to declare.
  public override func addCommands(to router: Router) {
    if policy.hasDriver { router.add(Self.rows, capability: "camera", self) }
  }

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
      if command != Number.list.rawValue, isRestarting { throw .restarting }
      switch Number(rawValue: command) {
      case .list:
        try CameraList.check(copy parameters)
        list.begin(token)
      case .snap: try add(.invoke(token), .photo(SnapParameters(copy parameters, defaultDelay: policy.delay)), deadline)
      case .clip: try addClip(token, ClipParameters(copy parameters), deadline)
      case .axes: try axes.begin(token, AxisParameters(copy parameters, moves: false), deadline: deadline)
      case .move, nil: try axes.begin(token, AxisParameters(copy parameters, moves: true), deadline: deadline)
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

  /// A camera that is kept open may have been plugged in, and the last one may have gone. `before`: how many there
  /// were.
  func camerasListed(before: Int) {
    if before > 0, journal.count == 0 { lostTime = clock.monotonic }
    whenListed?(journal.count)
    keepWarm()
  }

  /// True while the camera may come back by itself.
  private var isRestarting: Bool {
    guard journal.count == 0, let lostTime else { return false }
    return clock.monotonic - lostTime < Budget.cameraReturnMilliseconds
  }

  // MARK: Photos and clips

  /// True while a job has the stream, or its result is being sent.
  var isTaken: Bool { capture.isTaken || recording.isTaken || opening.isPending || axes.hasStream }

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

  func startNext() {
    guard stopTime == nil, !isHeld, !isTaken else { return }
    if axes.useStream() { return closeTime = nil }
    guard let next = waiting.pop() else { return }
    closeTime = nil
    current = next.asker
    let isSubmitted: Bool
    switch next.kind {
    case .photo(let parameters):
      let keepsOpen = policy.keepsWarm || policy.idle > 0
      let limits = next.asker == .chat ? chatLimits : photoLimits
      capture.prepare(parameters, limits: limits, deadline: next.deadline, keepsOpen: keepsOpen)
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
    case .chat: failChat(.busy)
    }
    done()
  }

  // MARK: An open camera

  public override var nextDeadline: Int64? {
    if let stopTime { return isStopped ? nil : stopTime + Budget.cameraStopMilliseconds }
    guard let closeTime, let look = axes.nextDeadline else { return closeTime ?? axes.nextDeadline }
    return min(closeTime, look)
  }

  /// Closes a camera that was not used for a while; while it is used, its time starts again.
  public override func advance(to now: Int64) {
    guard stopTime == nil else { return }
    axes.advance(to: now)
    guard let time = closeTime, now >= time else { return }
    closeTime = nil
    if isInUse || axes.hasStream { return }
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
    if current != .chat { failChat(.busy) }
    axes.hold()
    closeForGood()
  }

  /// Allows opening the camera again after `hold`.
  public override func letGo() {
    isHeld = false
    if stream.isOpen, !policy.keepsWarm { closeTime = clock.monotonic }
    keepWarm()
    startNext()
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
  var isOpen: Bool { isInUse || stream.isOpen }

  /// True while a worker may use the stream.
  var isInUse: Bool { capture.isPending || recording.isPending || opening.isPending || axes.isStreamInUse }
}
