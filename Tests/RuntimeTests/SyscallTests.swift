import CLinux
import Glibc
import Testing

@testable import Runtime

@Suite struct SyscallTests {
  @Test("every call has a name of its own")
  func names() {
    let names = (0..<Int32(TL_CALL_COUNT.rawValue)).map { String(cString: tl_call_name($0)) }
    #expect(Set(names).count == names.count)
    #expect(names.first == "open")
    #expect(names.contains("epoll_wait"))
    #expect(String(cString: tl_call_name(-1)) == "?")
    #expect(String(cString: tl_call_name(Int32(TL_CALL_COUNT.rawValue))) == "?")
  }

  @Test("a reason is in words, and tells whether it may pass")
  func reasons() {
    #expect(String(describing: Errno(EROFS).text) == "read-only file system")
    #expect(String(describing: Errno(ENOLCK).text) == "no locks available")
    #expect([EIO, EMFILE, ENFILE, ENOMEM, EINTR].allSatisfy { Errno($0).isTransient })
    #expect(![ENOENT, EACCES, ENOSPC, EISDIR].contains { Errno($0).isTransient })
  }

  @Test("what stands under a name is one kind of thing, and a link is told from what it leads to")
  func kinds() throws {
    let folder = TemporaryFolder()
    let names = ["folder", "file", "pipe", "socket", "link"]
    #expect(mkdir(folder.file("folder"), 0o700) == 0)
    Glibc.close(open(folder.file("file"), O_WRONLY | O_CREAT, 0o600))
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    let socket = try Syscall.localSocket()
    defer { socket.close() }
    try Syscall.bind(socket, to: try Path(folder.file("socket")))
    #expect(symlink(folder.file("socket"), folder.file("link")) == 0)
    for (index, name) in names.enumerated() {
      let status = try Syscall.linkStatus(try Path(folder.file(name)))
      let told = [status.isFolder, status.isPlain, status.isPipe, status.isSocket, status.isLink]
      #expect(told == names.indices.map { $0 == index }, "\(name)")
    }
    #expect(try Syscall.status(try Path(folder.file("link"))).isSocket)
  }

