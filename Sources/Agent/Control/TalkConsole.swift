#if TALON_SOUND
  import Codec
  import Runtime
  import Talk

  /// Push to talk and talk mode for programs on the board: `{"op":"talk","action":"start"}`, `stop`, `cancel`, `once`, `on`, `off`,
  /// `status`, `follow`. A capture that a program began and did not end is dropped when the program is gone.
  final class TalkConsole: TalkWaiter, TalkAudience {
    private unowned(unsafe) let control: Control
    /// Calls that wait for the microphone to open, and for the end of the capture.
    private var (starter, waiter): (Int?, Int?)
    /// Who began a capture, and which.
    private var client: Int?
    private var capture = InlineText<64>()
    /// Calls that read along.
    private var followers: UInt32 = 0
    private unowned(unsafe) var service: TalkService?

    init(_ control: Control) { self.control = control }

    func begin(_ call: Int, _ client: Int, _ action: borrowing JSONView, _ service: TalkService) {
      if self.service !== service {
        self.service = service
        service.console = self
        service.audience = self
      }
      if action.equals("status") { return writeStatus(call, service) }
      if action.equals("follow") { return followers |= 1 << UInt32(call) }
      if action.equals("off") { return set(false, call, service) }
      guard service.settings.isEnabled else { return fail(call, TalkError.disabled) }
      if action.equals("on") { return set(true, call, service) }
      if action.equals("start") { return take(.start, call, client, service) }
      if action.equals("once") { return take(.once, call, client, service) }
      if action.equals("stop") { return take(.stop, call, client, service) }
      if action.equals("cancel") { return take(.cancel, call, client, service) }
      control.refuse(call, "\"action\" is start, stop, cancel, once, on, off, status or follow")
    }

    private func set(_ isOn: Bool, _ call: Int, _ service: TalkService) {
      service.setTalkMode(isOn)
      writeStatus(call, service)
    }

    private func take(_ event: TalkLoop.Event, _ call: Int, _ client: Int, _ service: TalkService) {
      // The ends of this call and of those before it come in their order.
      guard event == .start ? starter == nil : waiter == nil || event == .cancel else {
        return control.fail(call, DeskFailure("BUSY", "somebody at this board waits for another capture"))
      }
      service.take(event) { reply in
        guard reply == .later else { return self.answer(call, reply, service) }
        if event == .start { self.starter = call } else { self.waiter = call }
        if event == .start || event == .once { (self.client, self.capture) = (client, service.captureID) }
      }
    }

    // MARK: Answers

    func answerStarters(_ reply: TalkLoop.Reply) {
      guard let call = starter, let service else { return }
      starter = nil
      answer(call, reply, service)
    }

    func answerWaiters(_ reply: TalkLoop.Reply) {
      client = nil
      guard let call = waiter, let service else { return }
      waiter = nil
      answer(call, reply, service)
    }

    private func answer(_ call: Int, _ reply: TalkLoop.Reply, _ service: TalkService) {
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

    private func writeStatus(_ call: Int, _ service: TalkService) { control.finish(call) { service.writeStatus(to: &$0) } }

    // MARK: Reading along

    func talkSaid(_ text: Span<UInt8>, isAgent: Bool) {
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

    // MARK: Clients that go

    /// A call of a client that is gone.
    func forget(_ call: Int) {
      if starter == call { starter = nil }
      if waiter == call { waiter = nil }
      followers &= ~(1 << UInt32(call))
    }

    /// Nobody is there any more who could end what this client began.
    func clientGone(_ gone: Int) {
      guard client == gone else { return }
      client = nil
      guard let service, capture.equals(service.captureID.span) else { return }
      service.take(.cancel)
    }
  }
#endif
