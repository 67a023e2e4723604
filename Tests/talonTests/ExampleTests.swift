import Glibc
import Runtime
import TestSupport
import Testing

@testable import talon

/// `systemd/talon.conf.example` is what people start from: it must neither lie nor lack anything.
@Suite struct ExampleTests {
  private let lines: [String]

  init() throws {
    let bytes = try TextFile.read(Repository.path("systemd/talon.conf.example"), limit: Budget.configurationBytes)
    lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The lines with the comment mark taken from those that show a key.
  private var uncommented: [String] {
    lines.map { line in
      guard line.hasPrefix("#"), let next = line.dropFirst().first, next.isLetter || next == "[" else { return line }
      return String(line.dropFirst())
    }
  }

  private func parse(_ lines: [String]) throws -> Configuration {
    try ConfigurationFile.parse(Array(lines.joined(separator: "\n").utf8), file: "example")
  }

  @Test("it is right as it stands, and everything in it is a default")
  func asItStands() throws {
    let folder = TemporaryFolder()
    let configuration = try ConfigurationFile.read(folder.put("talon.conf", lines.joined(separator: "\n")))
    #expect(String(describing: configuration) == String(describing: Configuration()))
  }

  @Test("it shows every key of every section once")
  func complete() {
    var section = ""
    var shown: [String] = []
    for line in uncommented where !line.hasPrefix("#") {
      if line.hasPrefix("[") { section = line }
      if let equals = line.firstIndex(of: "=") { shown.append("\(section) \(line[..<equals])") }
    }
    let keys = ConfigurationKey.all.map { "[\($0.section)] \($0.name) " }
    let ofCameras = CameraKeys.all.map { "[camera] \($0.name) " } + ["[camera door] device "]
    let ofModels = ModelKeys.all.map { "[model cloud] \($0.name) " }
    let ofServers = MCPKeys.all.map { "[mcp home] \($0.name) " }
    let ofHands = shown.filter { $0.hasPrefix("[tool ") }
    #expect(Set(shown) == Set(keys + ofCameras + ofHands + ofModels + ofServers))
    #expect(shown.count == keys.count + ofCameras.count + ofHands.count + ofModels.count + ofServers.count)
    // Keys that several kinds have stand in the section of each, or of one.
    let names = ofHands.compactMap { $0.split(separator: "]").last.map { String($0.dropFirst().dropLast()) } }
    // Registers have names of their own.
    let plain = names.filter { !$0.hasPrefix(HandKeys.registerPrefix) }
    #expect(Set(plain) == Set(HandKeys.all.map(\.name)) && plain.count < names.count)
    #expect(Set(ofHands).count == ofHands.count)
  }

  /// Ways to the world and models have no default.
  private func checkAgent(_ configuration: Configuration) {
    var agent = configuration.agentService
    #expect(agent.tools.count == 3 && agent.allowed.count == 2 && agent.telegramChats.count == 1)
    (agent.tools, agent.allowed, agent.telegramChats) = ([], [], [])
    (agent.searchURL, agent.searchKeyFile, agent.telegramTokenFile) = ("", "", "")
    (agent.mailHost, agent.mailUser, agent.mailPasswordFile) = ("", "", "")
    (agent.mailFrom, agent.mailTo, agent.model) = ("", "", "")
    #expect(agent == AgentServiceConfiguration())
    #expect(configuration.models.count == 1)
    for var model in configuration.models {
      #expect(model.url.hasPrefix("https://") && !model.model.isEmpty && !model.pin.isEmpty && model.promptPrice > 0)
      (model.url, model.model, model.keyFile, model.pin) = ("", "", "", "")
      (model.promptPrice, model.answerPrice) = (0, 0)
      #expect(model == ModelConfiguration(name: "cloud"))
    }
  }

  @Test("each line that shows a key is right, and shows the default where there is one")
  func values() throws {
    let folder = TemporaryFolder()
    _ = folder.put("token", "from the file")
    _ = folder.put("password", "from the file")
    _ = folder.put("cloudflare-secret", "from-the-file")
    _ = folder.put("update-token", "from-the-file")
    _ = folder.put("metrics-token", "from-the-file")
    _ = folder.put("gateway-headers", "Remote-User: board")
    _ = folder.put("metrics-password", "from the file")
    _ = folder.put("proxy", "http://proxy.example:3128")
    let configuration = try parse(
      uncommented.map { line in
        line.contains("_file = ") ? line.replacing("/etc/talon", with: folder.path) : line
      })
    var expected = configuration
    let defaults = Configuration()
    let light = configuration.light
    // This has no default: nothing may be run.
    #expect(configuration.run.programs.count == 2 && defaults.run.programs.isEmpty)
    expected.run = defaults.run
    expected.run.programs = configuration.run.programs
    // Nor this: nothing is shared.
    #expect(configuration.files.count == 2 && defaults.files.isEmpty)
    expected.files = configuration.files
    checkAgent(configuration)
    // Nor these: no server is started.
    #expect(configuration.servers.map(\.name) == ["home"] && defaults.servers.isEmpty)
    #expect(configuration.servers.allSatisfy { $0.timeout == Budget.mcpCallMilliseconds })
    #expect(configuration.servers.allSatisfy { !$0.hasNetwork })
    #expect(configuration.servers.allSatisfy { $0.idle == Budget.mcpIdleMilliseconds })
    expected.servers = configuration.servers
    // These have no default.
    let update = configuration.update
    #expect(!update.server.isEmpty && !update.list.isEmpty && update.hasListKey && update.token == "from-the-file")
    #expect(!update.certificate.isEmpty && !update.key.isEmpty && update.window != nil && !update.name.isEmpty)
    #expect(update.region == "north")
    expected.update = defaults.update
    (expected.update.server, expected.update.list, expected.update.name) = (update.server, update.list, update.name)
    (expected.update.listKey, expected.update.hasListKey) = (update.listKey, true)
    (expected.update.token, expected.update.region) = (update.token, update.region)
    (expected.update.certificate, expected.update.key) = (update.certificate, update.key)
    expected.update.window = update.window
    // These have no default: they name a server, and who the board is to it.
    let metrics = configuration.metrics
    #expect(metrics.isConfigured && metrics.labels.count == 2 && metrics.token == "from-the-file")
    #expect(metrics.username == "123456" && metrics.password == "from the file")
    #expect(metrics.interval == defaults.metrics.interval && metrics.hasPositions == defaults.metrics.hasPositions)
    #expect(metrics.authorities == defaults.metrics.authorities && !metrics.certificate.isEmpty && !metrics.key.isEmpty)
    expected.metrics = metrics
    expected.allowPlaintext = defaults.allowPlaintext
    expected.pairingPoll = defaults.pairingPoll
    // These have no default: they name what stands before the gateway.
    #expect(configuration.way.complaint(configuration.urls) == nil && !configuration.way.key.isEmpty)
    #expect(!configuration.way.accessSecret.isEmpty && configuration.way.proxy != nil)
    expected.stateDirectory = defaults.stateDirectory
    expected.runtimeDirectory = defaults.runtimeDirectory
    expected.operatorEnabled = defaults.operatorEnabled
    expected.operatorScopes = defaults.operatorScopes
    expected.approves = defaults.approves
    expected.cameraDriver = defaults.cameraDriver
    expected.camera = defaults.camera
    for index in 0..<configuration.cameraSettings.count { #expect(!configuration.cameraSettings[index].device.isEmpty) }
    expected.locationDriver = defaults.locationDriver
    // These have no default: the receiver has one.
    var settings = configuration.location
    #expect(settings.receiver.rate == 1)
    settings.receiver.rate = defaults.location.receiver.rate
    settings.receiver.systems = defaults.location.receiver.systems
    #expect(String(describing: settings) == String(describing: defaults.location))
    expected.location = configuration.location
    expected.motionReplay = configuration.motionReplay
    // These have no default: they name what is there.
    var sound = defaults.sound
    (sound.microphoneFile, sound.speakerFile) = (configuration.sound.microphoneFile, configuration.sound.speakerFile)
    sound.indicatorLED = configuration.sound.indicatorLED
    expected.sound = sound
    expected.talk = defaults.talk
    // This has no default: the example names a button, which is one then.
    #expect(configuration.talk.button.line == "17")
    (expected.talk.button.line, expected.talk.button.driver) = (configuration.talk.button.line, .gpio)
    // These have no default, either.
    var wake = defaults.wake
    (wake.phrases, wake.file, wake.cautions) = (
      configuration.wake.phrases, configuration.wake.file, configuration.wake.cautions
    )
    wake.model = configuration.wake.model
    expected.wake = wake
    expected.talk.recognizer = configuration.talk.recognizer
    expected.speed = defaults.speed
    // These have no default: they name what is there.
    #expect(
      [light.led, light.red, light.green, light.blue, light.line, light.redLine, light.greenLine, light.blueLine]
        .allSatisfy { !$0.isEmpty })
    #expect(!configuration.button.line.isEmpty)
    var named = defaults.light
    (named.led, named.red, named.green, named.blue) = (light.led, light.red, light.green, light.blue)
    (named.line, named.redLine, named.greenLine, named.blueLine) = (
      light.line, light.redLine, light.greenLine, light.blueLine
    )
    named.chip = light.chip
    expected.light = named
    expected.button = defaults.button
    (expected.button.chip, expected.button.line) = (configuration.button.chip, configuration.button.line)
    expected.console.lockMinutes = defaults.console.lockMinutes
    #expect(configuration.console.pin == "choose-your-own" && !configuration.console.shell.isEmpty)
    expected.logLevel = defaults.logLevel
    #expect(String(describing: configuration) == String(describing: expected))
    for text in [
      configuration.token, configuration.password, configuration.name, configuration.cameraFolder,
      configuration.port, configuration.replay,
    ] { #expect(!text.isEmpty) }
    #expect(configuration.trust.pinning == .key)
  }
}
