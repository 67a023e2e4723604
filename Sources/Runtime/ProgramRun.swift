import CLinux

/// How a program ended that was run to its end.
public enum ProgramOutcome: Equatable, Sendable {
  /// All is well: the bytes that it said.
  case said(Int)
  /// Its exit code, or 128 and the number of the signal that ended it.
  case failed(Int32)
  /// It said more than there is room for, and was killed.
  case tooMuch
  /// It took too long, and was killed.
  case late
}

extension Process {
  private static let killSignal: Int32 = 9
  /// Milliseconds between looks whether a program that says no more is over.
  private static let lookMilliseconds: Int32 = 5

  /// Runs a program and waits for its end: for processes that have nothing else to do. It stays in this one's process group, and its complaints go
  /// where this one's go.
  /// - Parameters:
  ///   - arguments: its own name first
  ///   - input: what it reads, at most as much as a pipe holds (4096 bytes)
  ///   - output: takes what it says
  ///   - milliseconds: after which it is killed
  public static func run(
    _ path: Path, _ arguments: [String], input: UnsafeRawBufferPointer, output: UnsafeMutableRawBufferPointer, milliseconds: Int64
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
    // One that reads nothing tells by what it says.
    do throws(Errno) { try Syscall.writeAll(writer, input) } catch {}
    writer.close()
    let deadline = SystemClock().monotonic + milliseconds
    return end(pid, listen(reader, output, until: deadline), until: deadline)
  }

  /// What it says until it says no more.
  private static func listen(
    _ reader: Descriptor, _ output: UnsafeMutableRawBufferPointer, until deadline: Int64
  ) -> ProgramOutcome {
    var count = 0
    // One byte too many is known by reading it.
    let more = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { more.deallocate() }
    while true {
      do throws(Errno) {
        let patience = deadline - SystemClock().monotonic
        guard patience > 0, try Syscall.waitReadable(reader, or: nil, milliseconds: Int32(clamping: patience)).ready else { return .late }
        let room = UnsafeMutableRawBufferPointer(rebasing: output[count...])
        let read = try Syscall.read(reader, into: room.count > 0 ? room : more)
        if read == 0 { return .said(count) }
        if room.count == 0 { return .tooMuch }
        count += read
      } catch {
        return .failed(error.number)
      }
    }
  }

  /// Waits for the end of a program, or kills it.
  private static func end(_ pid: Int32, _ outcome: ProgramOutcome, until deadline: Int64) -> ProgramOutcome {
    var result = outcome
    if case .said = outcome {
      while SystemClock().monotonic < deadline {
        if let code = ended(pid) { return code == 0 ? outcome : .failed(code) }
        Syscall.pause(milliseconds: lookMilliseconds)
      }
      result = .late
    }
    _ = tl_kill(pid, killSignal)
    _ = tl_wait(pid, 1)
    return result
  }

  /// Everything else on this machine comes first from now on (`setpriority(2)`), and for the programs that this one runs. A system that forbids
  /// that is no reason to stop.
  public static func yieldPriority() { _ = tl_yield() }

  /// Where memory is short the kernel takes this process, and not the agent (proc(5), `oom_score_adj`).
  public static func sacrifice() {
    do throws(Errno) {
      let file = try Syscall.open(Path("/proc/self/oom_score_adj"), .write)
      defer { file.close() }
      let most: StaticString = "1000"
      try Syscall.writeAll(file, UnsafeRawBufferPointer(most.bytes))
    } catch {
      // A kernel that does not let us is no reason not to work.
    }
  }

  /// The file of a program: on PATH, or in the usual folders where that is not set; nil: there is none.
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
