import CLinux

/// Runs a program with little of what this process has: see `tl_spawn_program`. For workers, because it blocks.
public enum LimitedProgram {
  /// Whose rights a program gets.
  public struct User: Sendable {
    fileprivate var raw: tl_user

    /// A user of this board by name; throws `.noSuchFile` for one that it does not have.
    public init(named name: String) throws(Errno) {
      raw = tl_user()
      let path = try Path(name)
      defer { withExtendedLifetime(path) {} }
      try check(tl_find_user(path.cString, &raw))
    }

    /// True for the user that may do everything.
    public var isRoot: Bool { raw.user == 0 }

    /// Its number, and that of its group.
    public var number: UInt32 { raw.user }
    var group: UInt32 { raw.group }
  }

  /// What a program may take beside its time, where it begins, and whether it may use sockets.
  public struct Limits: Sendable {
    /// Bytes of address space of each process, files that it may have open, and processes of its user. Nil: what this
    /// process may have.
    public var addressBytes: Int? = Budget.programAddressBytes
    public var openFiles = Budget.programOpenFiles
    public var processes = Budget.programProcesses
    /// An absolute path.
    public var folder: StaticString = "/"
    /// It can open no socket: neither to the network, nor to another program on this board.
    public var isOffline = false

    /// Those of the owner's tools.
    public init() {}
  }

  /// How it ended.
  public enum End: Equatable, Sendable {
    case exited(Int32)
    case signal(Int32)
    /// It was killed.
    case timedOut, cancelled
  }

  /// Milliseconds between checks whether the program has ended or is not wanted any more.
  private static let lookMilliseconds: Int32 = 20
  private static let killSignal: Int32 = 9

  private typealias Pipe = (reader: Descriptor, writer: Descriptor)

  /// Collects what comes out of a pipe, and reads and drops the rest.
  private struct Collector {
    let pipe: Descriptor
    let room: UnsafeMutableBufferPointer<UInt8>
    var count = 0
    var isCut = false
    var isOpen = true
    /// Gets everything instead of the room.
    var relay: (any ProgramRelay)?
    var isError = false

    /// Reads a piece of what is there: one that writes without end must not keep others from being read.
    mutating func read() {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { piece in
        do throws(Errno) {
          let read = try Syscall.read(pipe, into: UnsafeMutableRawBufferPointer(piece))
          if read == 0 { isOpen = false }
          if let relay {
            if read > 0 { relay.programWrote(UnsafeBufferPointer(rebasing: piece[..<read]), isError: isError) }
            return
          }
          let kept = min(read, room.count - count)
          for index in 0..<kept { room[count + index] = piece[index] }
          count += kept
          if kept < read { isCut = true }
        } catch {
          if error != .wouldBlock { isOpen = false }
        }
      }
    }
  }

  /// What `run` gives back.
  public struct Result {
    public var end: End
    public var outputBytes: Int
    public var errorBytes: Int
    public var isOutputCut: Bool
    public var isErrorCut: Bool
  }

  /// Runs it until its end; then whatever it has left running is killed. Throws when it does not begin.
  public static func run(
    _ path: Path, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>, user: User?, milliseconds: Int64,
    output: UnsafeMutableBufferPointer<UInt8>, errors: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) throws(Errno) -> Result {
    let out = try Process.pipe()
    let failures = try pipe(beside: out)
    defer {
      out.reader.close()
      failures.reader.close()
    }
    let pid = try spawn(path, arguments, out, failures, user, Limits(), milliseconds)
    var collectors = (Collector(pipe: out.reader, room: output), Collector(pipe: failures.reader, room: errors))
    let end = wait(pid, &collectors.0, &collectors.1, SystemClock().monotonic + milliseconds) {
      cancellation.isRequested
    }
    return Result(
      end: end, outputBytes: collectors.0.count, errorBytes: collectors.1.count, isOutputCut: collectors.0.isCut,
      isErrorCut: collectors.1.isCut)
  }

