import Glibc
import Runtime
import Testing

@testable import Board

/// Hears what is told to a service manager, over a real datagram socket.
private final class Manager {
  let name: String
  private let socket: Int32

  /// Listens at a path, or at "@name" in the abstract namespace.
  init(_ name: String) {
    self.name = name
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
    if name.hasPrefix("@") { address.sun_path.0 = 0 }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    precondition(result == 0, "the test's own socket cannot be bound")
  }

  deinit {
    close(socket)
    unlink(name)
  }

  /// The next datagram, or nil when none is there.
  func hear() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket, &bytes, bytes.count, 0)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  var everything: [String] {
    var all: [String] = []
    while let next = hear() { all.append(next) }
    return all
  }
}

/// Stops the loop after a while.
private final class Alarm: TimerHandler {
  let loop: Loop
  init(_ loop: Loop) { self.loop = loop }
  func timerFired(_ id: TimerID) { loop.stop() }
}

@Suite("Telling the service manager")
struct ServiceManagerTests {
  private let clock = SystemClock()
  private let loop: Loop
  private let folder: String

  init() throws {
    loop = try Loop(clock: clock)
    var template = Array("/tmp/talon-notify-XXXXXX".utf8CString)
    folder = String(cString: mkdtemp(&template)!)
  }

  private var path: String { folder + "/notify" }

  private func teller(
    _ environment: ServiceManager.Environment, makesProgress: @escaping () -> Bool = { true }
  ) -> ServiceManager {
    ServiceManager(loop: loop, clock: clock, environment: environment, makesProgress: makesProgress)
  }

  private func run(milliseconds: Int64) throws {
    let alarm = Alarm(loop)
    loop.setTimer(TimerID(0), of: alarm, at: clock.monotonic + milliseconds)
    try loop.run()
  }

  @Test("the first sentence comes with the news that the program serves, the next alone, a repeat not at all")
  func status() {
    let manager = Manager(path)
    let teller = teller(.init(socket: path))
    teller.report("connecting".utf8.span)
    teller.report("connecting".utf8.span)
    teller.report("connected".utf8.span)
    #expect(manager.everything == ["READY=1\nSTATUS=connecting\n", "STATUS=connected\n"])
  }

  @Test("a name in the abstract namespace is reached")
  func abstract() {
    let manager = Manager("@talon-test-\(getpid())")
    teller(.init(socket: manager.name)).report("hello".utf8.span)
    #expect(manager.hear() == "READY=1\nSTATUS=hello\n")
  }

  @Test("reading the configuration again is reported with the instant, and an end without")
  func phases() throws {
    let manager = Manager(path)
    let teller = teller(.init(socket: path))
    teller.report("connected".utf8.span)
    _ = manager.hear()
    let before = SystemClock.monotonicMicroseconds
    teller.reloading()
    let lines = try #require(manager.hear()).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0] == "RELOADING=1")
    let instant = try #require(Int64(lines[1].dropFirst("MONOTONIC_USEC=".count)))
    #expect((before...SystemClock.monotonicMicroseconds).contains(instant))
    teller.stopping()
    #expect(manager.hear() == "STOPPING=1\n")
  }

  @Test("what others put into a sentence is no assignment of its own")
  func forgery() {
    let manager = Manager(path)
    teller(.init(socket: path)).report("refused\nMAINPID=1\u{1B}".utf8.span)
    #expect(manager.hear() == "READY=1\nSTATUS=refused?MAINPID=1?\n")
  }

  @Test("the longest message has room, and a longer sentence is cut at a character's edge")
  func longest() {
    let manager = Manager(path)
    let teller = teller(.init(socket: path, watchdog: "1000000"))
    teller.report((String(repeating: "x", count: 255) + "é").utf8.span)
    let all = "READY=1\nSTATUS=" + String(repeating: "x", count: 255) + "\nWATCHDOG=1\n"
    #expect(manager.hear() == all)
    #expect(
      all.utf8.count + "RELOADING=1\nMONOTONIC_USEC=9223372036854775807\n".utf8.count < Budget.serviceMessageBytes)
  }

  @Test("signs of life come at twice the rate that is asked for")
  func watchdog() throws {
    let manager = Manager(path)
    let teller = teller(.init(socket: path, watchdog: "100000", process: "\(getpid())"))
    teller.report("connected".utf8.span)
    #expect(manager.hear() == "READY=1\nSTATUS=connected\nWATCHDOG=1\n")
    try run(milliseconds: 275)
    let signs = manager.everything
    #expect(signs.allSatisfy { $0 == "WATCHDOG=1\n" })
    // Every 50 ms; a busy machine may be late, never early.
    #expect((3...5).contains(signs.count))
  }

  @Test("without progress there is no sign of life, and with progress there is again")
  func progress() throws {
    let manager = Manager(path)
    var makesProgress = false
    let teller = teller(.init(socket: path, watchdog: "20000")) { makesProgress }
    teller.report("connected".utf8.span)
    try run(milliseconds: 50)
    #expect(manager.everything == ["READY=1\nSTATUS=connected\n"])
    makesProgress = true
    try run(milliseconds: 50)
    #expect(manager.everything.contains("WATCHDOG=1\n"))
  }

  @Test(
    "no signs of life are given when none are wanted of this process",
    arguments: [nil, "0", "-5", "soon", "", "99999999999999999999"])
  func unwatched(microseconds: String?) throws {
    let manager = Manager(path)
    teller(.init(socket: path, watchdog: microseconds)).report("connected".utf8.span)
    #expect(manager.everything == ["READY=1\nSTATUS=connected\n"])
  }

  @Test("signs of life that are wanted of another process are not given")
  func otherProcess() {
    let manager = Manager(path)
    teller(.init(socket: path, watchdog: "1000000", process: "1")).report("connected".utf8.span)
    #expect(manager.everything == ["READY=1\nSTATUS=connected\n"])
  }

  @Test(
    "without a service manager, or with one that cannot be reached so, nothing happens and no timer runs",
    arguments: [nil, "", "/", "@", "vsock:2:1234", "relative/path", "/" + String(repeating: "x", count: 5000)])
  func nobody(socket: String?) throws {
    let teller = teller(.init(socket: socket, watchdog: "10000"))
    teller.report("connected".utf8.span)
    teller.reloading()
    teller.stopping()
    let before = loop.wakeups
    try run(milliseconds: 60)
    #expect(loop.wakeups - before == 1)
  }

  @Test("a service manager without room is told the newest state later, in one message")
  func full() throws {
    let manager = Manager(path)
    let teller = teller(.init(socket: path))
    teller.report("connected".utf8.span)
    var sentences = 0
    // The kernel keeps a few datagrams (net.unix.max_dgram_qlen).
    for number in 0..<2000 { teller.report("sentence \(number)".utf8.span) }
    while manager.hear() != nil { sentences += 1 }
    #expect(sentences < 2000)
    try run(milliseconds: Budget.serviceRetryMilliseconds.lowerBound + 200)
    #expect(manager.everything == ["STATUS=sentence 1999\n"])
  }

  @Test("a service manager that comes later hears everything that counts")
  func late() throws {
    let teller = teller(.init(socket: path, watchdog: "10000000"))
    teller.report("connecting".utf8.span)
    teller.report("connected".utf8.span)
    let manager = Manager(path)
    try run(milliseconds: 2 * Budget.serviceRetryMilliseconds.lowerBound + 200)
    #expect(manager.everything == ["READY=1\nSTATUS=connected\nWATCHDOG=1\n"])
  }
}
