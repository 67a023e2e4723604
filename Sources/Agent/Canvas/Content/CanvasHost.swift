import Fetch
import Gateway
import Runtime

/// What fetching needs to know of the connection to the gateway.
protocol CanvasGateway: AnyObject {
  /// Where the gateway is; nil while there is no connection.
  var onlineURL: GatewayURL? { get }
  /// True for the certificate of the gateway that this board trusts.
  func isGateway(_ certificate: PeerCertificate) -> Bool
}

/// What addresses mean on this board, and from where may be fetched: what has no host is at the gateway's canvas host (canvas
/// reference 2.7).
final class CanvasHost {
  /// What the gateway hosts is below this path.
  private static let prefix: StaticString = "/__openclaw__/"
  private static let capability: StaticString = "/__openclaw__/cap/"
  private static let reloadPath = "/__openclaw__/ws"

  let surface: CanvasSurface
  private let allowed: AllowList
  /// Lives as long as this.
  unowned(unsafe) var gateway: (any CanvasGateway)?

  init(_ surface: CanvasSurface, allowed: AllowList) {
    self.surface = surface
    self.allowed = allowed
  }

  /// The address of the canvas host with its capability: a secret. Nil while there is none.
  private var base: WebURL? {
    let text = surface.url
    guard !text.isEmpty else { return nil }
    do throws(WebURLError) { return try WebURL(text.span) } catch { return nil }
  }

  /// The gateway hosts something, and is there.
  var isPresent: Bool { !surface.url.isEmpty }

  private var gatewayURL: WebURL? { gateway?.onlineURL.map { WebURL($0) } }

  /// From where may be fetched now.
  var rule: FetchRule { FetchRule(allowed: allowed, gateway: gatewayURL, canvasHost: base) }

  /// Where the canvas host tells that what it hosts has changed: a WebSocket. Nil while there is no canvas host.
  var reloads: GatewayURL? { base.map { $0.with(target: Self.joined($0.target, Self.reloadPath)).endpoint } }

  /// Reads an address: of the web, or of the canvas host, which may also be called by its machine's own name.
  func address(_ text: Span<UInt8>) throws(ContentError) -> WebURL {
    if text.hasScheme || text.begins(with: "//") {
      let url = try resolve(text, at: WebURL(isSecure: true, host: "", port: 443, target: "/"))
      return hosted(url) ?? url
    }
    guard let base else { throw .fetch(FetchFailure(.noCanvasHost)) }
    let url = try resolve(text, at: base.with(target: "/"))
    return hosted(url) ?? base.with(target: Self.joined(base.target, url.target))
  }

  private func resolve(_ text: Span<UInt8>, at base: WebURL) throws(ContentError) -> WebURL {
    do throws(WebURLError) { return try base.resolving(text) } catch { throw .badURL(error) }
  }

  /// The address with today's capability, when it is one of what the gateway hosts.
  private func hosted(_ url: WebURL) -> WebURL? {
    guard let base, starts(url.target, Self.prefix) else { return nil }
    let isOwn = rule.isGateway(url) || url.isLoopback
    guard isOwn else { return nil }
    guard starts(url.target, Self.capability) else { return base.with(target: Self.joined(base.target, url.target)) }
    // An older capability gives way.
    let path = Array(url.target.utf8.dropFirst(Self.capability.utf8CodeUnitCount))
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")) else { return base }
    return base.with(target: Self.joined(base.target, String(decoding: path[slash...], as: UTF8.self)))
  }

  /// True for an address that has the gateway's capability in it, which may be too old.
  func isHosted(_ url: WebURL) -> Bool {
    guard let base else { return false }
    return base.isSameOrigin(as: url) && starts(url.target, Self.capability)
  }

  private func starts(_ text: String, _ prefix: StaticString) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= prefix.utf8CodeUnitCount else { return false }
    for index in 0..<prefix.utf8CodeUnitCount where bytes[index] != prefix.utf8Start[index] { return false }
    return true
  }

  /// A path behind another, with one slash between them.
  private static func joined(_ base: String, _ path: String) -> String {
    var bytes = Array(base.utf8)
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes + Array(path.utf8), as: UTF8.self)
  }
}
