import Foundation

/// A connection without TLS to a server of this machine, which stays open: one request after the other, each answered
/// before the next.
final class PlainConnection {
  private let socket: Int32

  init(port: UInt16) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let reason = String(cString: strerror(errno))
      close(socket)
      throw LabFailure("no connection to port \(port): \(reason)")
    }
  }

  deinit { close(socket) }

  /// Sends a request, and reads the answer: its status and its content.
  func exchange(_ request: [UInt8]) throws -> (status: Int, content: String) {
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw LabFailure("the server takes no more: \(String(cString: strerror(errno)))") }
      sent += count
    }
    var answer = Data()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
        let fields = head.split(separator: "\r\n")
        let length = fields.first { $0.lowercased().hasPrefix("content-length:") }.flatMap {
          Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces))
        }
        let status = fields.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        let isWhole = status == 204 || length.map { answer.count - end.upperBound >= $0 } ?? false
        if isWhole { return (status, String(decoding: answer[end.upperBound...], as: UTF8.self)) }
      }
      let count = recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else {
        // The end of the connection is the end of an answer without a length.
        if let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) {
          return (200, String(decoding: answer[end.upperBound...], as: UTF8.self))
        }
        throw LabFailure("the server ended the connection")
      }
      answer += chunk[..<count]
    }
  }
}
