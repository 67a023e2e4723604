import Codec
import Gateway
import Runtime

/// The canvas that a gateway hosts for this board: an address with a capability in it that ends after ten minutes, and is
/// refreshed before (gateway reference 3.10 and 9.7). Which call refreshes it follows from where `hello-ok` had it.
public final class CanvasSurface: RequestOwner {
  /// Milliseconds after which an address is refreshed: 80 % of its life of 600 s.
  static let refreshAfter: Int64 = 480_000
  private static let timeout: Int64 = 15_000

  private let clock: any Clock
  private var channel: (any RequestChannel)?
  private var gateway: GatewayURL?
  private var kind = HelloOk.SurfaceKind.none
  /// Where to fetch from, or empty: then there is no canvas host, or its address could not be refreshed.
  public private(set) var url = InlineText<512>()
  /// When `advance` wants to be called.
  public private(set) var nextDeadline: Int64?

  init(clock: any Clock) { self.clock = clock }

  /// A connection begins: takes what `hello-ok` had.
  func online(_ channel: any RequestChannel, _ hello: borrowing HelloOk, at gateway: GatewayURL?) {
    self.channel = channel
    self.gateway = gateway
    kind = hello.surfaceKind
    take(hello.surface.span)
  }

  /// The connection is gone, and its addresses with it.
  func offline() {
    channel = nil
    kind = .none
    url.clear()
    nextDeadline = nil
  }

  private func take(_ text: Span<UInt8>) {
    url.clear()
    nextDeadline = nil
    guard kind != .none, let gateway, let rewritten: InlineText<512> = SurfaceURL.rewritten(text, for: gateway) else {
      return
    }
    url = rewritten
    nextDeadline = clock.monotonic + Self.refreshAfter
  }

  /// Refreshes an address whose time comes; also to be called when a fetch was answered with 401 or 403.
  public func refresh() {
    nextDeadline = nil
    switch kind {
    case .none: return
    case .canvasHost: ask("node.canvas.capability.refresh") { _ in }
    case .plugin:
      ask("node.pluginSurface.refresh") { writer in
        writer.key("surface")
        writer.string("canvas")
      }
    }
  }

  private func ask(_ method: StaticString, _ members: (inout JSONWriter) -> Void) {
    guard let channel else { return }
    if channel.request(method, owner: self, tag: 0, timeout: Self.timeout, members) { return }
    // No room just now.
    nextDeadline = clock.monotonic + Self.timeout
  }

  func advance(to now: Int64) {
    if let instant = nextDeadline, now >= instant { refresh() }
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

  /// The old address lives on for a while; without a new one there is no canvas until the next connection.
  public func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard failure.kind == .refused else {
      if channel != nil { nextDeadline = clock.monotonic + Self.timeout }
      return
    }
    kind = .none
    url.clear()
  }
}
