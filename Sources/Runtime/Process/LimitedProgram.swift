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

  /// Collects what comes out of a pipe, and reads and drops the rest.
  private struct Collector {
    let pipe: Descriptor
    let room: UnsafeMutableBufferPointer<UInt8>
    var count = 0
    var isCut = false
    var isOpen = true

    /// Reads a piece of what is there: one that writes without end must not keep others from being read.
    mutating func read() {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { piece in
        do throws(Errno) {
          let read = try Syscall.read(pipe, into: UnsafeMutableRawBufferPointer(piece))
          if read == 0 { isOpen = false }
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
    let failures: (reader: Descriptor, writer: Descriptor)
    do throws(Errno) { failures = try Process.pipe() } catch {
      out.reader.close()
      out.writer.close()
      throw error
    }
    defer {
      out.reader.close()
      failures.reader.close()
    }
    let pid = try spawn(path, arguments, out, failures, user, milliseconds)
    var collectors = (Collector(pipe: out.reader, room: output), Collector(pipe: failures.reader, room: errors))
    let end = wait(pid, &collectors.0, &collectors.1, SystemClock().monotonic + milliseconds, cancellation)
    return Result(
      end: end, outputBytes: collectors.0.count, errorBytes: collectors.1.count, isOutputCut: collectors.0.isCut,
      isErrorCut: collectors.1.isCut)
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

  /// Starts it, and closes what only it writes to.
  private static func spawn(
    _ path: Path, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
    _ output: (reader: Descriptor, writer: Descriptor), _ errors: (reader: Descriptor, writer: Descriptor),
    _ user: User?, _ milliseconds: Int64
  ) throws(Errno) -> Int32 {
    defer {
      output.writer.close()
      errors.writer.close()
    }
    try check(tl_non_blocking(output.reader.number))
    try check(tl_non_blocking(errors.reader.number))
    let input = try Syscall.open(("/dev/null" as StaticString).path, .read)
    defer { input.close() }
    var limits = tl_program_limits(
      address_bytes: Int64(Budget.programAddressBytes), cpu_seconds: (milliseconds + 999) / 1000 + 1,
      file_bytes: Int64(Budget.programFileBytes), open_files: Int64(Budget.programOpenFiles),
      processes: Int64(Budget.programProcesses))
    defer { withExtendedLifetime(path) {} }
    let files = (input.number, output.writer.number, errors.writer.number)
    guard var raw = user?.raw else {
      return Int32(try check(tl_spawn_program(path.cString, arguments, files.0, files.1, files.2, nil, &limits)))
    }
    return Int32(try check(tl_spawn_program(path.cString, arguments, files.0, files.1, files.2, &raw, &limits)))
  }

  private static func wait(
    _ pid: Int32, _ output: inout Collector, _ errors: inout Collector, _ deadline: Int64, _ cancellation: Cancellation
  ) -> End {
    var end: End?
    var ended: Int64 = 0
    while end == nil {
      ended = tl_has_ended(pid)
      if ended != 0 { break }
      if cancellation.isRequested { end = .cancelled }
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
