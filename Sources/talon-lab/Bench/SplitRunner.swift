import Runtime

/// Runs jobs in this thread as workers and the loop do it, one after the other: what is the loop's work can be told
/// from what is not.
final class SplitRunner: JobRunner {
  private var waiting = BoundedQueue<Job>(capacity: Budget.workerQueue)
  private var done = BoundedQueue<Job>(capacity: Budget.workerQueue)

  /// True when a worker or the loop has something to do.
  var isBusy: Bool { waiting.count + done.count > 0 }

  func submit(_ job: Job) -> Bool {
    guard !job.isPending, waiting.count + done.count < waiting.capacity, waiting.push(job) else { return false }
    job.isPending = true
    return true
  }

  /// What workers do.
  func work() {
    while let job = waiting.pop() {
      job.run()
      _ = done.push(job)
    }
  }

  /// What the loop does when it hears of that.
  func finish() {
    while let job = done.pop() {
      job.isPending = false
      job.finish()
    }
  }

  /// Runs all jobs, and those that they submit.
  func runAll() {
    while isBusy {
      work()
      finish()
    }
  }
}
