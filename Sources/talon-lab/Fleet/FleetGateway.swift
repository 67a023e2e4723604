import Foundation

/// A talon-gateway of the run's own, and what it says.
final class FleetGateway {
  let state: String
  private let program: String
  private let log: String
  private var process: ChildProcess?
  private var port = 0
  /// Of the log: how much was read, and the beginning of a line whose end was not.
  private var (offset, rest): (UInt64, Data) = (0, Data())
  /// Lines that came with the announcement of a start, and were not looked at.
  private var early: [String] = []

  /// One that knows nobody yet. Its certificate is its own authority, as join links want one.
  init(program: String, folder: URL) throws {
    self.program = program
    state = folder.appending(path: "gateway").path
    log = folder.appending(path: "gateway.log").path
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let made = try ChildProcess(
      [
        "/usr/bin/openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=fleet",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", state + "/gateway-key.pem", "-out", certificate,
      ], output: folder.appending(path: "openssl.log").path)
    made.waitUntilEnd()
    guard made.end == .code(0) else { throw LabFailure("openssl makes no certificate") }
  }

  var certificate: String { state + "/gateway-cert.pem" }
  var token: String { state + "/token" }
  var url: String { "wss://127.0.0.1:\(port)" }

  /// Starts it, or starts it again, and waits until it listens. Boards on this machine are new nodes from a range that
  /// it trusts; what they declare waits for somebody, unless they come with a code.
  func start() throws {
    process = try ChildProcess(
      [
        program, "run", "--state", state, "--port", String(port), "--surface", "manual", "--json",
        "--auto-approve-cidrs", "127.0.0.0/8",
      ], output: log)
    for _ in 0..<600 {
      let lines = lines()
      if let place = lines.firstIndex(where: { $0.hasPrefix("{") }) {
        let announced = lines[place]
        early = Array(lines[(place + 1)...])
        guard let end = announced.range(of: "wss://127.0.0.1:")?.upperBound,
          let number = Int(announced[end...].prefix { $0.isNumber })
        else { throw LabFailure("talon-gateway has no port: \(announced)") }
        port = number
        return
      }
      guard process?.end == nil else { break }
      usleep(50_000)
    }
    throw LabFailure("talon-gateway does not start: see \(log)")
  }

  func stop(_ signal: Int32) {
    guard let process else { return }
    kill(process.pid, signal)
    process.waitUntilEnd()
    self.process = nil
  }

  /// Whole lines that came since the last look.
  func lines() -> [String] {
    defer { early = [] }
    return early + newLines()
  }

  private func newLines() -> [String] {
    guard let file = FileHandle(forReadingAtPath: log) else { return [] }
    defer { try? file.close() }
    guard (try? file.seek(toOffset: offset)) != nil, let data = try? file.readToEnd() else { return [] }
    offset += UInt64(data.count)
    rest += data
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let whole = String(decoding: rest[..<end], as: UTF8.self)
    rest = Data(rest[(end + 1)...])
    return whole.split(separator: "\n").map(String.init)
  }

  /// Bytes of memory that are its own.
  func anonymousBytes() throws -> Double { try process.map { try RunningNode.memory(of: $0.pid).anonymous } ?? 0 }
}
