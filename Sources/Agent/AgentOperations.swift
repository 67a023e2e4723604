import Codec
import Gateway
import Node
import Runtime

/// Operations of the local socket for the agent as a whole.
extension Agent: ControlNode {
  @export(interface)
  public var operations: [ControlRow] {
    [
      // It contains texts of the gateway, but never a secret.
      ControlRow("status") { (control, call, _) in control.finish(call) { self.writeStatus(to: &$0) } },
      ControlRow("log") { $0.log($1, $2, self.log, now: self.clock.monotonic) },
      ControlRow("log-level") { $0.setLogLevel($1, $2, self.log) },
      ControlRow("selftest") { (control, call, _) in self.beginSelfTest(control, call) },
      ControlRow("panic") { self.panic($0, $1, $2) },
      ControlRow("acknowledge") { (control, call, _) in
        self.acknowledge()
        control.finishEmpty(call)
      },
      ControlRow("reload") { (control, call, _) in self.reload(control, call) },
      ControlRow("reset") { self.reset($0, $1, $2) },
    ] + table.operations
  }

  /// Tests the devices; the answer has the results.
  private func beginSelfTest(_ control: Control, _ call: Int) {
    if !selfTest.begin(control, call) { control.fail(call, DeskFailure("BUSY", "a self-test is under way")) }
  }

  /// `{hold}`: holds the board, or releases it.
  private func panic(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let hold = request.member("hold")?.bool else { return control.refuse(call, "\"hold\" is true or false") }
    hold ? holdStill("at the console") : letGo("at the console")
    control.finish(call) { writer in
      writer.beginObject()
      writer.key("held")
      writer.bool(isHeld)
      writer.endObject()
    }
  }

  /// Reads the configuration again, after the answer.
  private func reload(_ control: Control, _ call: Int) {
    guard delegate?.agentWantsReload() == true else {
      return control.fail(
        call,
        DeskFailure("UNAVAILABLE", "the configuration has a mistake, so nothing changes: talon config check shows it"))
    }
    control.finishEmpty(call)
  }

  /// `{confirm}`: begins a factory reset, when it is the node's id.
  private func reset(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let confirm = request.member("confirm"), confirm.equals(session.identity.id.span) else {
      return control.refuse(call, "\"confirm\" is not this board's node id")
    }
    control.finishEmpty(call)
    reset("at the console")
  }

  public func post(_ event: StaticString, ageLimit: Int64, hasID: Bool, _ payload: borrowing JSONView) -> UInt64? {
    outbox.post(event, ageLimit: ageLimit, hasID: hasID, payload)
  }

  public func sendPresence() -> Int64? {
    guard session.state == .online, beacon.isSupported else { return nil }
    beacon.send(.manual)
    return beacon.pauseLeft
  }

  public func forget(_ control: Control, _ call: Int) {
    selfTest.forget(control, call)
    table.forget(control, call)
  }

  public func clientDisconnected(_ client: Int) { table.clientDisconnected(client) }
}

extension Control: SelfTestDelegate {
  func selfTestEnded(_ tag: Int, _ test: SelfTest) { finish(tag) { test.write(to: &$0) } }
}
