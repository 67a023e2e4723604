import Camera
import Codec
import Gateway
import Runtime

/// `camera.list` and `camera.snap`: one capture at a time, the others wait their turn.
final class CameraCommands: CommandHandler, CaptureOwner, ListOwner, BlobOwner {
  static let rows = [
    CommandRow("camera.list", limit: Budget.runningInvokes),
    CommandRow("camera.snap", limit: Budget.snapInvokes),
  ]

  private struct Snap {
    var token: InvokeToken
    var parameters: SnapParameters
    var deadline: Int64
  }

  private let router: Router
  private let runner: any JobRunner
  private let log: Log
  private let capture: CaptureJob
  private let list: ListJob
  private let defaultDelay: Int64
  private var waiting = BoundedQueue<Snap>(capacity: Budget.runningInvokes)
  private var listing = BoundedQueue<InvokeToken>(capacity: Budget.runningInvokes)
  private var current: InvokeToken?
  /// How the camera was when it was last asked.
  private(set) var state = CameraState.unknown

  /// What `device.health` and the log say of the camera.
  enum CameraState: Equatable { case unknown, present, absent, failing }

  init(
    device: any CameraDevice, codec: any JPEGCodec, defaultDelay: Int64, router: Router,
    runner: any JobRunner, clock: any Clock, log: Log
  ) throws(Errno) {
    self.router = router
    self.runner = runner
    self.log = log
    self.defaultDelay = defaultDelay
    capture = try CaptureJob(device: device, codec: codec, clock: clock)
    list = ListJob(device: device)
    capture.owner = self
    list.owner = self
  }

  /// Looks for cameras, so that the log and `device.health` know before anybody asks.
  func look() { _ = runner.submit(list) }

  func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    command == 0 ? beginList(token) : beginSnap(token, parameters, deadline)
  }

  // MARK: camera.list

  private func beginList(_ token: InvokeToken) {
    guard list.isPending || runner.submit(list), listing.push(token) else {
      return router.fail(token, RouterError.busy)
    }
  }

  func listed(_ job: ListJob) {
    notice(job.failure == nil ? (job.cameras.count > 0 ? .present : .absent) : .failing)
    // Requests that came while the job ran are answered from what it found.
    for _ in 0..<listing.count {
      guard let token = listing.pop() else { return }
      if let failure = job.failure {
        router.fail(token, failure)
      } else {
        router.succeed(token) { job.cameras.write(to: &$0, kind: job.device.kind) }
      }
    }
  }

  // MARK: camera.snap

  private func beginSnap(
    _ token: InvokeToken, _ parameters: borrowing JSONView, _ deadline: Int64
  ) {
    do throws(CameraError) {
      let asked = try SnapParameters(copy parameters, defaultDelay: defaultDelay)
      guard waiting.push(Snap(token: token, parameters: asked, deadline: deadline)) else { throw .busy }
      startNext()
    } catch {
      router.fail(token, error)
    }
  }

  private func startNext() {
    guard !capture.isTaken, let next = waiting.pop() else { return }
    capture.prepare(next.parameters, deadline: next.deadline)
    current = next.token
    if runner.submit(capture) { return }
    router.fail(next.token, RouterError.busy)
    done()
  }

  func captured(_ job: CaptureJob) {
    guard let token = current else { return done() }
    current = nil
    switch job.outcome {
    case .none: done()
    case .failed(let error):
      if let state = error.cameraState { notice(state) }
      router.fail(token, error)
      done()
    case .photo(let photo):
      notice(.present)
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
  func blobRead(upTo count: Int) {}

  func blobReleased() { done() }

  private func done() {
    current = nil
    capture.release()
    startNext()
  }

  // MARK: Cancelling

  func cancel(_ token: InvokeToken) {
    if current == token {
      current = nil
      return capture.cancel()
    }
    for _ in 0..<waiting.count {
      guard let snap = waiting.pop() else { break }
      if snap.token != token { _ = waiting.push(snap) }
    }
    for _ in 0..<listing.count {
      guard let other = listing.pop() else { break }
      if other != token { _ = listing.push(other) }
    }
  }

  /// Logs a change of the camera's state, once.
  private func notice(_ now: CameraState) {
    guard now != state else { return }
    state = now
    switch now {
    case .present: log.write(.info, "camera", "a camera is there")
    case .absent: log.write(.warning, "camera", "no camera found; camera commands answer CAMERA_UNAVAILABLE")
    case .failing: log.write(.warning, "camera", "the camera does not work")
    case .unknown: break
    }
  }
}

extension CameraError {
  /// What an error tells about the hardware; nil when it tells about the request.
  var cameraState: CameraCommands.CameraState? {
    switch self {
    case .noDevice, .disconnected: .absent
    default: nextStep == nil ? nil : .failing
    }
  }
}
