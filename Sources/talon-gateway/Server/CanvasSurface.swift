import Foundation

/// The canvas host (protocol reference, sections 3.10 and 9.7): files of one folder, for who has a capability that has not
/// run out. Without a folder there are only the words.
final class CanvasSurface {
  private static let prefix = "/__openclaw__/cap/"
  private static let canvas = "/__openclaw__/canvas/"
  private static let types = [
    "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "gif": "image/gif", "svg": "image/svg+xml", "html": "text/html",
  ]

  private let folder: String?
  private let lifetimeMilliseconds: Int64
  /// Until when each capability counts; each use makes it last longer.
  private var capabilities: [String: Int64] = [:]

  init(folder: String?, lifetimeMilliseconds: Int64) {
    self.folder = folder
    self.lifetimeMilliseconds = lifetimeMilliseconds
  }

  /// A capability-scoped URL, fresh each time. Like real ones it is made of the `Host` of the upgrade request.
  func url(for session: Session) -> String { url(for: session, capability: newCapability()) }

  func newCapability() -> String {
    let now = wallMilliseconds()
    capabilities = capabilities.filter { $0.value > now }
    let capability = Data.random(count: 18).base64URL
    capabilities[capability] = now + lifetimeMilliseconds
    return capability
  }

  private func url(for session: Session, capability: String) -> String {
    let scheme = session.origin.isEncrypted ? "https" : "http"
    return "\(scheme)://\(session.origin.host ?? "127.0.0.1")\(Self.prefix)\(capability)"
  }

  /// `node.canvas.capability.refresh`.
  func refreshCapability(_ call: MethodCall) -> JSON {
    let capability = newCapability()
    return [
      "canvasCapability": .string(capability),
      "canvasCapabilityExpiresAtMs": .integer(wallMilliseconds() + lifetimeMilliseconds),
      "canvasHostUrl": .string(url(for: call.session, capability: capability)),
    ]
  }

  /// `node.pluginSurface.refresh`; there is one surface.
  func refreshSurface(_ call: MethodCall) throws(GatewayError) -> JSON {
    let surface = call.params["surface"]?.string ?? ""
    guard surface == "canvas" else { throw .unavailable("\(surface) plugin surface unavailable") }
    return [
      "surface": "canvas",
      "pluginSurfaceUrls": ["canvas": .string(url(for: call.session))],
      "expiresAtMs": .integer(wallMilliseconds() + lifetimeMilliseconds),
    ]
  }

  // MARK: Files

  /// What a GET of this path is answered with; nil when the path is not of the canvas host.
  func answer(to path: String) -> (status: Int, type: String, body: Data)? {
    guard folder != nil, path.hasPrefix("/__openclaw__/") else { return nil }
    guard path.hasPrefix(Self.prefix) else { return (401, "text/plain", Data("capability required".utf8)) }
    let rest = path.dropFirst(Self.prefix.count)
    let capability = String(rest.prefix { $0 != "/" })
    let now = wallMilliseconds()
    guard let end = capabilities[capability], end > now else { return (401, "text/plain", Data("capability expired".utf8)) }
    capabilities[capability] = now + lifetimeMilliseconds
    let file = String(rest.dropFirst(capability.count))
    guard file.hasPrefix(Self.canvas), let data = read(String(file.dropFirst(Self.canvas.count))) else {
      return (404, "text/plain", Data("Not Found".utf8))
    }
    return (200, Self.types[String(file.split(separator: ".").last ?? "")] ?? "application/octet-stream", data)
  }

  private func read(_ name: String) -> Data? {
    guard let folder, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
    return FileManager.default.contents(atPath: folder + "/" + name)
  }
}
