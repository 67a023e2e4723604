import Codec
import Gateway
import Node
import Runtime

/// The canvas that a gateway hosts for this board: an address with a capability that expires after ten minutes, and is
/// refreshed before (gateway reference 3.10 and 9.7). Which method refreshes it depends on where `hello-ok` had it.
public final class CanvasSurface: Part, RequestDelegate {
  /// Milliseconds after which an address is refreshed: 80 % of its life of 600 s.
  static let refreshAfter: Int64 = 480_000
  private static let timeout: Int64 = 15_000

  private let clock: any Clock
  private let log: Log
  /// The capability that the log hides, as a secret.
  private var secret = InlineText<256>()
  private var isAsking = false
  private var channel: (any RequestChannel)?
  private var gateway: GatewayURL?
  private var kind = HelloOk.SurfaceKind.none
  /// The current address; empty without a canvas host, or when refreshing failed.
  public private(set) var url = InlineText<512>()
  private var due: Int64?
  /// Changes with each response of the gateway, and when the connection opens or closes.
  public private(set) var revision: UInt32 = 0

  /// A surface without an address.
  @export(interface)
  public init(clock: any Clock, log: Log) {
    self.clock = clock
    self.log = log
  }

  public override var nextDeadline: Int64? { due }

  public override func online(_ session: Session) { online(session, session.hello, at: session.onlineURL) }

  /// A connection begins: takes the address of `hello-ok`.
  func online(_ channel: any RequestChannel, _ hello: borrowing HelloOk, at gateway: GatewayURL?) {
    self.channel = channel
    self.gateway = gateway
    kind = hello.surfaceKind
    take(hello.surface.span)
  }

  /// The connection is lost, and its addresses with it.
  public override func offline() {
    channel = nil
    kind = .none
    isAsking = false
    revision &+= 1
    url.clear()
    due = nil
  }

  private func take(_ text: Span<UInt8>) {
    url.clear()
    isAsking = false
    revision &+= 1
    due = nil
    guard kind != .none, let gateway, let rewritten: InlineText<512> = SurfaceURL.rewritten(text, for: gateway) else {
      return
    }
    url = rewritten
    due = clock.monotonic + Self.refreshAfter
    hide()
  }

  /// Whoever has the capability may read what the gateway shows here, so the log hides it.
  private func hide() {
    let text = url.span
    var start = 0
    for index in 0..<text.count where text[index] == UInt8(ascii: "/") && index + 1 < text.count { start = index + 1 }
    let capability = InlineText<256>(cutting: text.extracting(start..<text.count))
    let old = secret
    capability.span.withUnsafeBufferPointer { new in old.span.withUnsafeBufferPointer { log.hide(new, insteadOf: $0) } }
    secret = capability
  }

  /// Refreshes an address that expires soon; also to be called when a fetch was answered with 401 or 403. False when
  /// there is nothing to refresh, or no connection; otherwise `revision` changes later.
  @discardableResult
  public func refresh() -> Bool {
    if isAsking { return true }
    due = nil
    switch kind {
    case .none: return false
    case .canvasHost: return ask("node.canvas.capability.refresh") { _ in }
    case .plugin:
      return ask("node.pluginSurface.refresh") { writer in
        writer.key("surface")
        writer.string("canvas")
      }
    }
  }

  private func ask(_ method: StaticString, _ members: (inout JSONWriter) -> Void) -> Bool {
    guard let channel else { return false }
    isAsking = channel.request(method, delegate: self, tag: 0, timeout: Self.timeout, members)
    // The connection has no room now.
    if !isAsking { due = clock.monotonic + Self.timeout }
    return isAsking
  }

  public override func advance(to now: Int64) {
    if let instant = due, now >= instant { refresh() }
  }

  public func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard channel != nil else { return }
    var text = InlineText<512>()
    if let address = payload.member("canvasHostUrl") {
      text.fill { address.copyString(into: $0) }
    } else if let urls = payload.member("pluginSurfaceUrls"), let address = urls.member("canvas") {
      text.fill { address.copyString(into: $0) }
    }
    take(text.span)
  }

  /// The old address stays valid for a while; without a new one there is no canvas until the next connection.
  public func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    isAsking = false
    revision &+= 1
    guard failure.kind == .refused else {
      if channel != nil { due = clock.monotonic + Self.timeout }
      return
    }
    kind = .none
    url.clear()
  }
}