  /// Runs it as the user of this process, within `limits`, and gives what it writes to `relay` as it comes. Its first
  /// word is the program's own name.
  public static func relay(
    _ path: Path, _ arguments: [String], limits: Limits, milliseconds: Int64, to relay: any ProgramRelay
  ) throws(Errno) -> End {
    let out = try Process.pipe()
    let failures = try pipe(beside: out)
    defer {
      out.reader.close()
      failures.reader.close()
    }
    var failure = Errno.invalidArgument
    let pid = withArguments(arguments) { list -> Int32? in
      do throws(Errno) { return try spawn(path, list, out, failures, nil, limits, milliseconds) } catch {
        failure = error
        return nil
      }
    }
    guard let pid else { throw failure }
    let room = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    var output = Collector(pipe: out.reader, room: room, relay: relay)
    var errors = Collector(pipe: failures.reader, room: room, relay: relay, isError: true)
    return wait(pid, &output, &errors, SystemClock().monotonic + milliseconds) { relay.isUnwanted }
  }

  /// A program that runs until it ends by itself, or is ended: its process, and our ends of its three pipes, which are
  /// non-blocking. Whoever began it closes them.
  public struct Running: Sendable {
    fileprivate let id: Int32
    public let input: Descriptor
    public let output: Descriptor
    public let errors: Descriptor
  }

  /// Begins a program that has no time limit, as the user of this process, within `limits`. Its first word is the
  /// program's own name. It is killed when the thread that calls this ends.
  public static func begin(_ path: Path, _ arguments: [String], limits: Limits) throws(Errno) -> Running {
    let input = try Process.pipe()
    let (output, errors) = try twoPipes(beside: input)
    var failure = Errno.invalidArgument
    let id = withArguments(arguments) { list -> Int32? in
      do throws(Errno) {
        try check(tl_non_blocking(input.writer.number))
      } catch {
        failure = error
        return nil
      }
      do throws(Errno) { return try spawn(path, list, output, errors, nil, limits, nil, input: input.reader) } catch {
        failure = error
        return nil
      }
    }
    input.reader.close()
    output.writer.close()
    errors.writer.close()
    guard let id else {
      input.writer.close()
      output.reader.close()
      errors.reader.close()
      throw failure
    }
    return Running(id: id, input: input.writer, output: output.reader, errors: errors.reader)
  }

  /// True when it has ended by itself, and only waits to be reaped by `end`.
  public static func hasEnded(_ program: Running) -> Bool { tl_has_ended(program.id) != 0 }

  /// Kills what is left of it, and tells how it ended.
  public static func end(_ program: Running) -> End {
    let ended = tl_has_ended(program.id)
    // Its process group has its number until it is reaped, so nobody else is meant.
    _ = tl_kill(-program.id, killSignal)
    let code = Int32(truncatingIfNeeded: tl_wait(program.id, 1))
    return ended == 0 ? .cancelled : ended == 2 ? .signal(code - 128) : .exited(code)
  }

  /// Two more pipes; when there are none, those before are closed.
  private static func twoPipes(beside first: Pipe) throws(Errno) -> (output: Pipe, errors: Pipe) {
    let output = try pipe(beside: first)
    do throws(Errno) { return (output, try pipe(beside: output)) } catch {
      first.reader.close()
      first.writer.close()
      throw error
    }
  }

  private static func pipe(
    beside other: (reader: Descriptor, writer: Descriptor)
  ) throws(Errno) -> (reader: Descriptor, writer: Descriptor) {
    do throws(Errno) { return try Process.pipe() } catch {
      other.reader.close()
      other.writer.close()
      throw error
    }
  }

