import Codec
import Fetch
import Gateway
import Runtime

/// What fetching needs from the connection to the gateway.
protocol CanvasGateway: AnyObject {
  /// The gateway's address; nil without a connection.
  var onlineURL: GatewayURL? { get }
  /// True for the certificate of the gateway that this board trusts.
  func isGateway(_ certificate: PeerCertificate) -> Bool
}

/// The meaning of addresses on this board, and the rule for fetching: an address without a host is at the gateway's
/// canvas host (canvas reference 2.7).
final class CanvasHost {
  /// The path under which the gateway hosts its pages.
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

  /// The address of the canvas host with its capability: a secret. Nil without one.
  private var base: WebURL? {
    let text = surface.url
    guard !text.isEmpty else { return nil }
    do throws(WebURLError) { return try WebURL(text.span) } catch { return nil }
  }

  /// True while the gateway hosts pages and is connected.
  var isPresent: Bool { !surface.url.isEmpty }

  private var gatewayURL: WebURL? { gateway?.onlineURL.map { WebURL($0) } }

  /// The current rule for fetching.
  var rule: FetchRule { FetchRule(allowed: allowed, gateway: gatewayURL, canvasHost: base) }

  /// The WebSocket on which the canvas host reports changes. Nil without a canvas host.
  var reloads: GatewayURL? { base.map { $0.with(target: Self.joined($0.target, Self.reloadPath)).endpoint } }

  /// Reads an address: of the web, or of the canvas host, for which the gateway's own host name may also be used.
  func address(_ text: Span<UInt8>) throws(ContentError) -> WebURL {
    if text.hasScheme || text.hasPrefix(lowercased: "//") {
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

  /// The address with the current capability, if it is at the canvas host.
  private func hosted(_ url: WebURL) -> WebURL? {
    guard let base, starts(url.target, Self.prefix) else { return nil }
    let isOwn = rule.isGateway(url) || url.isLoopback
    guard isOwn else { return nil }
    guard starts(url.target, Self.capability) else { return base.with(target: Self.joined(base.target, url.target)) }
    // An older capability is replaced.
    let path = Array(url.target.utf8.dropFirst(Self.capability.utf8CodeUnitCount))
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")) else { return base }
    return base.with(target: Self.joined(base.target, String(decoding: path[slash...], as: UTF8.self)))
  }

  /// True for an address with a capability of the gateway, which may have expired.
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

  /// Two paths joined with one slash between them.
  private static func joined(_ base: String, _ path: String) -> String {
    var bytes = Array(base.utf8)
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes + Array(path.utf8), as: UTF8.self)
  }
}