  @Test("a trace shows each call with its descriptor and its result")
  func trace() throws {
    let folder = TemporaryFolder()
    let path = try Path(folder.file("a"))
    let injector = try FaultInjector.record { () throws(Errno) in
      let file = try Syscall.open(path, [.write, .create])
      try [UInt8](repeating: 1, count: 5).span.withUnsafeBytes { bytes throws(Errno) in
        try Syscall.writeAll(file, bytes)
      }
      file.close()
      try Syscall.unlink(path)
      #expect(reason { () throws(Errno) in _ = try Syscall.open(path, .read) } == .noSuchFile)
    }
    let file = try #require(injector.calls.first).result
    #expect(
      injector.calls == [
        .init(name: "open", argument: 0, result: file),
        .init(name: "write", argument: file, result: 5),
        .init(name: "close", argument: file, result: 0),
        .init(name: "unlink", argument: 0, result: 0),
        .init(name: "open", argument: 0, result: -2),
      ])
  }

  @Test("an injected fault reaches the caller as the kernel's own would, and the call is not made")
  func faults() throws {
    let folder = TemporaryFolder()
    let path = try Path(folder.file("a"))
    _ = FaultInjector.fail(0, .noSpace) {
      #expect(reason { () throws(Errno) in _ = try Syscall.open(path, [.write, .create]) } == .noSpace)
    }
    #expect(entries(of: folder.path) == [])
  }

  @Test("a wake-up that fails once still arrives")
  func wakeup() throws {
    let event = try Syscall.eventDescriptor()
    defer { event.close() }
    let injector = FaultInjector.fail(0, .inputOutput) { Syscall.signal(event) }
    #expect(injector.calls.map(\.result) == [-5, 8])
    #expect(try Syscall.waitReadable(event, or: nil, milliseconds: 0).ready)
  }

  @Test("a descriptor is gone after close, whatever close says")
  func close() throws {
    let event = try Syscall.eventDescriptor()
    let injector = FaultInjector.fail(0, .inputOutput) { event.close() }
    #expect(injector.calls == [.init(name: "close", argument: Int64(event.number), result: -5)])
  }

  @Test("descriptors do not leak into other programs")
  func closeOnExec() throws {
    let descriptors = [
      try Syscall.open(Path("/"), [.read, .directory]), try Syscall.eventDescriptor(),
      try Syscall.tcpSocket(
        for: SocketAddress(bytes: [127, 0, 0, 1].span, port: 1), userTimeout: 1000),
      try Syscall.multicastSocket(isIPv6: false), try Syscall.networkEventSocket(),
    ]
    for descriptor in descriptors {
      #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
      descriptor.close()
    }
  }

  @Test("a socket whose options are refused is closed again")
  func socket() {
    let address = SocketAddress(bytes: [127, 0, 0, 1].span, port: 1)
    let injector = FaultInjector.fail(1, .invalidArgument) {
      #expect(
        reason { () throws(Errno) in _ = try Syscall.tcpSocket(for: address, userTimeout: 1) }
          == .invalidArgument)
    }
    #expect(injector.calls.map(\.name) == ["socket", "setsockopt", "close"])
    #expect(injector.leaked == [])
  }

  @Test("a multicast socket, and one for news, that cannot be prepared is closed again")
  func preparedSockets() {
    for call in 0..<3 {
      let injector = FaultInjector.fail(call, .outOfMemory) {
        #expect(
          reason { () throws(Errno) in _ = try Syscall.multicastSocket(isIPv6: false) } == .outOfMemory)
      }
      #expect(injector.leaked == [])
    }
    for call in 0..<2 {
      let injector = FaultInjector.fail(call, .outOfMemory) {
        #expect(reason { () throws(Errno) in _ = try Syscall.networkEventSocket() } == .outOfMemory)
      }
      #expect(injector.leaked == [])
    }
  }

  @Test("a signal in the middle of a call is not seen by the caller")
  func interrupted() throws {
    // SIGURG is ignored by default, so that whoever else gets one is not hurt.
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGURG, &action, nil)
    let reader = InterruptedReader()
    reader.start()
    reader.waitUntilAsleep()
    pthread_kill(reader.thread, SIGURG)
    reader.waitUntilInterrupted()
    reader.pipe.write("x")
    reader.join()
    #expect(
      reader.calls == [.init(name: "read", argument: Int64(reader.pipe.output.number), result: 1)])
  }

  @Test("reading stops at the end of a file, writing of nothing writes nothing")
  func readAll() throws {
    let folder = TemporaryFolder()
    put(Array("abc".utf8), at: folder.file("a"))
    let file = try Syscall.open(Path(folder.file("a")), .read)
    defer { file.close() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
    defer { buffer.deallocate() }
    #expect(try Syscall.readAll(file, into: buffer) == 3)
    #expect(try Syscall.readAll(file, into: buffer) == 0)
    try Syscall.writeAll(file, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  @Test("a pipe that takes part of a text is given the rest")
  func writeAll() throws {
    let pipe = Pipe()
    // A full pipe refuses at last, but takes all that it has room for before.
    var failure: Errno?
    let text = [UInt8](repeating: 7, count: 1 << 20)
    let injector = FaultInjector.record {
      failure = reason { () throws(Errno) in
        try text.span.withUnsafeBytes { bytes throws(Errno) in try Syscall.writeAll(pipe.input, bytes) }
      }
    }
    #expect(failure == .wouldBlock)
    #expect(injector.calls.last?.result == -Int64(Errno.wouldBlock.number))
    let written = injector.calls.dropLast().reduce(0) { $0 + $1.result }
    #expect(pipe.read().utf8.count == min(Int(written), 128 * 1024))
  }

  @Test("a folder's entries are reported without those of its own")
  func folders() throws {
    let folder = TemporaryFolder()
    let names = (0..<40).map { "\($0 < 10 ? "0" : "")\($0)-name" } + [".hidden", "..twice"]
    for name in names { put([], at: folder.file(name)) }
    let handle = try Syscall.open(Path(folder.path), [.read, .directory])
    defer { handle.close() }
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)
    defer { scratch.deallocate() }
    var seen: [String] = []
    try Syscall.entries(of: handle, scratch: scratch) { seen.append(String(cString: $0)) }
    #expect(seen.sorted() == names.sorted())
  }

  @Test("a folder that takes no file any more is told from one that does, and nothing stays there")
  func folderThatRefuses() throws {
    let folder = TemporaryFolder()
    let path = try Path(folder.path)
    #expect(!Syscall.refusesFiles(in: path))
    #expect(!Syscall.refusesFiles(in: try Path("/proc")))
    var refuses = false
    let injector = FaultInjector.fail(0, .readOnlyFileSystem) { refuses = Syscall.refusesFiles(in: path) }
    #expect(refuses && injector.leaked.isEmpty)
    #expect(FaultInjector.record { _ = Syscall.refusesFiles(in: path) }.leaked.isEmpty)
    let handle = try Syscall.open(path, [.read, .directory])
    defer { handle.close() }
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)
    defer { scratch.deallocate() }
    try Syscall.entries(of: handle, scratch: scratch) { Issue.record("\(String(cString: $0)) stays") }
  }

  @Test("a lock is held once, and free again when its holder closes")
  func lock() throws {
    let folder = TemporaryFolder()
    let path = try Path(folder.file("lock"))
    let first = try Syscall.open(path, [.write, .create])
    let second = try Syscall.open(path, [.write, .create])
    defer { second.close() }
    try Syscall.lock(first)
    #expect(throws: Errno.wouldBlock) { try Syscall.lock(second) }
    first.close()
    try Syscall.lock(second)
  }

  @Test("waiting tells which of two descriptors is ready")
  func waiting() throws {
    let pipe = Pipe()
    let event = try Syscall.eventDescriptor()
    defer { event.close() }
    #expect(try Syscall.waitReadable(pipe.output, or: event, milliseconds: 0) == (false, false))
    Syscall.signal(event)
    #expect(try Syscall.waitReadable(pipe.output, or: event, milliseconds: -1) == (false, true))
    pipe.write("x")
    #expect(try Syscall.waitReadable(pipe.output, or: nil, milliseconds: -1) == (true, false))
    Syscall.clear(event)
    #expect(try Syscall.waitReadable(pipe.output, or: event, milliseconds: -1) == (true, false))
  }

  @Test("the real clock goes on, and randomness differs")
  func clockAndRandom() {
    let clock = SystemClock()
    let before = clock.monotonic
    #expect(clock.monotonic >= before)
    #expect(clock.wall > 1_700_000_000_000)
    let random = SystemRandom()
    var first = [UInt8](repeating: 0, count: 1000)
    var second = first
    first.withUnsafeMutableBytes { random.fill($0) }
    second.withUnsafeMutableBytes { random.fill($0) }
    #expect(first != second)
    #expect((0..<1000).allSatisfy { _ in randomNumber(below: 3, random) < 3 })
    #expect(Set((0..<1000).map { _ in randomNumber(below: 3, random) }).count == 3)
    #expect(randomNumber(below: 1, random) == 0)
  }
}

