import ArgumentParser
import Board
import Codec
import Foundation
import Gateway
import Runtime

/// Echoes every message of a WebSocket server, for conformance suites.
struct EchoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ws-echo",
    abstract: "Connects to a WebSocket server and sends every message back, until the server closes.",
    discussion: """
      The client is the one that Talon uses. Exit code 0 when the connection ended by a close handshake or by
      the server ending TCP, 1 when it could not be made.
      """)

  @Argument(help: "ws:// or wss:// URL; a query is allowed.")
  var url: String

  func run() throws {
    let parsed: GatewayURL
    do throws(GatewayURLError) {
      parsed = try GatewayURL(url, allowsQuery: true)
    } catch {
      throw ValidationError("the URL \(String(decoding: error.text.bytes, as: UTF8.self))")
    }
    let clock = SystemClock()
    let loop = try Loop(clock: clock)
    let echo = try Echo(url: parsed, loop: loop, clock: clock)
    echo.start()
    try loop.run { echo.beforeSleep() }
    guard echo.wasOpen else { throw LabFailure("\(url): no connection: \(echo.end.map { "\($0)" } ?? "it ended")") }
  }
}

/// The owner of one link, whose messages it keeps whole and returns one after the other.
private final class Echo: LinkDelegate, BlobDelegate, TimerHandler {
  private static let wake = TimerID(0)

  private let loop: Loop
  private let clock: SystemClock
  private let url: GatewayURL
  private var link: WebSocketLink! = nil
  private var message: [UInt8] = []
  private var isText = true
  /// The message on its way back; its bytes stay where they are until it was sent.
  private var sending: UnsafeMutableBufferPointer<UInt8>?
  private(set) var wasOpen = false
  /// How it ended.
  private(set) var end: LinkEnd?

  init(url: GatewayURL, loop: Loop, clock: SystemClock) throws {
    self.loop = loop
    self.clock = clock
    self.url = url
    link = try WebSocketLink(
      userAgent: "talon-lab", transport: NetworkTransport(loop: loop, clock: clock),
      clock: clock, random: SystemRandom(), cryptography: OpenSSLCryptography(), delegate: self)
  }

  func start() { link.open(url) }

  func beforeSleep() {
    link.advance(to: clock.monotonic)
    if let deadline = link.deadline {
      loop.setTimer(Self.wake, of: self, at: deadline)
    } else {
      loop.cancelTimer(Self.wake, of: self)
    }
  }

  func timerFired(_ id: TimerID) {}

  // A test server has no pin.
  func linkMissed(_ url: GatewayURL, _ failure: TransportFailure) {}
  func linkSecured(certificate: PeerCertificate?) { link.upgrade() }
  func linkOpened() { wasOpen = true }
  func linkIsAlive() {}
  func linkHasRoom() {}
  func linkCanTakeMessage() -> Bool { sending == nil }

  func linkReceived(_ bytes: Span<UInt8>, _ chunk: WebSocketChunk) {
    if chunk.isStart {
      message.removeAll(keepingCapacity: true)
      isText = chunk.isText
    }
    bytes.withUnsafeBufferPointer { message.append(contentsOf: $0) }
    if chunk.isFinal { sendBack() }
  }

  private func sendBack() {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(message.count, 1))
    _ = copy.initialize(from: message)
    sending = copy
    let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(copy)[..<message.count])
    let isQueued = link.send(
      limit: .max, blob: OutboundBlob(bytes, .verbatim, delegate: self), isText: isText
    ) { _ in 0 }
    if !isQueued { blobReleased() }
  }

  func blobRead(upTo count: Int) {}

  func blobReleased() {
    sending?.deallocate()
    sending = nil
    link.resume()
  }

  func linkEnded(_ end: LinkEnd) {
    self.end = end
    loop.stop()
  }
}
