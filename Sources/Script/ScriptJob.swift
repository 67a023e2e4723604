import Runtime

/// Executes one order on the worker.
final class ScriptJob: Job {
  private let host: ScriptHost
  private let ended: () -> Void
  var order = ScriptOrder()
  private(set) var result = ScriptResult.done

  init(_ host: ScriptHost, ended: @escaping () -> Void) {
    self.host = host
    self.ended = ended
  }

  override func run() { result = host.perform(order) }

  override func finish() {
    order.mustForget = false
    ended()
  }
}
