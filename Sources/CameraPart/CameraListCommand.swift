import Camera
import Codec
import Node
import Runtime

/// `camera.list`, and listing without an invoke. One listing answers all that wait.
final class CameraListCommand: ListDelegate {
  private let stream: CameraStream
  private let router: Router
  private let runner: any JobRunner
  private let journal: CameraJournal
  private let job: ListJob
  private var waiting = BoundedQueue<InvokeToken>(capacity: Budget.runningInvokes)
  private var mustLook = false
  /// Called after each listing.
  unowned(unsafe) var commands: CameraCommands?

  init(stream: CameraStream, router: Router, runner: any JobRunner, journal: CameraJournal) {
    self.stream = stream
    self.router = router
    self.runner = runner
    self.journal = journal
    job = ListJob(source: stream.source)
    job.delegate = self
  }

  func begin(_ token: InvokeToken) {
    guard job.isPending || runner.submit(job), waiting.push(token) else { return router.fail(token, RouterError.busy) }
  }

  func cancel(_ token: InvokeToken) { waiting.removeAll { $0 == token } }

  /// Lists without an invoke; once more after a listing under way, which may have begun before the change.
  func look() { mustLook = job.isPending || !runner.submit(job) }

  func listed(_ job: ListJob) {
    let (count, before) = (job.cameras.count, journal.count)
    journal.learn(job.failure ?? (count == 0 ? .noDevice : nil), cameras: count)
    // Invokes that arrived while the job ran get its result.
    for _ in 0..<waiting.count {
      guard let token = waiting.pop() else { break }
      if let failure = job.failure {
        router.fail(token, failure)
      } else {
        router.succeed(token) {
          job.cameras.write(to: &$0, kind: job.source.kind, cameraSettings: self.stream.cameraSettings)
        }
      }
    }
    if mustLook { look() }
    commands?.camerasListed(before: before)
  }
}
