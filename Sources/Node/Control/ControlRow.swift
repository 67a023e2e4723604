import Codec
import Runtime

/// One operation of the local socket: its name, and the function that begins it. The function gets the number of its
/// call, which it must end once, and the request, which is valid until it returns.
public struct ControlRow {
  let name: StaticString
  let begin: (Control, Int, borrowing JSONView) -> Void

  /// An operation of this name; `begin` lives as long as the control.
  public init(_ name: StaticString, _ begin: @escaping (Control, Int, borrowing JSONView) -> Void) {
    self.name = name
    self.begin = begin
  }

  /// An operation that always fails, because what it needs is not configured.
  private init(_ name: StaticString, refusedWith code: StaticString, _ sentence: StaticString) {
    self.init(name) { (control, call, _) in control.fail(call, DeskFailure(code, sentence)) }
  }

  /// The operations of the operator connection, and errors for parts that this board does not have.
  static var always: [ControlRow] {
    let noSensor: StaticString = "no motion sensor is configured: set driver in [motion]"
    let noMicrophone: StaticString = "no microphone is configured: set driver in [microphone]"
    let noPhotos: StaticString = "no photos are kept: set keep in [photos]"
    let noTools: StaticString = "no tools are configured: set publish in [tools]"
    let noAgent: StaticString = "this board has no agent of its own: set enabled = yes in [agent]"
    let noUpdates: StaticString =
      "this board has one system only, which its package manager updates: apt upgrade"
    return [
      ControlRow("update", refusedWith: "NO_SLOTS", noUpdates),
      ControlRow("update-status", refusedWith: "NO_SLOTS", noUpdates),
      ControlRow("update-check", refusedWith: "NO_SLOTS", noUpdates),
      ControlRow("update-rollback", refusedWith: "NO_SLOTS", noUpdates),
      ControlRow("update-confirm", refusedWith: "NO_SLOTS", noUpdates),
      ControlRow("update-cancel", refusedWith: "NO_SLOTS", noUpdates),
      ControlRow("photos", refusedWith: "NO_PHOTOS", noPhotos),
      ControlRow("photos-delete", refusedWith: "NO_PHOTOS", noPhotos),
      ControlRow("tools", refusedWith: "NO_TOOLS", noTools),
      ControlRow("tools-test", refusedWith: "NO_TOOLS", noTools),
      ControlRow("agent", refusedWith: "NO_AGENT", noAgent),
      ControlRow("chat") { $0.chat($1, $2) },
      ControlRow("chat-abort") { $0.abort($1, $2) },
      ControlRow("chat-history") { $0.history($1, $2) },
      ControlRow("sessions") { $0.sessions($1, $2) },
      ControlRow("agents") { (control, call, _) in control.agents(call) },
      ControlRow("approvals") { (control, call, _) in control.approvals(call) },
      ControlRow("approval-answer") { $0.answerApproval($1, $2) },
      ControlRow("session-new") { $0.newSession($1, $2) },
      ControlRow("session-of") { $0.agentSession($1, $2) },
      ControlRow("voicewake-get") { (control, call, _) in control.wakePhrases(call) },
      ControlRow("voicewake-set") { $0.setWakePhrases($1, $2) },
      ControlRow("speak") { $0.speak($1, $2) },
      ControlRow("gateway-identity") { (control, call, _) in control.gatewayIdentity(call) },
      ControlRow("gateway-facts") { (control, call, _) in control.gatewayFacts(call) },
      ControlRow("gateway-health") { (control, call, _) in control.gatewayHealth(call) },
      ControlRow("gateway-heartbeat") { (control, call, _) in control.gatewayHeartbeat(call) },
      ControlRow("event") { $0.event($1, $2) },
      ControlRow("beacon") { (control, call, _) in control.beacon(call) },
      ControlRow("imu", refusedWith: "NO_SENSOR", noSensor),
      ControlRow("imu-calibrate", refusedWith: "NO_SENSOR", noSensor),
      ControlRow("listen", refusedWith: "NO_MICROPHONE", noMicrophone),
      ControlRow("talk", refusedWith: "NO_MICROPHONE", noMicrophone),
      ControlRow("take", refusedWith: "NO_MICROPHONE", noMicrophone),
      ControlRow("say", refusedWith: "NO_SPEAKER", "no speaker is configured: set driver in [speaker]"),
      ControlRow("wake-learnt") { (control, call, request) in
        if control.learnedPhrase(call, request) != nil { control.finishWakes(call, false) }
      },
    ]
  }
}

extension Control {
  /// The phrase of `wake-learnt`; nil, after ending the call with an error, when there is none.
  public func learnedPhrase(_ call: Int, _ request: borrowing JSONView) -> InlineText<192>? {
    var phrase = InlineText<192>()
    if let member = request.member("phrase"), phrase.fill({ member.copyString(into: $0) }), !phrase.isEmpty {
      return phrase
    }
    refuse(call, "\"phrase\" is a phrase of at most 192 bytes")
    return nil
  }

  /// Ends `wake-learnt`: tells whether the learned phrase is one of the wake phrases.
  public func finishWakes(_ call: Int, _ wakes: Bool) {
    finish(call) { writer in
      writer.beginObject()
      writer.key("wakes")
      writer.bool(wakes)
      writer.endObject()
    }
  }
}

/// An event that programs on the board may post for the gateway (gateway reference 9.5).
struct ControlEvent: Sendable {
  let name: StaticString
  /// The member that carries its text; gateways ignore the event without it, and do not say so.
  let text: StaticString?
  /// True when gateways read its member `eventId`, by which they drop repeats.
  let hasID: Bool
  /// Age in milliseconds after which the event is dropped.
  let ageLimit: Int64

  /// In characters. The gateway ignores longer texts without an error (gateway reference 13).
  static let textMaximum = 20_000
  private static let day: Int64 = 86_400_000

  static let all: [ControlEvent] = [
    ControlEvent(name: "voice.transcript", text: "text", hasID: true, ageLimit: Outbox.speechAge),
    ControlEvent(name: "agent.request", text: "message", hasID: false, ageLimit: day),
    ControlEvent(name: "notifications.changed", text: nil, hasID: false, ageLimit: day),
  ]
}
