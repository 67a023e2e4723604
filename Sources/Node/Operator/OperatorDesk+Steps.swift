import Codec
import Runtime

/// What agents do besides talking (gateway reference 9.9: the streams `tool` and `thinking` of `agent` events, which
/// come to clients with the capability `tool-events`).
extension OperatorDesk {
  /// Takes an `agent` or `session.tool` event of a run that is followed.
  func agentReceived(_ payload: borrowing JSONView) {
    guard let id = payload.member("runId"), let index = runs.index(of: id), let data = payload.member("data"),
      let stream = payload.member("stream")
    else { return }
    if stream.equals("tool") { return toolReceived(index, data) }
    if stream.equals("thinking") { thoughtReceived(index, data) }
  }

  private func toolReceived(_ run: Int, _ data: borrowing JSONView) {
    guard let phase = data.member("phase"), let id = data.member("toolCallId"), id.kind == .string else { return }
    let serial = runs[run].serial
    let found = steps.index(of: run, serial, id: id)
    if phase.equals("start") {
      guard found == nil else { return }
      endThought(of: run)
      var open = ChatSteps.Open()
      (open.run, open.serial, open.since) = (run, serial, now)
      // An id that is too long names no call whose end can be told.
      guard open.id.fill({ id.copyString(into: $0) }), !open.id.isEmpty else { return }
      open.step = ChatStep(.tool, .begun)
      if let name = data.member("name"), !open.step.name.fill({ name.copyString(into: $0) }) {
        open.step.name = InlineText(cutting: "a tool with a long name")
      }
      if let arguments = data.member("args") { open.step.setDetail(arguments) }
      steps.add(open)
      return tell(open)
    }
    guard let found, phase.equals("result") || phase.equals("end") || phase.equals("error") else { return }
    let hasFailed = data.member("isError")?.bool == true || phase.equals("error")
    endStep(found, hasFailed ? .failed : .done)
  }

  private func thoughtReceived(_ run: Int, _ data: borrowing JSONView) {
    let serial = runs[run].serial
    var open: ChatSteps.Open
    let place = steps.thought(of: run, serial)
    if let place, let old = steps[place] {
      open = old
    } else {
      open = ChatSteps.Open()
      (open.run, open.serial, open.since) = (run, serial, now)
    }
    // The whole text so far: its beginning is kept.
    if open.step.detail.count < 500, let text = data.member("text"), text.kind == .string { open.step.setDetail(text) }
    guard place == nil else {
      steps[place!] = open
      return
    }
    steps.add(open)
    tell(open)
  }

  /// Takes a step of a run that the stand-in answers: calls of one name end in the order in which they began.
  func localStep(_ run: Int, _ step: ChatStep) {
    let serial = runs[run].serial
    if step.state == .begun {
      var open = ChatSteps.Open()
      (open.run, open.serial, open.since, open.step) = (run, serial, now, step)
      steps.add(open)
      return tell(open)
    }
    guard let found = steps.index(of: run, serial, named: step.name) else { return }
    endStep(found, step.state)
  }

  /// The agent does something else now.
  func endThought(of run: Int) {
    if let place = steps.thought(of: run, runs[run].serial) { endStep(place, .done) }
  }

  /// A run has ended, and with it all of its steps.
  func endSteps(of run: Int) {
    let serial = runs[run].serial
    for index in 0..<steps.capacity {
      guard let open = steps[index], open.run == run, open.serial == serial else { continue }
      endStep(index, open.step.kind == .thought ? .done : .failed)
    }
  }

  private func endStep(_ index: Int, _ state: ChatStep.State) {
    guard var open = steps[index] else { return }
    steps[index] = nil
    open.step.state = state
    open.step.milliseconds = now - open.since
    tell(open)
  }

  /// The run's slot may serve another run since.
  private func tell(_ open: ChatSteps.Open) {
    guard runs.isActive(open.run), runs[open.run].serial == open.serial else { return }
    runs.noteStep(open.run)
    let run = runs[open.run]
    run.delegate?.chatStep(run.tag, open.step)
  }
}
