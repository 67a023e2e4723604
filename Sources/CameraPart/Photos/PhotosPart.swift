import Camera
import Codec
import Gateway
import Node
import Runtime

/// The photos of this board that are kept: `photos.latest`, and what a person does with them. One thing at a time, on a
/// worker.
public final class PhotosPart: Part, CommandHandler, PhotosJobDelegate, BlobDelegate {
  private static let rows = [CommandRow("photos.latest", limit: Budget.latestInvokes)]

  private struct Request {
    var token: InvokeToken
    var parameters: LatestParameters
    var deadline: Int64
  }

  /// A call of the local socket that waits.
  private typealias Call = (control: Control, call: Int)

  private let job: PhotosJob
  private let router: Router
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private var waiting = BoundedQueue<Request>(capacity: Budget.latestInvokes)
  /// The invoke whose answer is being made; nil also when it was canceled.
  private var current: InvokeToken?
  /// The answer is being sent.
  private var isSending = false
  private var mustLoad = true
  /// A photo that waits to be kept, or is being kept; its owner waits for the end.
  private var photo: UnsafeBufferPointer<UInt8>?
  /// Called when the photo that was lent is not needed any more.
  unowned(unsafe) var camera: CameraCommands?
  private var removal: Call?
  private var listing: Call?
  /// When to look for photos that are too old, in monotonic milliseconds.
  private var pruneAt: Int64?
  private var isHeld = false
  private var isStopping = false
  private var messageLimit = Int.max
  /// What is known while the shelf belongs to a worker.
  private(set) var facts = PhotoFacts()

  /// A part that looks at flash with `start`.
  @export(interface)
  public init(
    _ board: PhotosBoard, router: Router, runner: any JobRunner, clock: any Clock, log: Log
  ) throws(Errno) {
    let shelf = PhotoShelf(files: board.files, keeping: board.keeping)
    job = try PhotosJob(shelf: shelf, codec: board.codec, clock: clock)
    self.router = router
    self.runner = runner
    self.clock = clock
    self.log = log
    super.init()
    job.delegate = self
  }

  // MARK: Part

  public override func addCommands(to router: Router) { router.add(Self.rows, capability: "photos", self) }

  public override var permission: (name: StaticString, isGranted: Bool)? { ("photos", true) }

  public override var operations: [ControlRow] {
    [
      ControlRow("photos") { (control, call, _) in self.list(control, call) },
      ControlRow("photos-delete") { (control, call, _) in self.remove(control, call) },
    ]
  }

  public override func start() { next() }

  public override func stop() { isStopping = true }

  public override var isStopped: Bool { !job.isPending && photo == nil }

  public override func online(_ session: Session) { messageLimit = session.messageLimit }

  /// The router has answered the invokes.
  public override func hold() {
    isHeld = true
    current = nil
    if case .latest = job.order, job.isPending { job.cancel() }
    while waiting.pop() != nil {}
  }

  public override func letGo() { isHeld = false }

  public override var nextDeadline: Int64? { job.isPending || isStopping ? nil : pruneAt }

  public override func advance(to now: Int64) {
    guard let pruneAt, now >= pruneAt, !job.isPending else { return }
    next()
  }

  public override func writeStatus(to writer: inout JSONWriter) { facts.write(job.shelf.keeping, to: &writer) }

  public override func forget(_ control: Control, _ call: Int) {
    if let waiting = listing, waiting.control === control, waiting.call == call { listing = nil }
    if let waiting = removal, waiting.control === control, waiting.call == call { removal = nil }
  }

