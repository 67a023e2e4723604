import Camera
import Codec
import Node
import Runtime

/// `camera.ptz.status` and `camera.ptz.control`: one at a time, in their order.
final class CameraAxisCommands: AxisDelegate {
  private struct Request {
    var token: InvokeToken
    var parameters: AxisParameters
  }

  private let router: Router
  private let runner: any JobRunner
  private let job: AxisJob
  private var waiting = BoundedQueue<Request>(capacity: 2 * Budget.axisInvokes)
  private var current: InvokeToken?

  init(stream: CameraStream, router: Router, runner: any JobRunner) {
    self.router = router
    self.runner = runner
    job = AxisJob(source: stream.source, cameraSettings: stream.cameraSettings)
    job.delegate = self
  }

  func begin(_ token: InvokeToken, _ parameters: AxisParameters) {
    guard waiting.push(Request(token: token, parameters: parameters)) else {
      return router.fail(token, RouterError.busy)
    }
    startNext()
  }

  func cancel(_ token: InvokeToken) {
    // A movement that has begun continues; its result is not reported.
    if current == token { current = nil }
    waiting.removeAll { $0.token == token }
  }

  private func startNext() {
    guard !job.isPending, let next = waiting.pop() else { return }
    job.prepare(next.parameters)
    current = next.token
    if runner.submit(job) { return }
    current = nil
    router.fail(next.token, RouterError.busy)
  }

  func moved(_ job: AxisJob) {
    if let token = current { answer(token, job) }
    current = nil
    startNext()
  }

  private func answer(_ token: InvokeToken, _ job: AxisJob) {
    switch job.outcome {
    case .none: break
    case .failed(let error): router.fail(token, error)
    case .state(let axes, let adjusted):
      let isStatus = job.parameters.operation == .look
      router.succeed(token) { isStatus ? axes.writeStatus(to: &$0) : axes.writeMoved(to: &$0, adjusted) }
    }
  }
}
