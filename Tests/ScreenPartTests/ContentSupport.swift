import Fetch
import Foundation
import Gateway
import Runtime
import Simulated

@testable import Agent
@testable import Benches
@testable import Graphics
@testable import ScreenPart

/// The web, as a test plays it.
final class ScriptedWeb: FetchTransport {
  private var delegate: (any TransportDelegate)?
  /// Where it was gone to, one after the other.
  private(set) var visits: [String] = []
  var isOpen: Bool { delegate != nil }

  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    visits.append("\(url.host)\(url.path)")
    guard judge.permits(SocketAddress(literal: url.host, port: 1) ?? SocketAddress(literal: "8.8.8.8", port: 1)!) else {
      return delegate.transportFailed(TransportFailure(.forbidden))
    }
    self.delegate = delegate
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { bytes.count }

  func resumeReading() {}
  func close() { delegate = nil }

  func answer(_ body: String, status: Int = 200, type: String = "image/png") {
    delegate?.transportSecured(certificate: nil)
    let text = "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let bytes = Array(text.utf8)
    _ = delegate?.transportReceived(bytes.span)
  }

  /// The header of an answer without an end.
  func begin(type: String) {
    delegate?.transportSecured(certificate: nil)
    send("HTTP/1.1 200 X\r\nContent-Type: \(type)\r\n\r\n")
  }

  /// Returns the bytes that the receiver does not take now.
  @discardableResult func send(_ text: String) -> Int {
    var rest = Array(text.utf8)[...]
    // What the receiver has no room for comes again.
    while let delegate, !rest.isEmpty {
      let bytes = Array(rest)
      let count = delegate.transportReceived(bytes.span)
      if count == 0 { break }
      rest = rest.dropFirst(count)
    }
    return rest.count
  }

  func fail(_ failure: TransportFailure) {
    let delegate = delegate
    self.delegate = nil
    delegate?.transportFailed(failure)
  }
}

/// Reads pictures that are written as "GIF8 WIDTHxHEIGHT".
final class WordCodec: PictureCodec {
  private(set) var decoded = 0
  /// Of the picture that was asked for last.
  private(set) var cancellation: Cancellation?
  /// Called while a picture is decoded.
  var whileDecoding: () -> Void = {}

  func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ContentKind, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture? {
    guard case .picture = kind else { return nil }
    decoded += 1
    cancellation = limit.cancellation
    whileDecoding()
    let words = String(decoding: bytes.dropFirst(5), as: UTF8.self).split(separator: "x").compactMap { Int32($0) }
    guard words.count == 2 else { throw PictureFault(.broken, "GIF: broken") }
    let size = Size(words[0], words[1])
    return try DecodedPicture(PictureLimit.reduced(size, by: limit.factor(of: size)).size, original: size)
  }

  static func picture(_ width: Int, _ height: Int) -> String { "GIF8 \(width)x\(height)" }
}

/// Keeps pictures as the real one does, and paints nothing.
final class TablePainter: Painter {
  let table = PictureTable()
  private(set) var kept = 0
  private(set) var dropped = 0

  func paint(_ list: DisplayList, _ damage: Damage, into pixels: PixelBuffer) {}

  func keep(_ pixels: UnsafeBufferPointer<UInt32>, _ size: Size) -> PictureHandle? {
    let handle = table.keep(pixels, size)
    if handle != nil { kept += 1 }
    return handle
  }

  func drop(_ picture: PictureHandle) {
    dropped += 1
    table.drop(picture)
  }
}

/// The canvas host's part of an agent that is online, and the web beside it.
final class ContentBench: CanvasGateway {
  let agent: AgentBench
  let web = ScriptedWeb()
  let codec = WordCodec()
  let runner = DeferredRunner()
  let host: CanvasHost
  let loader: ContentLoader

  init(hello: String? = nil, allowed: [String] = []) throws {
    agent = try AgentBench(hello: hello)
    var list = AllowList()
    for word in allowed { _ = list.add(word) }
    host = CanvasHost(agent.agent.surface, allowed: list)
    loader = try ContentLoader(web, host: host, codec: codec, runner: runner, clock: agent.clock)
    host.gateway = self
  }

  static let plugin = #""pluginSurfaceUrls":{"canvas":"http://127.0.0.1:18789/__openclaw__/cap/first"}"#

  var onlineURL: GatewayURL? { try? GatewayURL("ws://localhost:18789") }

  func isGateway(_ certificate: PeerCertificate) -> Bool { false }

  /// A member of what is asked of the gateway.
  func requests(_ method: String) throws -> [String] {
    try agent.gateway.take().map(AgentBench.object).filter { $0["method"] as? String == method }.map {
      $0["id"] as? String ?? ""
    }
  }

  func refreshed(_ id: String, _ capability: String) {
    agent.gateway.send(
      #"{"type":"res","id":"\#(id)","ok":true,"payload":{"surface":"canvas","pluginSurfaceUrls":{"canvas":"http://127.0.0.1:18789/__openclaw__/cap/\#(capability)"}}}"#
    )
  }
}
