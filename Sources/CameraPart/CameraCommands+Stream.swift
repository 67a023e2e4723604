import Camera
import Runtime

/// When the camera is opened and closed besides what is asked of it.
extension CameraCommands: StreamDelegate {
  func closeForGood() {
    if stopTime != nil || isHeld, !isInUse, stream.isOpen { submit(.close) }
  }

  /// A movement has ended for which the camera streamed.
  func streamReleased() {
    scheduleClose()
    startNext()
    keepWarm()
  }

  func scheduleClose() {
    if stream.isOpen, !policy.keepsWarm, !isHeld { closeTime = clock.monotonic + policy.idle }
    closeForGood()
  }

  func keepWarm() {
    guard policy.keepsWarm, stopTime == nil, !isHeld, !isTaken, !stream.isOpen, journal.isPresent else { return }
    submit(.open)
  }

  func submit(_ action: StreamJob.Action) {
    opening.prepare(action)
    // The queue was full: it is tried again a second later.
    if !runner.submit(opening), action == .close { closeTime = clock.monotonic + 1000 }
  }

  public func streamChanged(_ job: StreamJob) {
    // First, because the next job takes the stream.
    if let failure = job.failure { journal.learn(failure, after: stream) }
    startNext()
    closeForGood()
    if job.failure == nil { keepWarm() }
  }
}