  // MARK: CommandHandler

  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    if isHeld { return router.fail(token, HoldError.held) }
    do throws(CameraError) {
      let request = Request(token: token, parameters: try LatestParameters(copy parameters), deadline: deadline)
      guard waiting.push(request) else { return router.fail(token, RouterError.busy) }
      next()
    } catch {
      router.fail(token, error)
    }
  }

  public func cancel(_ token: InvokeToken) {
    waiting.removeAll { $0.token == token }
    guard current == token else { return }
    current = nil
    job.cancel()
  }

  /// Keeps a photo, which is lent until `CameraCommands.photoKept`.
  func keep(_ photo: UnsafeBufferPointer<UInt8>) {
    self.photo = photo
    next()
  }

  // MARK: One after the other

  private func next() {
    guard !job.isPending else { return }
    if mustLoad, !isStopping {
      job.prepare(.load)
    } else if let photo {
      job.prepare(keep: photo)
    } else if isStopping {
      return
    } else if removal != nil {
      job.prepare(.remove)
    } else if let pruneAt, clock.monotonic >= pruneAt {
      job.prepare(.prune)
    } else if !isSending, let request = waiting.pop() {
      current = request.token
      job.prepare(latest: request.parameters, room: room, deadline: request.deadline)
    } else {
      return
    }
    if !runner.submit(job) { photosJobRefused() }
  }

  /// Bytes for which a message has room besides its envelope.
  private var room: Int { messageLimit == .max ? .max : max(messageLimit - Budget.mediaEnvelopeBytes, 0) }

  /// The workers' queue is full: what waits for somebody fails, the rest is tried again.
  private func photosJobRefused() {
    switch job.order {
    case .keep: endKeeping(.busy)
    case .latest:
      if let current { router.fail(current, RouterError.busy) }
      current = nil
    case .remove: endRemoval(.busy)
    case .load, .prune: break
    }
    pruneAt = clock.monotonic + Self.retry
  }

  /// Milliseconds after which something that failed is tried again, and until the clock is looked at again.
  private static let retry: Int64 = 60_000, longestWait: Int64 = 3_600_000

  public func photosJobEnded(_ job: PhotosJob) {
    note(job.failure)
    switch job.order {
    case .load: mustLoad = job.failure != nil
    case .keep: endKeeping(job.failure)
    case .remove: endRemoval(job.failure)
    case .latest: answer()
    case .prune: break
    }
    facts.learn(job.shelf)
    schedule()
    if let (control, call) = listing {
      listing = nil
      tell(control, call)
    }
    next()
  }

  private func schedule() {
    let now = clock.monotonic
    if facts.failure != nil || job.shelf.hasUndated {
      pruneAt = now + Self.retry
    } else {
      // By a date that cannot be nothing is removed.
      let wall = BelievableDate.of(clock.wall) ?? 0
      pruneAt = job.shelf.nextEnd.map { now + min(max($0 - wall, 1_000), Self.longestWait) }
    }
  }

  /// Logs once that flash fails, and once that it works again.
  private func note(_ failure: Errno?) {
    guard facts.failure != failure else { return }
    facts.failure = failure
    guard let failure else { return log.write(.info, "photos", "photos are kept again") }
    log.write(.warning, "photos") { line in
      line.add("the photos that are kept cannot be reached: ")
      line.add(failure)
    }
  }

  private func endKeeping(_ failure: Errno?) {
    if failure != nil || !job.isKept { facts.notKept += 1 }
    if failure == nil, !job.isKept {
      log.write(.warning, "photos", "a photo is not kept: it alone is larger than keep in [photos]")
    }
    photo = nil
    camera?.photoKept()
  }

  private func answer() {
    guard let token = current else { return job.release() }
    current = nil
    if let failure = job.failure {
      job.release()
      return router.fail(token, PhotosError.unavailable(failure))
    }
    if job.isEnded {
      job.release()
      return router.fail(token, PhotosError.ended)
    }
    isSending = true
    if !router.succeed(token, json: job.answer, delegate: self) { blobReleased() }
  }

  public func blobRead(upTo count: Int) {}

  public func blobReleased() {
    isSending = false
    job.release()
    next()
  }

  // MARK: People

  private func list(_ control: Control, _ call: Int) {
    guard job.isPending else { return tell(control, call) }
    guard listing == nil else { return control.fail(call, DeskFailure("BUSY", "the photos are being listed already")) }
    listing = (control, call)
  }

  private func tell(_ control: Control, _ call: Int) {
    let shelf = job.shelf
    control.finish(call) { writer in
      writer.beginObject()
      self.facts.writeMembers(shelf.keeping, to: &writer)
      writer.key("photos")
      writer.beginArray()
      for index in 0..<min(shelf.count, Budget.photosListed) { PhotoFacts.write(shelf[newest: index], to: &writer) }
      writer.endArray()
      writer.endObject()
    }
  }

  private func remove(_ control: Control, _ call: Int) {
    guard removal == nil else { return control.fail(call, DeskFailure("BUSY", "the photos are being deleted already")) }
    removal = (control, call)
    next()
  }

  private func endRemoval(_ failure: Errno?) {
    if failure == nil {
      log.write(.notice, "photos") { line in
        line.add("a person has deleted the photos that were kept: ")
        line.add(Int64(self.job.gone))
      }
    }
    guard let (control, call) = removal else { return }
    removal = nil
    if let failure {
      return control.fail(
        call,
        DeskFailure("IO") { line in
          line.add("not all photos could be deleted: ")
          line.add(failure)
        })
    }
    control.finish(call) { writer in
      writer.beginObject()
      writer.key("deleted")
      writer.int(Int64(self.job.gone))
      writer.endObject()
    }
  }
}
