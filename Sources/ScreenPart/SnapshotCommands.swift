import Canvas
import Codec
import Gateway
import Graphics
import Node
import Runtime

/// Snapshots of the screen, for `canvas.snapshot` and `screen.snapshot`: of the last requested frame, one after the
/// other.
final class SnapshotCommands: CommandHandler, BlobDelegate {
  static let rows = [CommandRow("screen.snapshot", limit: Budget.snapshotInvokes, queues: true)]

  private struct Wanted {
    var token: InvokeToken
    var parameters: SnapshotParameters
  }

  private let face: CanvasFace
  private let router: Router
  private let runner: any JobRunner
  private let clock: any Clock
  private var job: SnapshotJob! = nil
  private var waiting = BoundedQueue<Wanted>(capacity: 2 * Budget.snapshotInvokes)
  /// The invoke whose picture is made or sent; nil also when it was canceled.
  private var current: Wanted?
  /// True while the job's memory is in use.
  private var isTaken = false
  /// Not before this time: an agent that takes snapshots all the time must not heat the board.
  private var earliest: Int64 = 0

  init(
    _ face: CanvasFace, codec: any SnapshotCodec, router: Router, runner: any JobRunner, clock: any Clock
  ) throws(Errno) {
    self.clock = clock
    self.face = face
    self.router = router
    self.runner = runner
    job = try SnapshotJob(codec) { [unowned(unsafe) self] in self.encoded() }
  }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    do throws(CanvasError) {
      begin(token, try SnapshotParameters(copy parameters, ofScreen: true))
    } catch {
      router.fail(token, error)
    }
  }

  func begin(_ token: InvokeToken, _ parameters: SnapshotParameters) {
    guard waiting.push(Wanted(token: token, parameters: parameters)) else {
      return router.fail(token, RouterError.busy)
    }
    takeNext()
  }

  /// A picture that is being made is made to its end, which takes less than a second, and goes nowhere.
  func cancel(_ token: InvokeToken) {
    waiting.removeAll { $0.token == token }
    if current?.token == token { current = nil }
  }

  /// When `advance` is to be called.
  var nextDeadline: Int64? { isTaken || waiting.isEmpty || earliest <= clock.monotonic ? nil : earliest }

  /// Does what is due.
  func advance(to now: Int64) { takeNext() }

  /// The screen shows the requested frame.
  func frameShown() { takeNext() }

  private func takeNext() {
    guard !isTaken, !waiting.isEmpty, clock.monotonic >= earliest, !face.endFade() else { return }
    guard let pixels = face.pump.lend() else { return }
    guard let next = waiting.pop() else { return }
    job.prepare(pixels, next.parameters.format, atMost: next.parameters.width)
    guard runner.submit(job) else {
      face.pump.takeBack()
      return router.fail(next.token, RouterError.busy)
    }
    (current, isTaken) = (next, true)
    earliest = clock.monotonic + Budget.snapshotMilliseconds
  }

  private func encoded() {
    face.pump.takeBack()
    guard let wanted = current else { return blobReleased() }
    guard let picture = job.picture else {
      router.fail(wanted.token, CanvasError.tooLarge)
      return blobReleased()
    }
    let size = job.size
    let isSent = router.succeed(wanted.token, blob: picture, delegate: self) { writer in
      writer.key("format")
      writer.string(wanted.parameters.format == .png ? "png" : "jpeg")
      writer.key("width")
      writer.int(Int64(size.width))
      writer.key("height")
      writer.int(Int64(size.height))
    }
    if !isSent { blobReleased() }
  }

  // MARK: BlobDelegate

  func blobRead(upTo count: Int) {}

  func blobReleased() {
    job.release()
    (current, isTaken) = (nil, false)
    takeNext()
  }
}
