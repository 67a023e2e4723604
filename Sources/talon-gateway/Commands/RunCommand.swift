import ArgumentParser
import Dispatch
import Foundation
import Glibc
import Logging
import NIOSSL

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
  @Option(help: "Milliseconds between tick events.") var tickIntervalMs: Int64 = 30_000
  @Option(
    parsing: .upToNextOption,
    help:
      "Allow only these commands. Without it, and without gateway.json in the state folder, all are allowed.")
  var allow: [String] = []
  @Flag(help: "Print every frame to standard error, without secrets.") var trace = false
  @Flag(help: "Print what was started as JSON.") var json = false

  func validate() throws {
    guard [token != nil, password != nil, noAuth].count(where: { $0 }) <= 1 else {
      throw ValidationError("Choose one of --token, --password and --no-auth.")
    }
    guard token != "", password != "" else { throw ValidationError("A credential must not be empty.") }
    guard tickIntervalMs > 0 else { throw ValidationError("--tick-interval-ms must be positive.") }
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
  }

  func run() async throws {
    let folder = StateFolder(path: state)
    try folder.create()
    let certificate = plain ? nil : try ServerCertificate(folder: folder)
    let options = GatewayOptions(
      authMode: try authMode(folder), policy: try CommandPolicy(folder: folder, allowing: allow),
      tickIntervalMilliseconds: tickIntervalMs, trace: FrameTrace(isOn: trace))
    let stop = StopSignals()
    let server = try await GatewayServer.start(
      options, folder: folder, host: host, port: port, tls: certificate?.tls,
      logger: Logger(label: "talon-gateway"))
    announce(server.port, certificate, folder)
    await stop.wait()
    try await server.stop()
  }

  private func authMode(_ folder: StateFolder) throws -> AuthMode {
    if noAuth { return .none }
    if let password { return .password(password) }
    if let token { return .token(token) }
    return .token(try SharedToken.load(from: folder))
  }

  private func announce(_ port: Int, _ certificate: ServerCertificate?, _ folder: StateFolder) {
    let bracketed = host.contains(":") ? "[\(host)]" : host
    let url = "\(certificate == nil ? "ws" : "wss")://\(bracketed):\(port)/"
    let keepsToken = token == nil && password == nil && !noAuth
    let tokenFile = keepsToken ? folder.path(of: SharedToken.fileName) : nil
    if json {
      let started = JSON.compact([
        "url": .string(url), "fingerprint": (certificate?.fingerprint).map(JSON.string),
        "tokenFile": tokenFile.map(JSON.string), "state": .string(folder.path),
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