/// A thread that reads from an empty pipe, and what it is doing in the kernel.
private final class InterruptedReader: @unchecked Sendable {
  let pipe = Pipe(nonBlocking: false)
  private(set) var thread = pthread_self()
  private(set) var calls: [FaultInjector.Call] = []
  /// The thread's own folder below /proc.
  private var task = ""
  private let started = Pipe(nonBlocking: false)
  private var switches = 0

  func start() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        Unmanaged<InterruptedReader>.fromOpaque(context!).takeUnretainedValue().read()
        return nil
      }, context)
    _ = started.read()
  }

  func join() { pthread_join(thread, nil) }

  private func read() {
    // The threads on which tests run, from which this one inherits, block all signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGURG)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    task = String(unsafeUninitializedCapacity: 100) { room in
      room.withMemoryRebound(to: CChar.self) { readlink("/proc/thread-self", $0.baseAddress!, $0.count) }
    }
    calls =
      FaultInjector.record {
        started.write("x")
        var byte: UInt8 = 0
        #expect(
          reason { () throws(Errno) in
            _ = try withUnsafeMutableBytes(of: &byte) { bytes throws(Errno) in
              try Syscall.read(pipe.output, into: bytes)
            }
          } == nil)
      }.calls
  }

  /// Waits until the kernel says that the thread sleeps and stays asleep.
  func waitUntilAsleep() {
    var last = -1
    while true {
      let now = field("voluntary_ctxt_switches")
      if status("State").hasPrefix("S"), now == last { break }
      last = now
      usleep(2000)
    }
    switches = last
  }

  /// Waits until a sleeper that was woken by the signal has gone to sleep once more, or has ended.
  func waitUntilInterrupted() {
    while !status("State").isEmpty, field("voluntary_ctxt_switches") <= switches { usleep(1000) }
  }

  private func field(_ name: String) -> Int { Int(status(name)) ?? 0 }

  private func status(_ name: String) -> String {
    let text = String(decoding: contents(of: "/proc/\(task)/status") ?? [], as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
    return String(line.drop { $0 != "\t" }.drop { $0 == "\t" })
  }

  @Test("code and constants that were let go come back when they are needed")
  func trim() {
    for name in ["one that stands in the file", "another one"] {
      Process.trim()
      #expect(Process.id > 0 && name.hasSuffix("one") == (name.count == 11))
    }
  }

  @Test("outside of a firmware the build has no commit")
  func buildName() { #expect(Syscall.buildName == "debug") }
}
