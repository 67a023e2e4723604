import Board
import CLinux
import Foundation
@testable import Gateway
import Glibc
import Runtime
import Testing

@testable import talon

@Suite("The state folder") struct StateFolderTests {
  private let folder = TemporaryFolder()

  // MARK: The lock

  /// What stands in the place of the file that releases before locked.
  enum LockFile: CaseIterable {
    case absent, present, link, folder, pipe
    /// EIO, as a broken card answers.
    case unreadable
  }

  private func place(_ file: LockFile) {
    let path = folder.path + "/lock"
    switch file {
    case .absent: break
    case .present, .unreadable: #expect(close(open(path, O_CREAT | O_WRONLY, 0o600)) == 0)
    case .link: #expect(symlink(folder.path + "/made", path) == 0)
    case .folder: #expect(mkdir(path, 0o777) == 0)
    case .pipe: #expect(mkfifo(path, 0o666) == 0)
    }
  }

  /// Locks as an agent does. Its first open(2) is that of the folder.
  private func lock(_ file: LockFile) throws {
    try Faults("open", .inputOutput, after: 1, times: file == .unreadable ? 1 : 0).run {
      try StateFolder.lock(self.folder.path)
    }
  }

  @Test(
    "of two agents one gets the lock, whether the folder can be written, and whatever its lock file is",
    arguments: LockFile.allCases, [0o700, 0o500] as [mode_t])
  func agents(file: LockFile, mode: mode_t) throws {
    place(file)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    chmod(folder.path, mode)
    defer { chmod(folder.path, 0o700) }
    try lock(file)
    // With a card that has recovered meanwhile, or that has not.
    for second in [file, .present] {
      let failure = try #require(throws: Failure.self) { try self.lock(second) }
      #expect(failure.code == .temporary)
    }
    // A folder that root may write has nothing new either: nothing of the lock is written.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == names)
  }

  @Test(
    "an agent of an older release that locked the file, or the folder in its place, is seen",
    arguments: ["/lock", ""])
  func older(name: String) throws {
    place(.present)
    let held = open(folder.path + name, O_RDONLY | O_CLOEXEC)
    #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
    let failure = try #require(throws: Failure.self) { try self.lock(.present) }
    #expect(failure.code == .temporary)
    close(held)
  }

  @Test("an agent of an older release sees this one where it left its file")
  func younger() throws {
    place(.present)
    try lock(.present)
    for name in ["/lock", ""] {
      let other = open(folder.path + name, O_RDONLY | O_CLOEXEC)
      #expect(flock(other, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK)
      close(other)
    }
  }

