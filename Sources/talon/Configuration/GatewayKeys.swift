import Board
import Gateway
import Runtime

/// What stands between this board and its gateway: `[gateway]` keys of edges and proxies.
struct GatewayWay {
  /// A service token of Cloudflare Access.
  var accessID = ""
  var accessSecret = ""
  /// Header fields of the owner's own.
  var headers: [EdgeAccess.Field] = []
  var proxy: ProxyAddress?
  /// Files in PEM.
  var certificate = ""
  var key = ""
  /// A folder or a file of authorities; empty: those of the system.
  var authorities = ""

  /// What makes no sense together, with its key; nil when all is right.
  func complaint(_ urls: [GatewayURL]) -> (key: String, reason: String)? {
    if accessID.isEmpty != accessSecret.isEmpty {
      let missing = accessID.isEmpty ? "cloudflare_id" : "cloudflare_secret"
      return ("[gateway] \(missing)", "is missing: id and secret of a service token belong together")
    }
    if !accessID.isEmpty, !urls.contains(where: { $0.isSecure }) {
      return ("[gateway] cloudflare_id", "needs a wss:// address in url: it is sent there, and nowhere else")
    }
    if !headers.isEmpty, !urls.contains(where: { $0.isSecure }) {
      return ("[gateway] headers_file", "needs a wss:// address in url: it is sent there, and nowhere else")
    }
    if certificate.isEmpty != key.isEmpty {
      let missing = certificate.isEmpty ? "client_certificate" : "client_key"
      return ("[gateway] \(missing)", "is missing: a certificate and its key belong together")
    }
    return nil
  }
}

extension Configuration {
  /// What an edge before the gateway wants to see; nil where nothing is configured.
  var access: EdgeAccess? {
    let token = way.accessID.isEmpty ? [] : EdgeAccess.cloudflare(id: way.accessID, secret: way.accessSecret)
    let fields = token + way.headers
    return fields.isEmpty ? nil : EdgeAccess(fields: fields, origins: urls)
  }

  /// The way to the gateway.
  var route: GatewayRoute {
    let certificate =
      way.certificate.isEmpty ? nil : ClientCertificate(certificate: way.certificate, key: way.key)
    return GatewayRoute(proxy: way.proxy, certificate: certificate, authorities: way.authorities)
  }
}

extension ConfigurationKey {
  /// Keys of `[gateway]` for edges and proxies.
  static let way: [ConfigurationKey] = [
    ConfigurationKey(section: "gateway", name: "cloudflare_id") { access($1, into: &$0.way.accessID) },
    ConfigurationKey(section: "gateway", name: "cloudflare_secret", isSecret: true) {
      access($1, into: &$0.way.accessSecret)
    },
    ConfigurationKey(section: "gateway", name: "cloudflare_secret_file", isFileOnly: true) {
      (configuration, path) throws(Errno) in
      var text = ""
      if let complaint = try secret(from: path, into: &text) { return complaint }
      return access(text, into: &configuration.way.accessSecret).map { "what stands in \(path) \($0)" }
    },
    ConfigurationKey(section: "gateway", name: "headers_file", isFileOnly: true) {
      (configuration, path) throws(Errno) in
      try headers(from: path, into: &configuration.way.headers)
    },
    ConfigurationKey(section: "gateway", name: "proxy", isSecret: true) { proxy($1, into: &$0.way.proxy) },
    ConfigurationKey(section: "gateway", name: "proxy_file", isFileOnly: true) {
      (configuration, path) throws(Errno) in
      var text = ""
      if let complaint = try secret(from: path, into: &text) { return complaint }
      return proxy(text, into: &configuration.way.proxy).map { "what stands in \(path) \($0)" }
    },
    ConfigurationKey(section: "gateway", name: "client_certificate", isFileOnly: true) {
      path($1, &$0.way.certificate)
    },
    ConfigurationKey(section: "gateway", name: "client_key", isFileOnly: true) { path($1, &$0.way.key) },
    ConfigurationKey(section: "gateway", name: "authorities", isFileOnly: true) { configuration, value in
      configuration.trust.requiresAuthorities = true
      if value == "system" { return nil }
      return path(value, &configuration.way.authorities)
    },
  ]

  /// `key`, or certificates and keys by their fingerprints: what is shown now, and what will be.
  static func pins(_ value: String, _ trust: inout TrustRule) -> String? {
    if value == "key" {
      trust.pinning = .key
      return nil
    }
    trust.pins = []
    for word in value.split(separator: " ") {
      guard let pin = Fingerprint(text: word.utf8.span) else {
        return "must be \"key\", or SHA-256 fingerprints of certificates or keys: 64 hexadecimal digits each"
      }
      guard trust.pins.count < Budget.gatewayPins else { return "must have at most \(Budget.gatewayPins) fingerprints" }
      trust.pins.append(pin)
    }
    return nil
  }

  /// A value of a header field.
  private static func access(_ value: String, into target: inout String) -> String? {
    guard value.utf8.count <= Budget.accessBytes else { return "must have at most \(Budget.accessBytes) bytes" }
    guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "must be one word of visible ASCII" }
    target = value
    return nil
  }

  private static func headers(from path: String, into target: inout [EdgeAccess.Field]) throws(Errno) -> String? {
    let text: [UInt8]
    do throws(Errno) {
      text = EditedText.normal(try TextFile.read(path, limit: 2 * Budget.ownHeaderBytes + 8))
    } catch {
      if error.isTransient { throw error }
      return "\(path) cannot be read: \(String(error.text))"
    }
    do throws(HeaderFileError) {
      target = try HeaderFile.fields(text[...])
    } catch {
      return "\(path): \(error.text)"
    }
    return target.isEmpty ? "\(path) has no field" : nil
  }

  private static func proxy(_ value: String, into target: inout ProxyAddress?) -> String? {
    do throws(ProxyAddressError) {
      target = try ProxyAddress(value)
      return nil
    } catch {
      return String(error.text)
    }
  }
}
