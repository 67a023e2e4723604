import Codec
import Node
import Runtime
import Talk

/// Push to talk and talk mode for programs on the board: `{"op":"talk","action":"start"}`, `stop`, `cancel`, `once`,
/// `on`, `off`, `status`, `follow`. A capture that a program began and did not end is dropped when the program
/// disconnects.
final class TalkConsole: TalkWaiter, TalkAudience {
  /// The control whose calls wait. Outlives them.
  private unowned(unsafe) var control: Control! = nil
  /// Calls that wait for the microphone to open, and for the end of the capture.
  private var (starter, waiter): (Int?, Int?)
  /// The client that began a capture, and the capture.
  private var client: Int?
  private var capture = InlineText<64>()
  /// Calls that follow the conversation's text.
  private var followers: UInt32 = 0
  private unowned(unsafe) let service: TalkService

  init(_ service: TalkService) { self.service = service }

  func begin(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    self.control = control
    guard let client = control.client(of: call) else { return }
    guard let action = request.member("action") else {
      return control.refuse(call, "the member \"action\" is missing")
    }
    begin(call, client, action)
  }

  private func begin(_ call: Int, _ client: Int, _ action: borrowing JSONView) {
    if action.equals("status") { return writeStatus(call) }
    if action.equals("follow") { return followers |= 1 << UInt32(call) }
    if action.equals("off") { return set(false, call) }
    guard service.settings.isEnabled else { return fail(call, TalkError.disabled) }
    if action.equals("on") { return set(true, call) }
    if action.equals("start") { return take(.start, call, client) }
    if action.equals("once") { return take(.once, call, client) }
    if action.equals("stop") { return take(.stop, call, client) }
    if action.equals("cancel") { return take(.cancel, call, client) }
    control.refuse(call, "\"action\" is start, stop, cancel, once, on, off, status or follow")
  }

  private func set(_ isOn: Bool, _ call: Int) {
    service.setTalkMode(isOn)
    writeStatus(call)
  }

  private func take(_ event: TalkLoop.Event, _ call: Int, _ client: Int) {
    // The ends of this call and of those before it come in their order.
    guard event == .start ? starter == nil : waiter == nil || event == .cancel else {
      return control.fail(call, DeskFailure("BUSY", "somebody at this board waits for another capture"))
    }
    service.take(event) { reply in
      guard reply == .later else { return self.answer(call, reply) }
      if event == .start { self.starter = call } else { self.waiter = call }
      if event == .start || event == .once { (self.client, self.capture) = (client, service.captureID) }
    }
  }

  // MARK: Answers

  func answerStarters(_ reply: TalkLoop.Reply) {
    guard let call = starter else { return }
    starter = nil
    answer(call, reply)
  }

  func answerWaiters(_ reply: TalkLoop.Reply) {
    client = nil
    guard let call = waiter else { return }
    waiter = nil
    answer(call, reply)
  }

  private func answer(_ call: Int, _ reply: TalkLoop.Reply) {
    switch reply {
    case .none, .later: break
    case .failure(.microphone):
      if let failure = service.microphoneFailure { fail(call, failure) } else { fail(call, TalkError.noMicrophone) }
    case .failure(let failure): fail(call, TalkError(failure))
    case .isOpen: control.finish(call) { service.writeCapture(nil, to: &$0) }
    case .status(let status): control.finish(call) { service.writeCapture(status, to: &$0) }
    }
  }

  private func fail(_ call: Int, _ error: some WireError) {
    let text = error.wire
    control.fail(call, DeskFailure(text.code, text.text))
  }

  private func writeStatus(_ call: Int) {
    control.finish(call) { service.writeTalk(to: &$0) }
  }

  // MARK: Following

  func talkTextReceived(_ text: Span<UInt8>, isAgent: Bool) {
    text.withUnsafeBufferPointer { bytes in
      for call in 0..<Budget.controlCalls where followers & 1 << UInt32(call) != 0 {
        control.sendPart(call, "line") { writer in
          writer.key("who")
          writer.string(isAgent ? "agent" : "person")
          writer.key("text")
          writer.string(Span(_unsafeElements: bytes))
        }
      }
    }
  }

  // MARK: Disconnection

  /// The client of this call has disconnected.
  func forget(_ call: Int) {
    if starter == call { starter = nil }
    if waiter == call { waiter = nil }
    followers &= ~(1 << UInt32(call))
  }

  /// A client has disconnected, and can no longer end the capture that it began.
  func clientDisconnected(_ gone: Int) {
    guard client == gone else { return }
    client = nil
    guard capture.equals(service.captureID.span) else { return }
    service.take(.cancel)
  }
}
