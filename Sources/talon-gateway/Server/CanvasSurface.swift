import Foundation
import NIOCore

/// The canvas host (protocol reference, sections 3.10 and 9.7): files of one folder, for who has a capability that has
/// not run out, and a socket that says `reload` when one of them changes. Without a folder there are only the words.
final class CanvasSurface {
  private static let prefix = "/__openclaw__/cap/"
  private static let canvas = "/__openclaw__/canvas/"
  private static let reloads = "/__openclaw__/ws"
  /// How often the folder is checked while there is a listener.
  private static let interval = TimeAmount.milliseconds(200)
  private static let types = [
    "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "gif": "image/gif", "svg": "image/svg+xml",
    "html": "text/html",
  ]

  private struct FileState: Equatable {
    let size: Int
    let date: Date
  }

  private let folder: String?
  private let lifetimeMilliseconds: Int64
  /// Until when each capability counts; each use makes it last longer.
  private var capabilities: [String: Int64] = [:]
  /// Listeners for changes, by channel.
  private var listeners: [ObjectIdentifier: () -> Void] = [:]
  private var timer: RepeatingTimer?
  /// The files as they were seen last.
  private var seen: [String: FileState] = [:]

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
    guard folder != nil, owns(path) else { return nil }
    guard let file = permitted(path) else { return (401, "text/plain", Data("capability required, or expired".utf8)) }
    guard file.hasPrefix(Self.canvas), let data = read(String(file.dropFirst(Self.canvas.count))) else {
      return (404, "text/plain", Data("Not Found".utf8))
    }
    return (200, Self.types[String(file.split(separator: ".").last ?? "")] ?? "application/octet-stream", data)
  }

  /// True for a path of the canvas host, where no session begins.
  func owns(_ path: String) -> Bool { path.hasPrefix("/__openclaw__/") }

  /// What stands after the capability of a path; nil: it has none that counts. One that is used counts for longer.
  private func permitted(_ path: String) -> String? {
    guard path.hasPrefix(Self.prefix) else { return nil }
    let rest = path.dropFirst(Self.prefix.count)
    let capability = String(rest.prefix { $0 != "/" })
    let now = wallMilliseconds()
    guard let end = capabilities[capability], end > now else { return nil }
    capabilities[capability] = now + lifetimeMilliseconds
    return String(rest.dropFirst(capability.count))
  }

  // MARK: Changes

  /// A WebSocket at this path may be told of changes.
  func mayListen(_ path: String) -> Bool { folder != nil && permitted(path) == Self.reloads }

  /// Tells `listener` of each change from now on, until `forget`.
  func observe(_ owner: AnyObject, on loop: any EventLoop, _ listener: @escaping () -> Void) {
    if listeners.isEmpty { seen = files() }
    listeners[ObjectIdentifier(owner)] = listener
    if timer == nil { timer = RepeatingTimer(loop: loop, interval: Self.interval) { [unowned self] in look() } }
  }

  func forget(_ owner: AnyObject) {
    listeners[ObjectIdentifier(owner)] = nil
    if listeners.isEmpty { timer = nil }
  }

  private func look() {
    let now = files()
    guard now != seen else { return }
    seen = now
    for listener in listeners.values { listener() }
  }

  private func files() -> [String: FileState] {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [:] }
    var files: [String: FileState] = [:]
    for name in names {
      let all = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      files[name] = FileState(size: all?[.size] as? Int ?? 0, date: all?[.modificationDate] as? Date ?? .distantPast)
    }
    return files
  }

  private func read(_ name: String) -> Data? {
    guard let folder, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
    return FileManager.default.contents(atPath: folder + "/" + name)
  }
}
