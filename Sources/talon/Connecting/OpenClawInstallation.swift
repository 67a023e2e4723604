import Codec
import Gateway
import Runtime

/// What an `openclaw node` installation knows of its gateway (openclaw/openclaw, `src/node-host/config.ts`):
/// `node.json` in its state folder, the words of its service, and the gateway's token from the service or an
/// environment file. Pure: files come in as bytes. Its device key is not taken: two nodes with one identity would push
/// each other out.
struct OpenClawInstallation {
  var name = ""
  var host = ""
  var port: Int64?
  var usesTLS: Bool?
  var path = ""
  var fingerprint = ""
  /// The gateway's token. Never shown.
  var token = ""

  /// Where the gateway listens when nobody says otherwise.
  private static let usualPort: Int64 = 18_789

  /// Reads `node.json`; false when it is not one. What is already known stays.
  mutating func take(nodeJSON text: [UInt8]) -> Bool {
    guard (try? JSONValidator.check(text.span, depthLimit: Budget.jsonDepth)) != nil else { return false }
    let root = JSONView(text.span)
    guard root.kind == .object else { return false }
    Self.fill(&name, root.text("displayName"))
    guard let gateway = root.member("gateway"), gateway.kind == .object else { return true }
    Self.fill(&host, gateway.text("host"))
    Self.fill(&path, gateway.text("contextPath"))
    Self.fill(&path, gateway.text("path"))
    Self.fill(&fingerprint, gateway.text("tlsFingerprint"))
    if port == nil, let member = gateway.member("port") { port = member.int64 }
    if usesTLS == nil, let member = gateway.member("tls") { usesTLS = member.bool }
    return true
  }

  /// Reads `openclaw.json` as far as it is plain JSON: the token of the gateway that its commands use.
  mutating func take(openclawJSON text: [UInt8]) {
    guard (try? JSONValidator.check(text.span, depthLimit: Budget.jsonDepth)) != nil else { return }
    let root = JSONView(text.span)
    guard let gateway = root.member("gateway"), let remote = gateway.member("remote") else { return }
    Self.fill(&token, remote.text("token"))
  }

  /// Reads an environment file: lines of NAME=VALUE.
  mutating func take(environment text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) { takeVariable(ConfigurationKey.trimmed(line)) }
  }

  /// Reads a unit of systemd (systemd.exec(5)): the words of `ExecStart=`, and what `Environment=` sets.
  mutating func take(unit text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let line = ConfigurationKey.trimmed(line)
      if line.hasPrefix("ExecStart=") { takeCommand(Self.words(line)) }
      if line.hasPrefix("Environment=") { for word in Self.words(line) { takeVariable(word) } }
    }
  }

  /// What follows the first equals sign, in words.
  private static func words(_ line: String) -> [String] {
    guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { return [] }
    let rest = Array(line.utf8[line.utf8.index(after: equals)...])
    return rest.withUnsafeBufferPointer { ConsoleGrammar.split($0, most: Budget.serviceWords) } ?? []
  }

  private mutating func takeCommand(_ words: [String]) {
    for (index, word) in words.enumerated() {
      let value = index + 1 < words.count ? words[index + 1] : ""
      switch word {
      case "--host": Self.fill(&host, value)
      case "--port": if port == nil { port = ConfigurationKey.decimal(value) }
      case "--tls": if usesTLS == nil { usesTLS = true }
      case "--tls-fingerprint": Self.fill(&fingerprint, value)
      case "--display-name": Self.fill(&name, value)
      case "--context-path": Self.fill(&path, value)
      default: break
      }
    }
  }

  private mutating func takeVariable(_ text: String) {
    var text = text
    if text.hasPrefix("export ") { text = String(text.dropFirst(7)) }
    let name = "OPENCLAW_GATEWAY_TOKEN="
    guard text.hasPrefix(name) else { return }
    var value = Array(text.utf8.dropFirst(name.utf8.count))
    if value.count >= 2, let quote = value.first, quote == value.last, quote == 0x22 || quote == 0x27 {
      value = Array(value.dropFirst().dropLast())
    }
    Self.fill(&token, String(decoding: value, as: UTF8.self))
  }

  private static func fill(_ target: inout String, _ value: String) {
    if target.isEmpty { target = ConfigurationKey.trimmed(Array(value.utf8)[...]) }
  }

  // MARK: Result

  /// The gateway's address; throws what is wrong with it.
  func url() throws(Failure) -> GatewayURL {
    guard !host.isEmpty else { throw Failure(.unavailable, "the installation names no gateway: no host is in it") }
    guard let port = UInt16(exactly: port ?? Self.usualPort), port > 0 else {
      throw Failure(.usage, "the installation's gateway has no valid port (1 to 65535)")
    }
    let isSecure = usesTLS == true || !fingerprint.isEmpty
    let literal = host.utf8.contains(UInt8(ascii: ":")) && host.utf8.first != UInt8(ascii: "[") ? "[\(host)]" : host
    let rest = path.isEmpty || path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
    do throws(GatewayURLError) {
      return try GatewayURL("\(isSecure ? "wss" : "ws")://\(literal):\(port)\(rest)")
    } catch {
      throw Failure(.usage, "the installation's gateway \(String(error.text))")
    }
  }

  /// The certificate that it trusts, or nil; throws for one that is not valid.
  func pin() throws(Failure) -> Fingerprint? {
    if fingerprint.isEmpty { return nil }
    guard let pin = Fingerprint(text: fingerprint.utf8.span) else {
      throw Failure(.usage, "the installation's certificate fingerprint is not valid")
    }
    return pin
  }
}
