import Foundation

/// The canvas host's address (protocol reference, sections 3.10 and 9.7). Nothing is served there: this gateway has
/// no canvas, only its words.
enum CanvasSurface {
  private static let lifetimeMilliseconds: Int64 = 600_000

  /// A capability-scoped URL, fresh each time. Like real ones it is made of the `Host` of the upgrade request.
  static func url(for session: Session) -> String { url(for: session, capability: newCapability()) }

  private static func newCapability() -> String { Data.random(count: 18).base64URL }

  private static func url(for session: Session, capability: String) -> String {
    let scheme = session.origin.isEncrypted ? "https" : "http"
    return "\(scheme)://\(session.origin.host ?? "127.0.0.1")/__openclaw__/cap/\(capability)"
  }

  /// `node.canvas.capability.refresh`.
  static func refreshCapability(_ call: MethodCall) -> JSON {
    let capability = newCapability()
    return [
      "canvasCapability": .string(capability),
      "canvasCapabilityExpiresAtMs": .integer(wallMilliseconds() + lifetimeMilliseconds),
      "canvasHostUrl": .string(url(for: call.session, capability: capability)),
    ]
  }

  /// `node.pluginSurface.refresh`; there is one surface.
  static func refreshSurface(_ call: MethodCall) throws(GatewayError) -> JSON {
    let surface = call.params["surface"]?.string ?? ""
    guard surface == "canvas" else { throw .unavailable("\(surface) plugin surface unavailable") }
    return [
      "surface": "canvas",
      "pluginSurfaceUrls": ["canvas": .string(url(for: call.session))],
      "expiresAtMs": .integer(wallMilliseconds() + lifetimeMilliseconds),
    ]
  }
}
