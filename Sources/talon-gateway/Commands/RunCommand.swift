import ArgumentParser
import Dispatch
import Foundation
import Glibc

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Serve nodes until SIGINT or SIGTERM.")

  @Option(help: "The folder for identity, approvals and the control socket.")
  var state = StateFolder.defaultPath
  @Option(help: "The address to listen on.") var host = "127.0.0.1"
  @Option(help: "The port to listen on; 0 takes any free one.") var port = 18789
  @Flag(help: "Serve ws:// instead of wss://.") var plain = false
  @Option(help: "Ask clients for this token instead of the one kept in the state folder.") var token: String?
  @Option(help: "Ask clients for this password instead of a token.") var password: String?
  @Flag(help: "Ask clients for no credential; they still have to be approved.") var noAuth = false
  @Option(help: "The age of gateways to be like: O, F, A, M, J, N, S, T or U, oldest first.")
  var generation = Era.newest
  @Option(help: "Who approves what a node declares: auto (with the device) or manual (`nodes approve`).")
  var surface = SurfaceApproval.auto
  @Option(
    parsing: .upToNextOption,
    help: "Approve new nodes as devices without a person when they come from these ranges, such as 10.0.0.0/8.")
  var autoApproveCidrs: [AddressRange] = []
  @Option(
    name: [.customLong("tick-interval-ms"), .customLong("tick-ms")], help: "Milliseconds between tick events."
  )
  var tickIntervalMs: Int64 = 30_000
  @Option(help: "Bytes of the largest message, instead of the generation's.") var maxPayload: Int?
  @Option(help: "Turn connects away for this long after the start, as while sidecars load.")
  var startingMs: Int64 = 0
  @Option(help: "Milliseconds between two pieces of the simulated agent's reply.") var replyDelayMs: Int64 =
    30
  @Option(
    help: "A program that answers chats: what was said is its standard input, what it prints is the agent's reply."
  )
  var agent: String?
  @Flag(help: "Answer talk.speak with UNAVAILABLE, until `talk unmute`.") var noSpeech = false
  @Option(help: "What transcriptions take: ulaw_8000, or pcm_ and a rate.")
  var talkAudio = TalkFormat.telephone
  @Option(help: "How talk.event comes: relay (as released gateways send it) or common (the envelope alone).")
  var talkEvents = TalkEventForm.relay
  @Option(help: "Milliseconds between the close of a transcription and its last word (N).")
  var talkDrainMs: Int64 = 5000
  @Flag(help: "Count wrong credentials from this machine too; real gateways do not.")
  var limitLoopback = false
  @Option(
    parsing: .upToNextOption,
    help:
      "Allow only these commands. Without it, and without gateway.json in the state folder, all are allowed.")
  var allow: [String] = []
  @Option(help: "Which commands need no entry in a list: all, or linux (those of a Linux node at a real gateway).")
  var defaults = PolicyOptions.Defaults.all
  @Option(help: "What tts.speak gives: none, wav, pcm or mp3 (which boards cannot play).")
  var tts = SpokenClip.Form.none
  @Option(help: "Serve the files of this folder as the canvas host.") var canvasFolder: String?
  @Option(help: "Milliseconds that an address of the canvas host counts without being used.")
  var canvasMs: Int64 = 600_000
  @Flag(help: "Print every frame to standard error, without secrets.") var trace = false
  @Flag(help: "Print what was started as JSON.") var json = false

  func validate() throws {
    guard [token != nil, password != nil, noAuth].count(where: { $0 }) <= 1 else {
      throw ValidationError("Choose one of --token, --password and --no-auth.")
    }
    guard token != "", password != "" else { throw ValidationError("A credential must not be empty.") }
    guard maxPayload ?? 1 > 0 else { throw ValidationError("--max-payload must be positive.") }
    guard startingMs >= 0, replyDelayMs >= 0, talkDrainMs >= 0 else {
      throw ValidationError("--starting-ms, --reply-delay-ms and --talk-drain-ms must not be negative.")
    }
    guard tickIntervalMs > 0 else { throw ValidationError("--tick-interval-ms must be positive.") }
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
  }

  func run() async throws {
    let folder = StateFolder(path: state)
    try folder.create()
    let certificate = plain ? nil : try ServerCertificate(folder: folder)
    let stop = StopSignals()
    let server = try await GatewayServer.start(
      try options(folder), folder: folder, host: host, port: port, certificate: certificate,
      logger: .standardError)
    announce(server.url, certificate, folder)
    await stop.wait()
    try await server.stop()
  }

  private func options(_ folder: StateFolder) throws -> GatewayOptions {
    var options = GatewayOptions(authMode: try authMode(folder))
    options.generation = Generation(generation)
    if let maxPayload { options.generation.messageBytesMax = maxPayload }
    options.policyOptions = PolicyOptions(allowing: allow, defaults: defaults)
    options.policy = try CommandPolicy(folder: folder, options.policyOptions, era: generation)
    options.surfaceApproval = surface
    options.trustedRanges = autoApproveCidrs
    options.tickIntervalMilliseconds = tickIntervalMs
    options.startingMilliseconds = startingMs
    options.limitsLoopback = limitLoopback
    options.speaks = !noSpeech
    options.clips = tts
    options.talk = TalkOptions(audio: talkAudio, form: talkEvents, drainMilliseconds: talkDrainMs)
    options.replyDelayMilliseconds = replyDelayMs
    options.agentProgram = agent
    options.canvasFolder = canvasFolder
    options.canvasMilliseconds = canvasMs
    options.trace = FrameTrace(isOn: trace)
    return options
  }

  private func authMode(_ folder: StateFolder) throws -> AuthMode {
    if noAuth { return .none }
    if let password { return .password(password) }
    if let token { return .token(token) }
    return .token(try SharedToken.load(from: folder))
  }

  private func announce(_ url: String, _ certificate: ServerCertificate?, _ folder: StateFolder) {
    let keepsToken = token == nil && password == nil && !noAuth
    let tokenFile = keepsToken ? folder.path(of: SharedToken.fileName) : nil
    if json {
      let started = JSON.compact([
        "url": .string(url), "fingerprint": (certificate?.fingerprint).map(JSON.string),
        "tokenFile": tokenFile.map(JSON.string), "state": .string(folder.path),
        "generation": .string(generation.rawValue),
      ])
      print(started.text)
    } else {
      print("gateway      \(url)")
      if let certificate { print("fingerprint  \(certificate.fingerprint)") }
      if let tokenFile { print("token file   \(tokenFile)") }
      print("state        \(folder.path)")
    }
    fflush(nil)
  }
}

extension Era: ExpressibleByArgument {}
extension SurfaceApproval: ExpressibleByArgument {}
extension PolicyOptions.Defaults: ExpressibleByArgument {}
extension AddressRange: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
extension SpokenClip.Form: ExpressibleByArgument {}
extension TalkEventForm: ExpressibleByArgument {}
extension TalkFormat: ExpressibleByArgument {
  init?(argument: String) { self.init(name: argument) }
  var defaultValueDescription: String { name }
}

/// The token that a gateway makes for itself on first start.
enum SharedToken {
  static let fileName = "token"

  static func load(from folder: StateFolder) throws -> String {
    if let data = try folder.read(fileName) { return String(decoding: data, as: UTF8.self).trimmed }
    let token = Data.random(count: 24).base64URL
    try folder.write(fileName, Data((token + "\n").utf8))
    return token
  }
}

/// Waits for SIGINT or SIGTERM.
private struct StopSignals {
  private let sources: [any DispatchSourceSignal]
  private let stream: AsyncStream<Void>

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    self.stream = stream
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  func wait() async {
    for await _ in stream { return }
  }
}
