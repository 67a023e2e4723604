import Foundation
import Glibc

/// Keys and certificates of one test, made by the openssl program: nothing of Talon has a hand in them.
final class CertificateFolder {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("talon-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.path + "/" + name }

  func key(_ name: String) throws {
    try Self.openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path(name)])
  }

  /// A self-signed certificate in the file `name`. `days` may be -1: it ended yesterday. `extensions` are lines of
  /// openssl's configuration.
  func certificate(
    _ name: String, key: String, subject: String = "/CN=openclaw-gateway", days: Int = 2, extensions: String = ""
  ) throws {
    try extensions.write(toFile: path("extensions"), atomically: true, encoding: .utf8)
    try Self.openssl(["req", "-new", "-key", path(key), "-subj", subject, "-out", path("request")])
    try Self.openssl([
      "x509", "-req", "-in", path("request"), "-signkey", path(key), "-days", "\(days)", "-extfile",
      path("extensions"), "-out", path(name),
    ])
  }

  /// A certificate in the file `name` for `key`, signed by the certificate `issuer`, whose key is `issuer` with `-key`
  /// behind it; an authority itself where `isAuthority`.
  func signed(
    _ name: String, key: String, by issuer: String, subject: String, names: String = "", days: Int = 30,
    isAuthority: Bool = false
  ) throws {
    var extensions = "basicConstraints=critical,CA:\(isAuthority ? "TRUE" : "FALSE")\n"
    if !names.isEmpty { extensions += "subjectAltName=\(names)\n" }
    try extensions.write(toFile: path("extensions"), atomically: true, encoding: .utf8)
    try Self.openssl(["req", "-new", "-key", path(key), "-subj", subject, "-out", path("request")])
    try Self.openssl([
      "x509", "-req", "-in", path("request"), "-CA", path(issuer), "-CAkey", path(issuer + "-key"), "-CAcreateserial",
      "-days",
      "\(days)", "-extfile", path("extensions"), "-out", path(name),
    ])
  }

  /// An authority that vouches for itself, in the files `name` and `name-key`.
  func authority(_ name: String) throws {
    try key(name + "-key")
    try certificate(
      name, key: name + "-key", subject: "/CN=\(name)", days: 3650,
      extensions: "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign")
  }

  /// Several files as one.
  func join(_ names: [String], into name: String) throws {
    try names.map { try String(contentsOfFile: path($0), encoding: .utf8) }.joined()
      .write(toFile: path(name), atomically: true, encoding: .utf8)
  }

  func certificateDigest(_ name: String) throws -> String {
    try Self.openssl(["x509", "-in", path(name), "-noout", "-fingerprint", "-sha256"])
  }

  func keyDigest(_ name: String) throws -> String {
    try Self.openssl(["pkey", "-in", path(name), "-pubout", "-outform", "DER", "-out", path("spki")])
    return try Self.openssl(["dgst", "-sha256", path("spki")])
  }

  /// Runs openssl; what it prints after its last "=".
  @discardableResult
  private static func openssl(_ arguments: [String]) throws -> String {
    let process = Foundation.Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // Not `waitUntilExit`, which may wait for ever on a thread of the test library's pool.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    ended.wait()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    let text = String(decoding: data, as: UTF8.self)
    return text.split(separator: "=").last.map(String.init) ?? text
  }
}

/// `openssl s_server`: a TLS peer that shares nothing with Talon.
final class OpenSSLServer {
  let files: CertificateFolder
  private(set) var port: UInt16 = 0
  private let process = Foundation.Process()
  private let input = Pipe()
  private let log: URL

  /// A server that shows `certificate` and holds `key`, both names in `files`.
  init(
    _ files: CertificateFolder, certificate: String = "cert", key: String = "key", at address: String = "127.0.0.1",
    _ options: [String] = []
  ) throws {
    self.files = files
    log = files.folder.appendingPathComponent("log-\(UUID().uuidString)")
    try Data().write(to: log)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments =
      ["s_server", "-accept", "\(address):0", "-key", files.path(key), "-cert", files.path(certificate)] + options
    // Without -rev it reads what to send from its standard input, for as long as that is open.
    process.standardInput = input
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = FileHandle.nullDevice
    try process.run()
    port = try listeningPort()
  }

  /// A server with a certificate of its own that sends every line back reversed.
  static func reversing() throws -> OpenSSLServer {
    let files = try CertificateFolder()
    try files.key("key")
    try files.certificate("cert", key: "key")
    return try OpenSSLServer(files, ["-rev"])
  }

  // A thread of the test library may block SIGTERM, and its children then do too.
  deinit { kill(process.processIdentifier, SIGKILL) }

  /// Types something at the server; "r" alone on a line lets it renegotiate.
  func type(_ text: String) { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// What it printed so far; without -rev, everything that arrived inside TLS is part of it.
  var heard: String { (try? String(decoding: Data(contentsOf: log), as: UTF8.self)) ?? "" }

  /// "ACCEPT ADDRESS:PORT" is printed once the port is open.
  private func listeningPort() throws -> UInt16 {
    for _ in 0..<1_000 {
      if let line = heard.split(separator: "\n").first(where: { $0.hasPrefix("ACCEPT ") }), heard.hasSuffix("\n"),
        let digits = line.split(separator: ":").last, let port = UInt16(digits)
      {
        return port
      }
      guard process.isRunning else { break }
      usleep(10_000)
    }
    throw CocoaError(.executableLoad)
  }
}

/// Stands between a client and a server on this machine, and passes on as many bytes of the server's as it may.
final class Wire: @unchecked Sendable {
  private let lock = NSLock()
  private var allowance: Int
  private let step: Int
  private var server: PlainServer! = nil
  var port: UInt16 { server.port }

  /// `allowance` bytes pass, at most `step` at a time; then the connection is cut.
  init(to port: UInt16, allowance: Int = .max, step: Int = 65_536) throws {
    self.allowance = allowance
    self.step = step
    server = try PlainServer { [unowned self] client in self.carry(client, to: port) }
  }

  /// From now on `count` bytes more pass.
  func allow(_ count: Int) { lock.withLock { allowance = count } }

  private func carry(_ client: Int32, to port: UInt16) {
    let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(upstream) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(upstream, $0, size) == 0 }
    }
    guard isConnected else { return }
    var noDelay: Int32 = 1
    setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, 4)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var sockets = [pollfd(fd: client, events: 1, revents: 0), pollfd(fd: upstream, events: 1, revents: 0)]
    while poll(&sockets, 2, 10_000) > 0 {
      if sockets[0].revents != 0 {
        let count = recv(client, &buffer, buffer.count, 0)
        guard count > 0, send(upstream, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
      }
      guard sockets[1].revents != 0 else { continue }
      let left = lock.withLock { allowance }
      guard left > 0 else { return }
      let count = recv(upstream, &buffer, min(left, step), 0)
      guard count > 0, send(client, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
      lock.withLock { if allowance != .max { allowance -= count } }
    }
  }
}
