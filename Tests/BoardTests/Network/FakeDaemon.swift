import Foundation
import Glibc
import Runtime

/// What a gpsd is to its clients: a listening socket, TCP or a file. Nothing happens unless a test says so.
final class FakeDaemon {
  /// As a client is told it.
  private(set) var address: String
  private var listener: Int32
  private var client: Int32 = -1
  private let path: String?

  init(isLocal: Bool = false) {
    if isLocal {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sock").path
      (path, address) = (file, file)
      listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { bytes in
        for (index, byte) in file.utf8.enumerated() { bytes[index] = byte }
      }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let bound = withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
      }
      precondition(bound == 0 && listen(listener, 4) == 0)
    } else {
      (path, address) = (nil, "")
      listener = FakeDaemon.listener(port: 0)
      address = "127.0.0.1:\(FakeDaemon.port(of: listener))"
    }
  }

  deinit {
    close()
    leave()
    if let path { unlink(path) }
  }

  /// Takes the next client; false when there is none.
  func accept() -> Bool {
    close()
    client = (try? Syscall.accept(Descriptor(listener)))?.number ?? -1
    return client >= 0
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    precondition(write(client, bytes, bytes.count) == bytes.count)
  }

  /// What the client has said by now.
  func received() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(client, &bytes, bytes.count)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
  }

  /// Closes the connection.
  func close() {
    if client >= 0 { Glibc.close(client) }
    client = -1
  }

  /// Listens no more.
  func leave() {
    if listener >= 0 { Glibc.close(listener) }
    listener = -1
  }

  /// Listens again, at the same port.
  func comeBack() { listener = FakeDaemon.listener(port: UInt16(address.split(separator: ":")[1])!) }

  private static func listener(port: UInt16) -> Int32 {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var isReused: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    precondition(bound == 0 && listen(listener, 4) == 0)
    return listener
  }

  private static func port(of listener: Int32) -> UInt16 {
    var name = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let told = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    precondition(told == 0)
    return UInt16(bigEndian: name.sin_port)
  }
}
