import CLinux

/// The outcome of `Process.run`.
public enum ProgramOutcome: Equatable, Sendable {
  /// It exited with 0: the bytes of its output.
  case exited(outputBytes: Int)
  /// Its exit code, or 128 and the number of the signal that ended it.
  case failed(Int32)
  /// Its output did not fit, and it was killed.
  case outputTooLong
  /// It took too long, and was killed.
  case timedOut
}

extension Process {
  /// SIGKILL (signal(7)).
  private static let killSignal: Int32 = 9
  /// Milliseconds between checks whether a program that has closed its output has ended.
  private static let lookMilliseconds: Int32 = 5

  /// Runs a program and blocks until its end, for processes that have nothing else to do. It stays in this process
  /// group and shares standard error.
  /// - Parameters:
  ///   - arguments: with the program's name first
  ///   - input: for its standard input, at most as much as a pipe holds (4096 bytes)
  ///   - output: gets its standard output
  ///   - milliseconds: timeout, after which it is killed
  public static func run(
    _ path: Path, _ arguments: [String], input: UnsafeRawBufferPointer, output: UnsafeMutableRawBufferPointer,
    milliseconds: Int64
  ) throws(Errno) -> ProgramOutcome {
    let (childInput, writer) = try pipe()
    let (reader, childOutput): (Descriptor, Descriptor)
    do throws(Errno) {
      (reader, childOutput) = try pipe()
    } catch {
      childInput.close()
      writer.close()
      throw error
    }
    defer { reader.close() }
    let pid: Int32
    do throws(Errno) {
      defer {
        childInput.close()
        childOutput.close()
      }
      pid = try spawn(path, arguments, input: childInput, output: childOutput, errors: nil, ownGroup: false)
    } catch {
      writer.close()
      throw error
    }
    // EPIPE: a program that does not read its input reports its failure by itself.
    do throws(Errno) { try Syscall.writeAll(writer, input) } catch {}
    writer.close()
    let deadline = SystemClock().monotonic + milliseconds
    return end(pid, listen(reader, output, until: deadline), until: deadline)
  }

  /// Reads its output to the end.
  private static func listen(
    _ reader: Descriptor, _ output: UnsafeMutableRawBufferPointer, until deadline: Int64
  ) -> ProgramOutcome {
    var count = 0
    // An output that is too long shows only when one more byte is read.
    let more = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { more.deallocate() }
    while true {
      do throws(Errno) {
        let remaining = deadline - SystemClock().monotonic
        guard remaining > 0, try Syscall.waitReadable(reader, or: nil, milliseconds: Int32(clamping: remaining)).ready
        else { return .timedOut }
        let room = UnsafeMutableRawBufferPointer(rebasing: output[count...])
        let read = try Syscall.read(reader, into: room.count > 0 ? room : more)
        if read == 0 { return .exited(outputBytes: count) }
        if room.count == 0 { return .outputTooLong }
        count += read
      } catch {
        return .failed(error.number)
      }
    }
  }

  /// Waits for the end of a program, or kills it.
  private static func end(_ pid: Int32, _ outcome: ProgramOutcome, until deadline: Int64) -> ProgramOutcome {
    var result = outcome
    if case .exited = outcome {
      while SystemClock().monotonic < deadline {
        if let code = ended(pid) { return code == 0 ? outcome : .failed(code) }
        Syscall.pause(milliseconds: lookMilliseconds)
      }
      result = .timedOut
    }
    _ = tl_kill(pid, killSignal)
    _ = tl_wait(pid, 1)
    return result
  }

  /// Gives this process and its children the lowest priority (`setpriority(2)`). A failure is ignored.
  public static func lowerPriority() { _ = tl_yield() }

  /// Makes the OOM killer choose this process before the agent (proc(5), `oom_score_adj`).
  public static func preferOutOfMemoryKill() {
    do throws(Errno) {
      let file = try Syscall.open(Path("/proc/self/oom_score_adj"), .write)
      defer { file.close() }
      let most: StaticString = "1000"
      try Syscall.writeAll(file, UnsafeRawBufferPointer(most.bytes))
    } catch {
      // A kernel that refuses this is no reason not to work.
    }
  }

  /// The path of a program, from PATH or, where that is not set, the usual folders; nil when it is not installed.
  public static func find(_ program: String) -> String? {
    let path = environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in path.split(separator: ":") where folder.utf8.first == UInt8(ascii: "/") {
      let candidate = "\(folder)/\(program)"
      do throws(Errno) {
        let status = try Syscall.status(Path(candidate))
        if !status.isFolder, status.mode & 0o111 != 0 { return candidate }
      } catch {
        continue
      }
    }
    return nil
  }
}