  /// The same as the user of this process, with a command line that is made for it; its first word is the program's
  /// own name.
  public static func run(
    _ path: Path, _ arguments: [String], milliseconds: Int64, output: UnsafeMutableBufferPointer<UInt8>,
    errors: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) throws(Errno) -> Result {
    var failure = Errno.invalidArgument
    let result = withArguments(arguments) { list -> Result? in
      do throws(Errno) {
        return try run(
          path, list, user: nil, milliseconds: milliseconds, output: output, errors: errors,
          cancellation: cancellation)
      } catch {
        failure = error
        return nil
      }
    }
    guard let result else { throw failure }
    return result
  }

  /// Starts it with nothing to read, and closes what only it writes to.
  private static func spawn(
    _ path: Path, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
    _ output: (reader: Descriptor, writer: Descriptor), _ errors: (reader: Descriptor, writer: Descriptor),
    _ user: User?, _ allowed: Limits, _ milliseconds: Int64
  ) throws(Errno) -> Int32 {
    defer {
      output.writer.close()
      errors.writer.close()
    }
    let input = try Syscall.open(("/dev/null" as StaticString).path, .read)
    defer { input.close() }
    return try spawn(path, arguments, output, errors, user, allowed, milliseconds, input: input)
  }

  /// Starts it. `milliseconds` limits the processor time as well; nil: nothing does.
  private static func spawn(
    _ path: Path, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
    _ output: (reader: Descriptor, writer: Descriptor), _ errors: (reader: Descriptor, writer: Descriptor),
    _ user: User?, _ allowed: Limits, _ milliseconds: Int64?, input: Descriptor
  ) throws(Errno) -> Int32 {
    try check(tl_non_blocking(output.reader.number))
    try check(tl_non_blocking(errors.reader.number))
    var limits = tl_program_limits(
      address_bytes: allowed.addressBytes.map { Int64($0) } ?? -1,
      cpu_seconds: milliseconds.map { ($0 + 999) / 1000 + 1 } ?? -1,
      file_bytes: Int64(Budget.programFileBytes), open_files: Int64(allowed.openFiles),
      processes: Int64(allowed.processes), folder: allowed.folder.path, is_offline: allowed.isOffline ? 1 : 0)
    defer { withExtendedLifetime(path) {} }
    let files = (input.number, output.writer.number, errors.writer.number)
    guard var raw = user?.raw else {
      return Int32(try check(tl_spawn_program(path.cString, arguments, files.0, files.1, files.2, nil, &limits)))
    }
    return Int32(try check(tl_spawn_program(path.cString, arguments, files.0, files.1, files.2, &raw, &limits)))
  }

  private static func wait(
    _ pid: Int32, _ output: inout Collector, _ errors: inout Collector, _ deadline: Int64,
    isUnwanted: () -> Bool
  ) -> End {
    var end: End?
    var ended: Int64 = 0
    while end == nil {
      ended = tl_has_ended(pid)
      if ended != 0 { break }
      if isUnwanted() { end = .cancelled }
      if SystemClock().monotonic >= deadline { end = .timedOut }
      let bits = tl_poll(
        output.isOpen ? output.pipe.number : -1, UInt32(TL_IN), errors.isOpen ? errors.pipe.number : -1,
        lookMilliseconds)
      if bits > 0 {
        output.read()
        errors.read()
      }
    }
    // Its process group has its number until it is reaped, so nobody else is meant.
    _ = tl_kill(-pid, killSignal)
    let code = Int32(truncatingIfNeeded: tl_wait(pid, 1))
    // As much as a pipe holds (pipe(7)); nobody writes any more.
    for _ in 0..<64 where output.isOpen { output.read() }
    for _ in 0..<64 where errors.isOpen { errors.read() }
    return end ?? (ended == 2 ? .signal(code - 128) : .exited(code))
  }
}

/// Gets what a program writes, as it comes.
public protocol ProgramRelay: AnyObject {
  /// It wrote these bytes, at most a kilobyte, which are valid during the call.
  func programWrote(_ bytes: UnsafeBufferPointer<UInt8>, isError: Bool)
  /// True when nobody waits for the program any more, and it is to be killed.
  var isUnwanted: Bool { get }
}
