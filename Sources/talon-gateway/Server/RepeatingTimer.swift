import NIOCore

/// Runs a closure on the event loop at a fixed delay until it is cancelled or dropped.
final class RepeatingTimer {
  private let loop: any EventLoop
  private let interval: TimeAmount
  private let body: () -> Void
  private var next: Scheduled<Void>?

  init(loop: any EventLoop, interval: TimeAmount, body: @escaping () -> Void) {
    self.loop = loop
    self.interval = interval
    self.body = body
    schedule()
  }

  deinit { next?.cancel() }

  func cancel() {
    next?.cancel()
    next = nil
  }

  private func schedule() {
    next = loop.assumeIsolated().scheduleTask(in: interval) { [weak self] in
      self?.schedule()
      self?.body()
    }
  }
}
