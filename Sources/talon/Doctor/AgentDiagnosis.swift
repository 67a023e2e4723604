import CameraPart
import Codec
import Device
import Gateway
import Location
import Runtime
import Sound

/// Explains the running agent's report (`talon status --json`) to a person.
struct AgentDiagnosis {
  let configuration: Configuration
  var limits = BoardLimits.read()

  func findings(_ status: borrowing JSONView) -> [Finding] {
    var findings = [Finding("agent", .good, "it runs, process \(status.number("pid"))")]
    if let finding = memory(status) { findings.append(finding) }
    if let finding = hold(status) { findings.append(finding) }
    if let trouble = status.member("trouble") { findings += self.trouble(trouble) }
    findings += connection(status)
    if let trust = status.member("trust"), status.text("state") == "online" {
      findings.append(Finding("trust", .good, "the gateway is known by " + StatusView.sentence(trust: trust)))
    }
    if let finding = wifi(status) { findings.append(finding) }
    if let finding = commands(status) { findings.append(finding) }
    if let finding = console(status) { findings.append(finding) }
    if let finding = outbox(status) { findings.append(finding) }
    if let finding = model(status) { findings.append(finding) }
    if let finding = wake(status) { findings.append(finding) }
    return findings + devices(status)
  }

  // MARK: The agent itself

  private func memory(_ status: borrowing JSONView) -> Finding? {
    guard let memory = status.member("memory") else { return nil }
    let (resident, limit) = (memory.number("residentBytes"), memory.number("limitBytes"))
    guard resident > 0, limit > 0 else { return nil }
    let text = "it uses \((resident + 0xFFFFF) >> 20) of \(limit >> 20) MiB"
    if resident <= limit / 5 * 4 { return Finding("agent", .good, text) }
    return Finding("agent", .warning, text, remedy: "systemctl restart talon, and report it with its log")
  }

  /// What was wrong when it started.
  private func trouble(_ trouble: borrowing JSONView) -> [Finding] {
    var findings: [Finding] = []
    let (file, storage) = (trouble.text("configuration"), trouble.text("storage"))
    if !file.isEmpty {
      findings.append(
        Finding(
          "config", .failure, "the agent serves with the last good configuration: \(file)",
          remedy: "correct the file; the agent takes it within a minute"))
    }
    if !storage.isEmpty {
      findings.append(
        Finding(
          "storage", .failure, "when the agent started, \(storage)",
          remedy: "free some room, mount it writable, or replace the card; then systemctl restart talon"))
    }
    return findings
  }

  private func hold(_ status: borrowing JSONView) -> Finding? {
    guard let panic = status.member("panic"), panic.bool == true else { return nil }
    return Finding(
      "panic", .failure, "a person holds this board (panic): camera, microphone and gateway are off",
      remedy: "press the button for 3 s, or: talon panic release")
  }

  /// Why no code in front of the camera gave a network.
  private func wifi(_ status: borrowing JSONView) -> Finding? {
    guard let wifi = status.member("wifi"), wifi.text("state") != "joined" else { return nil }
    let (failure, trouble) = (wifi.text("failure"), wifi.text("trouble"))
    if !failure.isEmpty {
      return Finding(
        "wifi", .warning, "the network of a Wi-Fi code was not joined: \(failure)",
        remedy: "restart the board and show it a code of the network, or set [wifi] in network.conf on its card")
    }
    guard !trouble.isEmpty else { return nil }
    return Finding(
      "wifi", .warning, "no Wi-Fi code can be looked for: \(trouble)", remedy: "talon camera list shows the cameras")
  }

  private func outbox(_ status: borrowing JSONView) -> Finding? {
    guard let outbox = status.member("outbox"), outbox.number("failedWrites") > 0 else { return nil }
    return Finding(
      "storage", .warning, "events could not be written \(outbox.number("failedWrites")) times since the start",
      remedy: "look at the findings about storage and card; when both are well, systemctl restart talon")
  }

  /// The problem of another language's model.
  private func model(_ status: borrowing JSONView) -> Finding? {
    guard let wake = status.member("wake"), wake.member("modelTrouble") != nil else { return nil }
    return Finding(
      "wake", .warning,
      "no phrase is learned from its spelling, because [wake] model cannot be used: \(wake.text("modelTrouble"))",
      remedy: "install the model again, or remove the line to use English; then systemctl restart talon")
  }

  /// The detected phrases, and those that cannot be.
  private func wake(_ status: borrowing JSONView) -> Finding? {
    guard let wake = status.member("wake"), wake.member("phrases") != nil else { return nil }
    let (phrases, deaf) = (StatusView.list(wake, "phrases"), StatusView.list(wake, "deaf"))
    let (learning, retried) = (StatusView.list(wake, "learning"), StatusView.list(wake, "retried"))
    guard deaf.isEmpty else {
      return Finding(
        "wake", phrases.isEmpty ? .failure : .warning, "cannot detect \(deaf): there is no vector",
        remedy: "teach it to the board with talon listen --enrol, or choose other phrases with talon voicewake")
    }
    guard retried.isEmpty else {
      return Finding(
        "wake", .warning, "\(retried) could not be learned from its spelling, and is tried again",
        remedy: "talon log tells why; talon listen --enrol learns it from your voice")
    }
    guard learning.isEmpty else {
      return Finding("wake", .good, "\(phrases.isEmpty ? "" : "listens for \(phrases); ")is being learned: \(learning)")
    }
    return Finding("wake", .good, "listens for \(phrases)")
  }

  // MARK: Gateway

