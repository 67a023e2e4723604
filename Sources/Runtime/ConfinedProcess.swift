import CLinux

/// What a confined process is: this program again, under one of the names that `talon` keeps to itself.
public struct ConfinedProgram: Sendable {
  public var path: String
  /// Its own name first.
  public var arguments: [String]

  /// The program that runs, under a name of its own; a test names another file.
  public init(_ name: String, path: String = "/proc/self/exe") {
    self.path = path
    arguments = ["talon", name]
  }
}

/// A process that inherits the descriptors that it is given and nothing else: no other descriptor, no environment, no memory of this one.
/// For workers: its owner waits for it. It ends when its owner goes.
public final class ConfinedProcess {
  private static let killSignal: Int32 = 9
  private var pid: Int32
  /// Said words, and its end when the other end is closed.
  private let line: Descriptor
  private let buffer = FixedBuffer(capacity: 1)

  /// Starts a program, which gets `files` as its descriptors 0, 1 and so on (two at most), and a line to its owner behind them.
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

  /// Waits until it says something, which is one byte, or has ended. Nil: it has ended, or was; see `end`.
  /// - Parameter deadline: on the monotonic clock, in milliseconds.
  public func listen(until deadline: Int64, or cancellation: Cancellation?) -> UInt8? {
    do throws(Errno) {
      while cancellation?.isRequested != true {
        let patience = deadline - SystemClock().monotonic
        guard patience > 0 else { return fail(.late) }
        // A request to stop is a flag that somebody must look at.
        let step = cancellation == nil ? patience : min(patience, Budget.confinedLookMilliseconds)
        guard try Syscall.waitReadable(line, or: nil, milliseconds: Int32(clamping: step)).ready else { continue }
        if try Syscall.read(line, into: UnsafeMutableRawBufferPointer(buffer.bytes)) == 1 { return buffer.bytes[0] }
        return fail(nil)
      }
      return fail(.cancelled)
    } catch {
      // A line that cannot be read is of no use.
      return fail(nil)
    }
  }

  /// Says one byte. What is said to one that has ended is lost.
  public func tell(_ byte: UInt8) {
    buffer.bytes[0] = byte
    do throws(Errno) { _ = try Syscall.send(line, UnsafeBufferPointer(buffer.bytes)) } catch {}
  }

  /// How it has ended; nil while it runs.
  public private(set) var end: ConfinedEnd?

  public func kill() { _ = fail(.cancelled) }

  /// One that has closed its line, and does not end, is ended.
  private func fail(_ reason: ConfinedEnd?) -> UInt8? {
    guard end == nil else { return nil }
    let found = reap()
    end = reason ?? found
    return nil
  }

  /// Ends it for certain and waits for that.
  private func reap() -> ConfinedEnd? {
    guard pid > 0 else { return end }
    // Its end is known already where it closed the line by ending: then this signal changes nothing.
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
