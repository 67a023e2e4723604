import Foundation
import Gateway
import Glibc
import Runtime

@testable import Board

/// A transport on a loop of its own, and what it told.
final class TransportProbe: TransportDelegate, TimerHandler {
  let loop: Loop
  let clock = SystemClock()
  let transport: NetworkTransport
  private(set) var certificate: PeerCertificate?
  private(set) var isSecured = false
  private let url: GatewayURL
  private(set) var received: [UInt8] = []
  private(set) var failures: [TransportFailure.Kind] = []
  private(set) var reason: Errno?
  /// What people read about the failure.
  private(set) var sentence = ""
  /// Bytes that are taken from one delivery.
  var appetite = Int.max
  /// When this holds, the loop stops.
  var isDone: (TransportProbe) -> Bool = { $0.isSecured || !$0.failures.isEmpty }

  init(url: String, route: GatewayRoute = GatewayRoute()) throws {
    loop = try Loop(clock: clock)
    self.url = try GatewayURL(url)
    transport = NetworkTransport(loop: loop, clock: clock, route: route)
  }

  /// Runs until `isDone`, or for ten seconds.
  func run() throws {
    loop.setTimer(TimerID(9), of: self, at: clock.monotonic + 10_000)
    try loop.run { if self.isDone(self) { self.loop.stop() } }
    // The loop keeps the handlers of its timers alive.
    loop.cancelTimer(TimerID(9), of: self)
  }

  func open() throws {
    transport.open(url, self)
    try run()
  }

  /// Opens as if the host had these addresses.
  func open(_ addresses: [SocketAddress]) throws {
    transport.url = url
    transport.delegate = self
    transport.begin(addresses)
    try run()
  }

  func write(_ text: String) -> Int {
    Array(text.utf8).withUnsafeBufferPointer { transport.write($0) }
  }

  func timerFired(_ id: TimerID) { loop.stop() }
  func transportSecured(certificate: PeerCertificate?) {
    self.certificate = certificate
    isSecured = true
  }
  func transportReceived(_ bytes: Span<UInt8>) -> Int {
    let taken = min(appetite, bytes.count)
    for index in 0..<taken { received.append(bytes[index]) }
    return taken
  }
  func transportWritable() {}
  func transportFailed(_ failure: TransportFailure) {
    failures.append(failure.kind)
    reason = failure.reason
    var text = InlineText<256>()
    text.fill { bytes in
      var line = LogLine(bytes)
      failure.describe(&line)
      return line.count
    }
    sentence = text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

/// A port of 127.0.0.1 that answers no connection, as an address does behind which nobody is: its queue is full, so the
/// kernel drops what asks for one.
final class SilentPort {
  let port: UInt16
  private var sockets: [Int32] = []

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    sockets = [listener]
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        precondition(
          bind(listener, raw, size) == 0 && listen(listener, 0) == 0 && getsockname(listener, raw, &size) == 0)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    for _ in 0..<2 {
      let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      sockets.append(filler)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(filler, $0, size) }
      }
    }
  }

  deinit { for socket in sockets { close(socket) } }
}

/// A listening socket of the C library on 127.0.0.1, served by a thread.
final class PlainServer: @unchecked Sendable {
  let port: UInt16
  private let listener: Int32
  private let accepted = DispatchSemaphore(value: 0)

  /// `serve` gets the accepted socket, which is closed when it returns.
  init(_ serve: @escaping @Sendable (Int32) -> Void) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        bind(listener, raw, size) == 0 && listen(listener, 4) == 0 && getsockname(listener, raw, &size) == 0
      }
    }
    precondition(bound)
    port = UInt16(bigEndian: address.sin_port)
    self.listener = listener
    let accepted = accepted
    Thread.detachNewThread {
      let peer = accept(listener, nil, nil)
      accepted.signal()
      guard peer >= 0 else { return }
      serve(peer)
      close(peer)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    // Closed only now: the number may be another server's in the next moment, and the thread would accept for it.
    accepted.wait()
    close(listener)
  }
}
