import Codec
import Device
import Foundation
import Gateway
import Runtime
import Testing

@testable import talon

@Suite("talon doctor")
struct DoctorTests {
  // MARK: The agent's report

  private func findings(_ status: String, _ configuration: Configuration = Configuration()) -> [Finding] {
    let bytes = Array(status.utf8)
    return AgentDiagnosis(configuration: configuration).findings(JSONView(bytes.span))
  }

  private func finding(_ subject: String, _ findings: [Finding]) throws -> Finding {
    try #require(findings.last { String($0.subject) == subject })
  }

  private static let online = """
    {"pid":7,"gateway":"wss://gateway:18789","state":"online","explanation":"connected","panic":false,
     "commands":{"state":"served","explanation":"connected, and commands arrive","steps":[]},
     "outbox":{"failedWrites":0},"memory":{"residentBytes":5000000,"limitBytes":200000000},
     "hardware":[{"name":"camera","state":"ok"},{"name":"receiver","state":"absent","detail":"no receiver configured"},
      {"name":"motion","state":"absent"},{"name":"light","state":"absent"},{"name":"button","state":"absent"}]}
    """

  @Test("what was wrong when the agent started is told with what to do")
  func startTrouble() throws {
    let trouble =
      #"{"pid":7,"state":"online","trouble":{"configuration":"/etc/talon/talon.conf:3: unknown key","#
      + #""storage":"/var/lib/talon cannot be written: read-only file system"}}"#
    let found = findings(trouble)
    #expect(try finding("config", found).text.contains("last good configuration: /etc/talon/talon.conf:3: unknown key"))
    #expect(try finding("storage", found).text.contains("read-only file system"))
    #expect(try finding("storage", found).grade == .failure && !finding("config", found).remedy.isEmpty)
    #expect(!findings(Self.online).contains { String($0.subject) == "config" || String($0.subject) == "storage" })
  }

