import Foundation
import Glibc

/// The CLI's end of the control socket: blocking, because a command line has nothing else to do.
final class ControlClient {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var scanned = 0
  private var nextID: Int64 = 0

  init(path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count <= ControlSocket.pathBytesMax else {
      throw GatewayFailure("the path \(path) is too long for a socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SystemFailure("socket") }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      Glibc.close(descriptor)
      throw GatewayFailure("no gateway is running with this state folder (nothing answers at \(path))")
    }
  }

  func close() { Glibc.close(descriptor) }

  /// One operation and its answer.
  func call(_ operation: String, _ params: JSON) throws -> JSON {
    try send(operation, params)
    return try result(of: receive())
  }

  /// The result of an answer, or the gateway's error.
  func result(of answer: JSON) throws -> JSON {
    if answer["ok"]?.bool == true { return answer["result"] ?? .null }
    let error = answer["error"]
    throw GatewayError(
      code: error?["code"]?.string ?? "UNAVAILABLE", message: error?["message"]?.string ?? "no reason given",
      details: error?["details"])
  }

  /// Sends a request without waiting; returns its id.
  @discardableResult
  func send(_ operation: String, _ params: JSON) throws -> Int64 {
    nextID += 1
    let line = ControlSocket.request(nextID, operation, params).bytes + [UInt8(ascii: "\n")]
    var sent = 0
    while sent < line.count {
      let count = line[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw GatewayFailure("the gateway went away") }
      sent += count
    }
    return nextID
  }

  /// The next answer, whichever request it belongs to.
  func receive() throws -> JSON {
    while true {
      if let newline = newline(from: scanned) {
        let line = Array(buffer[..<newline])
        buffer.removeFirst(newline + 1)
        scanned = 0
        return try JSON(parsing: line)
      }
      scanned = buffer.count
      try fill()
    }
  }

  /// `memchr`, because an answer with a photo is megabytes long.
  private func newline(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private func fill() throws {
    try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { piece in
      let count = read(descriptor, piece.baseAddress, piece.count)
      if count < 0 && errno == EINTR { return }
      guard count > 0 else { throw GatewayFailure("the gateway went away before it answered") }
      buffer.append(contentsOf: piece[..<count])
    }
  }
}