  private func connection(_ status: borrowing JSONView) -> [Finding] {
    let explanation = status.text("explanation")
    let gateway = status.text("gateway")
    guard let state = status.member("state") else { return [] }
    if let rival = status.member("hasRival"), rival.bool == true {
      return [
        Finding(
          "gateway", .failure, "another machine connects as this board, and each ends the other's connection",
          remedy: "when its card is a copy: talon reset on one of the two, which then asks for approval as a new board")
      ]
    }
    if status.member("refusedConnections") != nil {
      return [
        Finding(
          "gateway", .failure, explanation,
          remedy: "look what it waits for, on the gateway's machine: openclaw devices list; openclaw nodes pending")
      ]
    }
    if state.equals(SessionState.online.word) {
      return [
        Finding("gateway", .good, "connected to \(gateway)"), Finding("pairing", .good, "the gateway knows this board"),
      ]
    }
    if state.equals(SessionState.awaitingApproval.word) {
      let command = status.text("approve")
      return [
        Finding("gateway", .good, "\(gateway) answers"),
        Finding(
          "pairing", .failure, "nobody has approved this board yet",
          remedy: "on the gateway's machine: " + (command.isEmpty ? "openclaw devices list" : command)),
      ]
    }
    if state.equals(SessionState.untrusted.word) {
      return [
        Finding(
          "gateway", .failure, explanation,
          remedy: "compare the certificate's sha256 with the gateway's; when it is right: talon trust --replace SHA256")
      ]
    }
    if gateway.isEmpty {
      return [
        Finding(
          "gateway", .failure, "no gateway is known",
          remedy: "talon connect CODE with a setup code of the gateway, or set [gateway] url")
      ]
    }
    let remedy =
      state.equals(SessionState.paused.word)
      ? "do what the sentence says; a new setup code (talon connect) solves most problems"
      : "see the finding about its address below"
    return [Finding("gateway", .failure, explanation, remedy: remedy)]
  }

  private func commands(_ status: borrowing JSONView) -> Finding? {
    guard let commands = status.member("commands"), let state = commands.member("state") else { return nil }
    let text = commands.text("explanation")
    let remedy = "talon status says what to do, line by line"
    if state.equals("withheld") { return Finding("commands", .failure, text, remedy: remedy) }
    if state.equals("silent") { return Finding("commands", .warning, text, remedy: remedy) }
    if state.equals("partial") { return Finding("commands", .good, "\(text) (\(remedy))") }
    return Finding("commands", .good, text)
  }

  private func console(_ status: borrowing JSONView) -> Finding? {
    guard let console = status.member("console"), let state = console.member("state") else { return nil }
    if state.equals(SessionState.online.word) { return Finding("console", .good, "its connection is online") }
    let isAwaited = state.equals(SessionState.awaitingApproval.word)
    return Finding(
      "console", .warning, console.text("explanation"),
      remedy: isAwaited
        ? "talon status shows the command that approves it" : "it comes back with the connection to the gateway")
  }

  // MARK: Devices

  private func devices(_ status: borrowing JSONView) -> [Finding] {
    var findings: [Finding] = []
    guard let hardware = status.member("hardware"), hardware.kind == .array else { return [] }
    var elements = hardware.elements()
    while let element = elements.next() {
      for device in CheckedDevice.allCases where element.text("name") == String(device.name) {
        findings.append(finding(device, element))
      }
    }
    return findings
  }

  private func finding(_ device: CheckedDevice, _ element: borrowing JSONView) -> Finding {
    let detail = element.text("detail")
    guard device.isWanted(configuration) else { return Finding(device.name, .unknown, "none is configured") }
    let state = element.text("state")
    if state == "ok", device == .light || device == .button, let lines = GPIOCheck(configuration).finding(device) {
      // Who asks may have no right to look where the agent has.
      if lines.grade != .failure { return lines }
    }
    if state == "ok" { return Finding(device.name, .good, detail.isEmpty ? "it is there" : detail) }
    if detail == "not looked for yet" { return Finding(device.name, .unknown, detail) }
    let text = detail.isEmpty ? "it is not there" : detail
    // A camera with an error is there, so the board is not the reason.
    if state == "error", device == .camera { return Finding(device.name, .failure, text, remedy: device.remedy) }
    return limits.finding(
      device, state == "error" ? .failure : .warning, text,
      isOnLines: !GPIOCheck(configuration).places(device).isEmpty)
  }
}

/// A device that may be configured.
enum CheckedDevice: CaseIterable {
  case camera, receiver, motion, microphone, light, button

  /// Its state in the agent's report.
  var name: StaticString {
    switch self {
    case .camera: "camera"
    case .receiver: "receiver"
    case .motion: "motion"
    case .microphone: "microphone"
    case .light: "light"
    case .button: "button"
    }
  }

  func isWanted(_ configuration: Configuration) -> Bool {
    switch self {
    case .camera: configuration.cameraDriver != .none && configuration.camera.isEnabled
    case .receiver: configuration.locationDriver != .none && configuration.location.isEnabled
    case .motion: configuration.motionDriver != .none
    case .microphone: configuration.sound.microphoneDriver != .none && configuration.sound.microphone.isEnabled
    case .light: configuration.light.driver != .none
    case .button: configuration.button.driver != .none
    }
  }

  /// What to do about its fault.
  var remedy: String {
    switch self {
    case .camera: "plug it in, and look for it with talon camera list; without one set [camera] driver = none"
    case .receiver: "check its cable and [location] port; talon gps shows what it says"
    case .motion: "check its wires and [motion] bus; talon imu probe shows who answers there"
    case .microphone: "check its plug, [microphone] card and level; talon listen list shows what is there"
    case .light: "check [light]: ls /sys/class/leds shows the kernel's lights, gpioinfo the lines of the chips"
    case .button: "check its wires and [button]: gpioinfo shows the lines of the chips"
    }
  }
}