  @Test("a Wi-Fi code that led nowhere, and a camera that sees none, are told with what to do")
  func wifi() throws {
    func wifi(_ members: String) -> Finding? {
      findings(#"{"pid":7,"state":"waiting","wifi":{\#(members)}}"#).last { String($0.subject) == "wifi" }
    }
    let failed = wifi(#""state":"closed","failure":"it names no network (S:)""#)
    #expect(failed?.text.contains("it names no network") == true && failed?.remedy.contains("network.conf") == true)
    #expect(wifi(#""state":"looking","trouble":"the camera: in use""#)?.text.contains("in use") == true)
    #expect(wifi(#""state":"looking""#) == nil && wifi(#""state":"joined","trouble":"before""#) == nil)
  }

  @Test("a board that is online and whose commands get through has nothing to be done about it")
  func online() {
    let all = findings(Self.online)
    #expect(all.allSatisfy { $0.grade <= .unknown && $0.remedy.isEmpty })
    #expect(DoctorReport.code(all) == .ok)
  }

  @Test("phrases that cannot be heard are named with what to do")
  func wake() throws {
    func wake(_ phrases: String, _ deaf: String, _ more: String = "") throws -> Finding {
      try finding(
        "wake", findings(#"{"pid":7,"state":"online","wake":{"phrases":[\#(phrases)],"deaf":[\#(deaf)]\#(more)}}"#))
    }
    #expect(try wake(#""computer","claude""#, "").text == "listens for computer, claude")
    let some = try wake(#""computer""#, #""hey bob","alice""#)
    #expect(
      some.grade == .warning && some.text.contains("hey bob, alice") && some.remedy.contains("talon listen --enrol"))
    #expect(try wake("", #""bob""#).grade == .failure)
    let learning = try wake(#""computer""#, "", #","learning":["hey bob"],"retried":[],"learntPermille":70"#)
    #expect(learning.grade == .good && learning.text == "listens for computer; is being learned: hey bob")
    let all = findings(
      #"{"pid":7,"state":"online","wake":{"phrases":["computer"],"deaf":[],"modelTrouble":"/m/speech.bin is cut off"}}"#
    )
    let broken = try #require(all.first { String($0.subject) == "wake" })
    #expect(
      broken.grade == .warning && broken.text.hasSuffix("/m/speech.bin is cut off")
        && broken.remedy.contains("install the model again"))
    let retried = try wake("", "", #","learning":["hey bob"],"retried":["hey bob"]"#)
    #expect(retried.grade == .warning && retried.text.hasPrefix("hey bob could not be learned"))
  }

  @Test("a board that waits for approval names the command that approves it")
  func awaitingApproval() throws {
    let all = findings(
      #"{"pid":7,"gateway":"wss://g:1","state":"awaiting-approval","explanation":"","approve":"openclaw devices approve 4e0a"}"#
    )
    let pairing = try finding("pairing", all)
    #expect(pairing.grade == .failure)
    #expect(pairing.remedy == "on the gateway's machine: openclaw devices approve 4e0a")
    #expect(try finding("gateway", all).grade == .good)
  }

  @Test(
    "what keeps a board offline is told with what to do",
    arguments: [
      ("untrusted", "wss://g:1", "talon trust --replace"), ("paused", "", "talon connect CODE"),
      ("paused", "wss://g:1", "talon connect"), ("waiting", "wss://g:1", "below"),
    ])
  func offline(state: String, gateway: String, remedy: String) throws {
    let all = findings(#"{"pid":7,"gateway":"\#(gateway)","state":"\#(state)","explanation":"why it is so"}"#)
    let gateway = try finding("gateway", all)
    #expect(gateway.grade == .failure)
    #expect(gateway.remedy.contains(remedy))
  }

  @Test("panic, withheld commands, failed writes and too much memory are told")
  func troubles() throws {
    let all = findings(
      """
      {"pid":7,"gateway":"wss://g:1","state":"online","explanation":"","panic":true,
       "commands":{"state":"withheld","explanation":"none of these","steps":["1."]},"outbox":{"failedWrites":3},
       "console":{"state":"awaiting-approval","explanation":"waits"},
       "memory":{"residentBytes":190000000,"limitBytes":200000000}}
      """)
    #expect(try finding("panic", all).grade == .failure)
    #expect(try finding("commands", all).grade == .failure)
    #expect(try finding("storage", all).text == "events could not be written 3 times since the start")
    #expect(try finding("console", all).grade == .warning)
    #expect(try finding("agent", all).grade == .warning)
    #expect(all.filter { $0.grade >= .warning }.allSatisfy { !$0.remedy.isEmpty })
  }

  @Test("only a device that the configuration wants is missed")
  func devices() throws {
    let status = Self.online.replacingOccurrences(
      of: #""camera","state":"ok""#, with: #""camera","state":"absent","detail":"no camera found""#)
    #expect(try finding("camera", findings(status)).grade == .warning)
    var configuration = Configuration()
    configuration.cameraDriver = .none
    configuration.motionDriver = .i2c
    #expect(try finding("camera", findings(status, configuration)).grade == .unknown)
    #expect(try finding("motion", findings(status, configuration)).grade == .warning)
  }

  @Test("a report of nonsense is judged without harm", arguments: ["{}", "[]", "3", #"{"state":7,"hardware":[1,{}]}"#])
  func nonsense(status: String) {
    #expect(!findings(status).isEmpty)
  }

  // MARK: The gateway's address

  private let url = try! GatewayURL("wss://gateway.local:18789")
  private let one = PeerCertificate(
    leaf: Fingerprint(digest: .init(repeating: 1)), key: Fingerprint(digest: .init(repeating: 2)))

  private func meaning(_ outcome: GatewayProbe.Outcome, _ trust: Trust = .trusted) -> Finding {
    outcome.finding(url) { _ in trust }
  }

  @Test("each way in which an address fails has its own remedy")
  func addresses() {
    let failures: [GatewayProbe.Outcome] = [
      .failed(TransportFailure(.resolve)), .failed(TransportFailure(.connect, reason: .connectionRefused)),
      .failed(TransportFailure(.tls)), .failed(TransportFailure(.closedByPeer)), .silent,
    ]
    #expect(failures.allSatisfy { meaning($0).grade == .failure })
    #expect(Set(failures.map { meaning($0).remedy }).count == failures.count)
    #expect(meaning(failures[0]).text == "the name gateway.local has no address")
    #expect(meaning(failures[1]).text.contains("connection refused"))
  }

  @Test("a certificate that is not the trusted one is told with the whole command that would trust it")
  func changed() {
    let finding = meaning(.answers(one), .changed(expected: one.key))
    #expect(finding.grade == .failure)
    #expect(finding.remedy.hasSuffix("talon trust --replace " + String(repeating: "01", count: 32)))
    #expect(meaning(.answers(one), .firstUse).grade == .good)
    #expect(meaning(.answers(nil)).grade == .good)
  }

  @Test("a port at which nobody listens is found out at once")
  func refused() throws {
    let outcome = GatewayProbe.run(try GatewayURL("ws://127.0.0.1:1"))
    guard case .failed(let failure) = outcome else {
      Issue.record("the probe ended otherwise")
      return
    }
    #expect(failure.kind == .connect)
    #expect(!outcome.isEnd)
  }

  // MARK: The board

  @Test("a board of its own folders is looked at without an agent, and nothing is made")
  func without() {
    let folder = TemporaryFolder()
    var configuration = Configuration()
    configuration.stateDirectory = folder.path + "/none"
    configuration.cameraDriver = .simulated
    configuration.locationDriver = .serial
    configuration.port = folder.path + "/ttyNone"
    let check = BoardCheck(configuration: configuration)
    #expect(check.gateway().first?.remedy.contains("talon connect") == true)
    #expect(check.stateFolder().first?.grade == .unknown)
    #expect(check.pairing().isEmpty)
    let devices = check.devices()
    #expect(devices.count == CheckedDevice.allCases.count)
    #expect(devices.contains { $0.grade == .failure && $0.text.contains("ttyNone") })
    #expect(!FileManager.default.fileExists(atPath: configuration.stateDirectory))
  }

  // MARK: The report

  private let mixed = [
    Finding("power", .good, "the voltage is right"), Finding("heat", .unknown, "this board does not report it"),
    Finding("clock", .warning, "nothing keeps it right", remedy: "let it reach a time server"),
    Finding("gateway", .failure, String(repeating: "word ", count: 40), remedy: "say \"yes\""),
  ]

  @Test("a line for each finding, one below for what to do, and no line is wider than a serial console")
  func lines() {
    let lines = DoctorReport.lines(mixed)
    #expect(lines[0] == "ok    power     the voltage is right")
    #expect(lines[2] == "warn  clock     nothing keeps it right")
    #expect(lines[3] == "            ->  let it reach a time server")
    #expect(lines.allSatisfy { $0.utf8.count <= 80 })
    #expect(lines.last == "1 to repair, 1 to watch")
    #expect(DoctorReport.lines([mixed[0]]).last == "all is well")
  }

  @Test("the exit code is that of the worst finding")
  func codes() {
    #expect(DoctorReport.code(mixed) == .failures)
    #expect(DoctorReport.code(Array(mixed[..<3])) == .warnings)
    #expect(DoctorReport.code(Array(mixed[..<2])) == .ok)
    #expect([ExitCode.ok, .warnings, .failures].map(\.rawValue) == [0, 1, 2])
  }

  @Test("programs get the same as JSON")
  func json() throws {
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(DoctorReport.json(mixed).utf8)) as? [String: Any])
    #expect(object["verdict"] as? String == "failure")
    let findings = try #require(object["findings"] as? [[String: String]])
    #expect(findings.count == 4)
    #expect(findings[0] == ["check": "power", "grade": "ok", "text": "the voltage is right"])
    #expect(findings[3]["remedy"] == "say \"yes\"")
  }
}
