import Runtime
import Updates

/// How the steps of an update end.
extension UpdatePart: RootLinkDelegate, BundleDownloadDelegate {
  func rootAnswered(_ answer: RootAnswer) {
    guard course.order != nil else { return }
    // What is in the other slot now is told to the server, too.
    if answer.state == .done {
      self.answer = answer
      return root.lookAtSlots()
    }
    course.answered(answer, at: clock.monotonic)
    step()
  }

  func rootReported(_ slots: SlotReport?) {
    course.slotsChanged(slots)
    guard let answer else { return step() }
    self.answer = nil
    course.answered(answer, at: clock.monotonic)
    step()
  }

  func requestFailed(_ reason: Errno) {
    log.write(.warning, "update") { line in
      line.add("root's side cannot be asked: ")
      line.add(reason)
    }
  }

  func downloadEnded(_ end: DownloadEnd) {
    let now = clock.monotonic
    switch end {
    case .complete:
      pauses.succeeded()
      wentWell()
      course.downloaded()
    case .interrupted(let words, let seconds):
      say(.warning, words)
      pauses.failed(at: now)
      let pause = max((pauses.dueAt ?? now) - now, min(Int64(seconds ?? 0), 86_400) * 1000)
      course.interrupted(pause: PollSchedule.spread(pause, by: pause / 4, world.random), at: now)
    case .faulty(let words):
      say(.error, words)
      course.faulted(words, at: now)
      download.discard()
    case .noRoom:
      course.failed(UpdateText(cutting: "there is no room for the bundle on this board"), at: now)
    case .refused(let words):
      say(.error, words)
      course.failed(words, at: now)
    }
    step()
  }

  func downloadTagged(_ etag: Span<UInt8>) {
    course.tagged(etag)
    save()
  }

  func downloadProgressed(to bytes: Int64) {
    pauses.succeeded()
    course.progressed(to: bytes)
  }
}
