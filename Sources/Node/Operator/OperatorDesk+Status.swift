import Codec
import Device
import Gateway
import Runtime

extension OperatorDesk {
  /// Writes the connection's state as the member "console" of the agent's status.
  func writeConsole(to writer: inout JSONWriter) {
    let explanation = explanation
    writer.key("console")
    writer.beginObject()
    writer.key("state")
    writer.string(stateWord)
    writer.key("explanation")
    writer.string(explanation.span)
    session.writeApproval(to: &writer)
    writer.endObject()
  }

  /// The connection as a service of `device.health`.
  var health: HardwareState { HardwareState(session.state == .online ? .ok : .error, detail: stateWord) }
}

extension Session {
  /// Writes, while a person has to approve this connection: the command to type at the gateway, the age of the request,
  /// and when the gateway is asked again. Members of an object, times in milliseconds.
  public func writeApproval(to writer: inout JSONWriter) {
    guard let age = approvalAge else { return }
    var command = InlineText<192>()
    command.fill { buffer in
      var line = LogLine(buffer)
      writeApproval(to: &line)
      return line.count
    }
    writer.key("approve")
    writer.string(command.span)
    writer.key("approveAge")
    writer.int(age)
    guard let pause = pauseLeft else { return }
    writer.key("approveNext")
    writer.int(pause)
  }
}
