import CLinux

/// This process: its command line, its environment and its end.
public enum Process {
  /// The command line without the program's name. Text that is not UTF-8 is repaired.
  public static var arguments: [String] {
    var words: [String] = []
    for index in 1..<max(tl_argument_count(), 1) { words.append(String(cString: tl_argument(index))) }
    return words
  }

  /// The name by which this program was called: the first word of its command line, which may be a path.
  public static var name: String { tl_argument_count() > 0 ? String(cString: tl_argument(0)) : "" }

  /// An environment variable.
  public static func environment(_ name: StaticString) -> String? {
    guard let value = tl_environment(name.path) else { return nil }
    return String(cString: value)
  }

  /// Removes an environment variable, so that no child has it.
  public static func forgetEnvironment(_ name: StaticString) { tl_forget_environment(name.path) }

  /// This process's id.
  public static var id: Int32 { tl_pid() }

  /// The user that this process acts as (`geteuid(2)`).
  public static var user: UInt32 { tl_uid() }

  /// Asks a process to read its configuration again (SIGHUP).
  public static func hangUp(_ id: Int32) throws(Errno) { try check(tl_hang_up(id)) }

  /// Replaces this process by a new run of the same program and command line (`execve(2)`); returns only when that
  /// fails.
  /// - Parameters:
  ///   - name: an environment variable that the new run gets.
  ///   - value: its value; nil adds none.
  public static func startOver(_ name: StaticString, _ value: String?) -> Errno {
    let result =
      if let value { value.withCString { tl_start_over(name.path, $0) } } else { tl_start_over(name.path, nil) }
    return Errno(Int32(truncatingIfNeeded: -result))
  }

  /// Gives back the memory that an idle program does not need: free pages of the heap, dead ones of the stack, and the
  /// code and constants of its file, most of which are needed only for starting and connecting. The kernel reads those
  /// again when they are needed. For the main thread.
  public static func trim() { tl_trim() }

  /// Bytes of memory that this process has (`VmRSS` of `/proc/self/status`, proc(5)); nil where the kernel does not
  /// report it.
  public static var residentBytes: UInt64? { bytes("VmRSS:", of: "/proc/self/status") }

  /// Seconds of processor time that this process has used (`CLOCK_PROCESS_CPUTIME_ID`).
  public static var processorSeconds: Double { Double(tl_process_ns()) / 1e9 }

  /// Bytes that this process has had written to disks, as the kernel counts them (`ru_oublock`, getrusage(2)).
  public static var writtenBytes: UInt64 { UInt64(max(tl_written_bytes(), 0)) }

  /// Bytes of memory that this machine has (`MemTotal` of `/proc/meminfo`, proc(5)); nil where the kernel does not
  /// report it.
  public static var boardBytes: UInt64? { bytes("MemTotal:", of: "/proc/meminfo") }

  /// The number after `label`, which the kernel gives in KiB, in bytes.
  private static func bytes(_ label: StaticString, of file: String) -> UInt64? {
    var text: [UInt8] = []
    do throws(Errno) { text = try TextFile.read(file, limit: 8192) } catch { return nil }
    guard let start = find(label, in: text) else { return nil }
    var kibibytes: UInt64 = 0
    for byte in text[start...] {
      if byte == UInt8(ascii: "\n") { break }
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { kibibytes = kibibytes * 10 + UInt64(byte & 0x0F) }
    }
    return kibibytes * 1024
  }

  /// The index after the first `label` of a text.
  private static func find(_ label: StaticString, in text: [UInt8]) -> Int? {
    let label = label.bytes
    guard text.count >= label.count else { return nil }
    for start in 0...(text.count - label.count) where text[start..<(start + label.count)].elementsEqual(label) {
      return start + label.count
    }
    return nil
  }

  /// Ends the process where no error can be returned to a caller, with the reason on standard error.
  /// - Parameter code: as in `sysexits.h`; 71 (EX_OSERR) when the kernel refused something essential.
  static func fail(_ reason: StaticString, code: Int32) -> Never {
    say("talon: ")
    say(reason)
    say("\n")
    exit(code)
  }

  /// Ends the process where it cannot go on without memory; see `tl_end_without_memory`. A trap would give no reason,
  /// and look like a defect.
  public static func endWithoutMemory() -> Never { tl_end_without_memory() }

  private static func say(_ text: StaticString) {
    // When standard error fails there is nowhere else to report to.
    do throws(Errno) { try Syscall.writeAll(Descriptor(2), UnsafeRawBufferPointer(text.bytes)) } catch {}
  }

  /// Ends the process.
  public static func exit(_ code: Int32) -> Never { tl_exit(code) }
}
