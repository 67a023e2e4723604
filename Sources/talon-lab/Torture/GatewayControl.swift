import Foundation

/// The control socket of a running talon-gateway: one JSON object per line in each direction.
final class GatewayControl {
  private let descriptor: Int32
  private var buffer = Data()

  init(stateFolder: String) throws {
    let path = stateFolder + "/control.sock"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw TortureError("\(path) is too long for a socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw TortureError("no gateway answers at \(path)") }
  }

  deinit { close(descriptor) }

  /// What a gateway's refusal says.
  struct Refusal: Error {
    var code: String
    var message: String
    /// The gateway waited until its own deadline, and the node said nothing.
    var isSilence: Bool { message.hasPrefix("TIMEOUT:") }
  }

  /// One operation and its result. Throws `Refusal` when the gateway or the node answers with an error.
  @discardableResult
  func call(_ operation: String, _ params: [String: Any] = [:]) throws -> [String: Any] {
    var line = try JSONSerialization.data(withJSONObject: ["id": 1, "op": operation, "params": params])
    line.append(UInt8(ascii: "\n"))
    let sent = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == line.count else { throw TortureError("the gateway went away") }
    let answer = try JSONSerialization.jsonObject(with: nextLine()) as? [String: Any] ?? [:]
    if answer["ok"] as? Bool == true { return answer["result"] as? [String: Any] ?? [:] }
    let error = answer["error"] as? [String: Any]
    throw Refusal(code: error?["code"] as? String ?? "", message: error?["message"] as? String ?? "")
  }

  private func nextLine() throws -> Data {
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(buffer[..<end])
        buffer = Data(buffer[(end + 1)...])
        return line
      }
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { throw TortureError("the gateway went away") }
      buffer.append(contentsOf: piece[..<count])
    }
  }
}
