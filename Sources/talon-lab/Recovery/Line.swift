import ArgumentParser
import Foundation

/// A line between a node and its gateway that breaks in every way that lines do: a TCP relay on 127.0.0.1. Each
/// direction of each connection is a thread, because that is the least code for a handful of connections.
final class Line: @unchecked Sendable {
  /// How bytes fare.
  enum State {
    case good
    /// They are lost silently.
    case silent
  }

  private let gatewayPort: UInt16
  private let listener: Int32
  private let lock = NSLock()
  private var open: Set<Int32> = []
  private var state = State.good
  /// Connections up to this number are lost, whatever becomes of the line.
  private var lost = 0
  private var count = 0

  init(port: UInt16, gatewayPort: UInt16) throws {
    self.gatewayPort = gatewayPort
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard Self.address(port, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
      throw ValidationError("port \(port) cannot be used: \(String(cString: strerror(errno)))")
    }
    Thread.detachNewThread { [self] in acceptAll() }
  }

  /// The connections that exist end: politely, or with a reset.
  func end(withReset isReset: Bool) {
    lock.withLock {
      for socket in open {
        var linger = linger(l_onoff: isReset ? 1 : 0, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        // Wakes the thread that reads, which closes it.
        shutdown(socket, isReset ? Int32(SHUT_RD) : Int32(SHUT_RDWR))
      }
    }
  }

  /// The connections that exist stay, and carry nothing any more; new ones are good.
  func forget() { lock.withLock { lost = count } }

  /// From now on nothing gets through, on old connections and new ones.
  func silence() { lock.withLock { state = .silent } }

  /// New connections are good again; those of the silence stay lost.
  func restore() {
    lock.withLock {
      state = .good
      lost = count
    }
  }

  private func acceptAll() {
    while true {
      let node = accept(listener, nil, nil)
      if node < 0 { return }
      let gateway = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard Self.address(gatewayPort, { connect(gateway, $0, $1) }) == 0 else {
        close(node)
        close(gateway)
        continue
      }
      let number = lock.withLock {
        count += 1
        open.formUnion([node, gateway])
        return count
      }
      let pair = Pair()
      for (from, to) in [(node, gateway), (gateway, node)] {
        Thread.detachNewThread { [self] in
          relay(number, from, to)
          pair.finished { self.closeBoth(node, gateway) }
        }
      }
    }
  }

  private func relay(_ number: Int, _ from: Int32, _ to: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let read = recv(from, &buffer, buffer.count, 0)
      if read <= 0 { break }
      let isLost = lock.withLock { number <= lost || state == .silent }
      if isLost { continue }
      var sent = 0
      while sent < read {
        let written = buffer.withUnsafeBytes { send(to, $0.baseAddress! + sent, read - sent, Int32(MSG_NOSIGNAL)) }
        if written <= 0 { break }
        sent += written
      }
    }
    let isLost = lock.withLock { number <= lost || state == .silent }
    if !isLost { shutdown(to, Int32(SHUT_RDWR)) }
  }

  private func closeBoth(_ node: Int32, _ gateway: Int32) {
    lock.withLock {
      open.subtract([node, gateway])
      close(node)
      close(gateway)
    }
  }

  private static func address(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  /// The two directions of a connection.
  private final class Pair: @unchecked Sendable {
    private let lock = NSLock()
    private var isHalf = false

    func finished(_ close: () -> Void) {
      let isLast = lock.withLock {
        defer { isHalf = true }
        return isHalf
      }
      if isLast { close() }
    }
  }
}
