import CLinux

/// What a confined process runs: this program again, with an internal command.
public struct ConfinedProgram: Sendable {
  public var path: String
  /// Its own name first.
  public var arguments: [String]

  /// This program with the internal command `name`; a test passes another file.
  public init(_ name: String, path: String = "/proc/self/exe") {
    self.path = path
    arguments = ["talon", name]
  }
}

/// A process that inherits only the descriptors that it is given: no other descriptor, no environment, no memory. For
/// use on workers, because waiting for it blocks. It is killed when this object goes away.
public final class ConfinedProcess {
  /// SIGKILL (signal(7)).
  private static let killSignal: Int32 = 9
  private var pid: Int32
  /// The socket to it: messages of one byte, and end of file when it has ended.
  private let line: Descriptor
  private let buffer = FixedBuffer(capacity: 1)

  /// Starts a program, which gets `files` as its descriptors 0, 1 and so on (two at most), and the socket to this
  /// process as the next one.
  @export(interface)
  public init(_ program: ConfinedProgram, files: Descriptor...) throws(Errno) {
    var (ours, theirs): (Int32, Int32) = (-1, -1)
    try check(tl_socket_pair(&ours, &theirs))
    line = Descriptor(ours)
    defer { Descriptor(theirs).close() }
    do throws(Errno) {
      pid = try Self.spawn(Path(program.path), program.arguments, files.map { $0.number } + [theirs])
    } catch {
      line.close()
      throw error
    }
  }

  deinit { _ = reap() }

  /// Waits for a message, which is one byte. Nil: it has ended or was killed; see `end`.
  /// - Parameter deadline: on the monotonic clock, in milliseconds.
  public func listen(until deadline: Int64, or cancellation: Cancellation?) -> UInt8? {
    do throws(Errno) {
      while cancellation?.isRequested != true {
        let remaining = deadline - SystemClock().monotonic
        guard remaining > 0 else { return fail(.timedOut) }
        // The cancellation is only a flag, so it is polled.
        let step = cancellation == nil ? remaining : min(remaining, Budget.confinedPollMilliseconds)
        guard try Syscall.waitReadable(line, or: nil, milliseconds: Int32(clamping: step)).ready else { continue }
        if try Syscall.read(line, into: UnsafeMutableRawBufferPointer(buffer.bytes)) == 1 { return buffer.bytes[0] }
        return fail(nil)
      }
      return fail(.cancelled)
    } catch {
      // A socket that cannot be read is of no use.
      return fail(nil)
    }
  }

  /// Sends one byte. It is lost if the process has ended.
  public func send(_ byte: UInt8) {
    buffer.bytes[0] = byte
    do throws(Errno) { _ = try Syscall.send(line, UnsafeBufferPointer(buffer.bytes)) } catch {}
  }

  /// How it has ended; nil while it runs.
  public private(set) var end: ConfinedEnd?

  public func kill() { _ = fail(.cancelled) }

  /// Kills it, also when it has closed its socket without ending.
  private func fail(_ reason: ConfinedEnd?) -> UInt8? {
    guard end == nil else { return nil }
    let found = reap()
    end = reason ?? found
    return nil
  }

  /// Kills it and waits for its end.
  private func reap() -> ConfinedEnd? {
    guard pid > 0 else { return end }
    // If it has ended already, the signal has no effect and its own exit status is reported.
    _ = tl_kill(pid, Self.killSignal)
    let code = Int32(truncatingIfNeeded: tl_wait(pid, 1))
    pid = 0
    line.close()
    return code > 128 ? .signal(code - 128) : .exit(code)
  }

  private static func spawn(_ path: Path, _ arguments: [String], _ descriptors: [Int32]) throws(Errno) -> Int32 {
    let result = withArguments(arguments) { list in
      descriptors.withUnsafeBufferPointer { tl_spawn_bare(path.cString, list, $0.baseAddress!, Int32($0.count)) }
    }
    withExtendedLifetime(path) {}
    return Int32(try check(result))
  }
}
