import Codec
import Runtime

/// One operation of the local socket: its name, and how it begins. It gets the number of its call, which it ends once,
/// and the request, which is gone when it returns.
struct ControlRow: Sendable {
  let name: StaticString
  let begin: @Sendable (Control, Int, borrowing JSONView) -> Void

  init(_ name: StaticString, _ begin: @escaping @Sendable (Control, Int, borrowing JSONView) -> Void) {
    self.name = name
    self.begin = begin
  }

  /// The table of operations.
  static let all: [ControlRow] = [
    ControlRow("status") { (control, call, _) in control.status(call) },
    ControlRow("gps") { (control, call, _) in control.location(call) },
    ControlRow("imu") { (control, call, _) in control.motion(call) },
    ControlRow("listen") { (control, call, _) in control.listen(call) },
    ControlRow("talk") { $0.talk($1, $2) },
    ControlRow("take") { (control, call, _) in control.take(call) },
    ControlRow("wake-learnt") { $0.takePhrase($1, $2) },
    ControlRow("imu-calibrate") { $0.calibrate($1, $2) },
    ControlRow("chat") { $0.chat($1, $2) },
    ControlRow("chat-abort") { $0.abort($1, $2) },
    ControlRow("chat-history") { $0.history($1, $2) },
    ControlRow("sessions") { $0.sessions($1, $2) },
    ControlRow("voicewake-get") { (control, call, _) in control.wakePhrases(call) },
    ControlRow("voicewake-set") { $0.setWakePhrases($1, $2) },
    ControlRow("speak") { $0.speak($1, $2) },
    ControlRow("say") { $0.say($1, $2) },
    ControlRow("gateway-identity") { (control, call, _) in control.gatewayIdentity(call) },
    ControlRow("event") { $0.event($1, $2) },
    ControlRow("beacon") { (control, call, _) in control.beacon(call) },
    ControlRow("log") { $0.log($1, $2) },
    ControlRow("log-level") { $0.setLogLevel($1, $2) },
    ControlRow("snap") { $0.snap($1, $2) },
    ControlRow("selftest") { (control, call, _) in control.selfTest(call) },
    ControlRow("health") { (control, call, _) in control.health(call) },
    ControlRow("panic") { $0.panic($1, $2) },
    ControlRow("acknowledge") { (control, call, _) in control.acknowledge(call) },
    ControlRow("reset") { $0.reset($1, $2) },
  ]
}

/// An event that programs on the board may post for the gateway (gateway reference 9.5).
struct ControlEvent: Sendable {
  let name: StaticString
  /// The member that carries its text, without which gateways ignore it in silence.
  let text: StaticString?
  /// Gateways know its member `eventId`, by which they drop repeats.
  let hasID: Bool
  /// Milliseconds until nobody wants to hear of it any more.
  let ageLimit: Int64

  /// The gateway ignores longer texts in silence (gateway reference 13), in characters.
  static let mostText = 20_000
  private static let day: Int64 = 86_400_000

  static let all: [ControlEvent] = [
    ControlEvent(name: "voice.transcript", text: "text", hasID: true, ageLimit: Outbox.speechAge),
    ControlEvent(name: "agent.request", text: "message", hasID: false, ageLimit: day),
    ControlEvent(name: "notifications.changed", text: nil, hasID: false, ageLimit: day),
  ]
}
