import Camera
import Codec
import Runtime

/// `camera.list`, and the looks that nobody asked for. One look answers all who wait.
final class CameraListCommand: ListOwner {
  private let stream: CameraStream
  private let router: Router
  private let runner: any JobRunner
  private let journal: CameraJournal
  private let job: ListJob
  private var waiting = BoundedQueue<InvokeToken>(capacity: Budget.runningInvokes)
  private var mustLook = false
  /// Told after each look.
  unowned(unsafe) var commands: CameraCommands?

  init(stream: CameraStream, router: Router, runner: any JobRunner, journal: CameraJournal) {
    self.stream = stream
    self.router = router
    self.runner = runner
    self.journal = journal
    job = ListJob(source: stream.source)
    job.owner = self
  }

  func begin(_ token: InvokeToken) {
    guard job.isPending || runner.submit(job), waiting.push(token) else { return router.fail(token, RouterError.busy) }
  }

  func cancel(_ token: InvokeToken) { waiting.removeAll { $0 == token } }

  /// Looks without being asked; once more after a look that is under way, which may have begun before the change.
  func look() { mustLook = job.isPending || !runner.submit(job) }

  func listed(_ job: ListJob) {
    let count = job.cameras.count
    journal.learn(job.failure ?? (count == 0 ? .noDevice : nil), cameras: count)
    // Requests that came while the job ran are answered from what it found.
    for _ in 0..<waiting.count {
      guard let token = waiting.pop() else { break }
      if let failure = job.failure {
        router.fail(token, failure)
      } else {
        router.succeed(token) { job.cameras.write(to: &$0, kind: job.source.kind, roster: self.stream.roster) }
      }
    }
    if mustLook { look() }
    commands?.camerasListed()
  }
}