  @Test("a folder that cannot be opened is no state to serve with", arguments: worn)
  func brokenFolder(reason: Errno) throws {
    let failure = try #require(throws: Failure.self) {
      try Faults("open", reason, times: 1).run { try StateFolder.lock(self.folder.path) }
    }
    #expect(failure.code == .cannotCreate)
  }

  // MARK: A card that is worn or full

  /// Makes the first calls of a kind fail, after some that do not, on this thread.
  private final class Faults {
    let (call, reason): (String, Int32)
    var (spared, left): (Int, Int)

    init(_ call: String, _ reason: Errno, after: Int = 0, times: Int) {
      (self.call, self.reason) = (call, reason.number)
      (spared, left) = (after, times)
    }

    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
      tl_interpose_thread(
        { context, call, _ in
          let faults = Unmanaged<Faults>.fromOpaque(context!).takeUnretainedValue()
          guard String(cString: tl_call_name(call)) == faults.call else { return 0 }
          guard faults.spared == 0 else {
            faults.spared -= 1
            return 0
          }
          guard faults.left > 0 else { return 0 }
          faults.left -= 1
          return faults.reason
        }, Unmanaged.passUnretained(self).toOpaque())
      defer { tl_interpose_thread(nil, nil) }
      return try body()
    }
  }

  private static let worn = [Errno.readOnlyFileSystem, .noSpace, .inputOutput, .quotaExceeded]

  @Test("why nothing can be written is found out without a file that stays", arguments: worn)
  func wornFolder(reason: Errno) {
    #expect(StateFolder.trouble(folder.path) == nil)
    for call in ["open", "write"] {
      #expect(Faults(call, reason, times: 1).run { StateFolder.trouble(self.folder.path) } == reason)
    }
    #expect(Faults("open", .notSupported, times: 1).run { StateFolder.trouble(self.folder.path) } == nil)
    #expect(rmdir(folder.path) == 0)
  }

  // MARK: One record for all gateways of a host, as releases before paths counted wrote it

  private let cryptography = OpenSSLCryptography()
  private let log = Log(level: .error, output: nil)

  private func store() throws -> FileStore { try StateFolder.open(folder.path) }

  private func configuration(_ url: String) throws -> Configuration {
    try ConfigurationFile.parse(Array("[gateway]\nurl = \(url)\n".utf8), file: "t.conf")
  }

  /// Writes the shared record, whose node token is `old`.
  private func writeShared(urls: [String] = []) throws {
    let record = GatewayRecord(key: "manual|gw.test|443", cryptography: cryptography)
    #expect(Array("old".utf8).withUnsafeBufferPointer { record.setToken($0, .node) })
    for url in urls { record.add(try GatewayURL(url)) }
    try record.save(to: try store())
  }

  /// The node token that a command would find for the gateway at `url`, or an agent that starts.
  private func token(_ url: String, starting: Bool = false) throws -> String {
    let (store, configuration) = (try store(), try configuration(url))
    let record = try StateFolder.record(store, configuration, cryptography, nil)
    if starting { StateFolder.bind(record, configuration, store, cryptography, log) }
    return String(decoding: record.token(.node), as: UTF8.self)
  }

  @Test(
    "the gateway that a board used keeps its token when paths count",
    arguments: ["wss://gw.test", "wss://gw.test/a"])
  func sharedRecord(url: String) throws {
    try writeShared()
    #expect(try token(url, starting: true) == "old")
    #expect(try token(url, starting: true) == "old")
  }

  @Test(
    "no other gateway of its host gets that token",
    arguments: ["wss://gw.test", "wss://gw.test/a", "wss://gw.test/b"],
    ["wss://gw.test", "wss://gw.test/a", "wss://gw.test/b"])
  func other(used: String, asked: String) throws {
    try writeShared()
    #expect(try token(used, starting: true) == "old")
    #expect(try token(asked, starting: true) == (used == asked ? "old" : ""))
    #expect(try token(used) == "old")
  }

  @Test("a shared record that knows its gateway's address is of that gateway alone")
  func address() throws {
    try writeShared(urls: ["wss://gw.test/a", "wss://other.test"])
    #expect(try token("wss://gw.test/b", starting: true) == "")
    #expect(try token("wss://gw.test/a", starting: true) == "old")
  }

  @Test("a command that only looks changes no file")
  func looking() throws {
    try writeShared()
    let before = try contents()
    #expect(try token("wss://gw.test/a") == "old")
    #expect(try token("wss://gw.test/b") == "old")
    #expect(try contents() == before)
  }

  @Test("the release before finds its record and its token")
  func fallback() throws {
    try writeShared()
    _ = try token("wss://gw.test/a", starting: true)
    let record = GatewayRecord(key: "manual|gw.test|443", cryptography: cryptography)
    #expect(try record.load(from: try store()) == .current)
    #expect(String(decoding: record.token(.node), as: UTF8.self) == "old")
  }

  @Test("a new gateway at the root of its host shares its record with nobody")
  func new() throws {
    let store = try store()
    let record = GatewayRecord(url: try GatewayURL("wss://gw.test"), cryptography: cryptography)
    #expect(Array("new".utf8).withUnsafeBufferPointer { record.setToken($0, .node) })
    try record.save(to: store)
    #expect(try token("wss://gw.test/a", starting: true) == "")
    #expect(try token("wss://gw.test") == "new")
  }

  private func contents() throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      found[name] = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")))
    }
    return found
  }
}
