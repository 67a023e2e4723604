import CLinux
import Foundation
import Testing

@testable import Runtime

@Suite("Programs of the owner") struct LimitedProgramTests {
  private struct Run {
    var end: LimitedProgram.End
    var output: String
    var errors: String
    var isOutputCut: Bool
  }

  private func run(
    _ script: String, milliseconds: Int64 = 20_000, room: Int = 4096, user: LimitedProgram.User? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws -> Run {
    let (output, errors) = (FixedBuffer(capacity: room), FixedBuffer(capacity: 1024))
    let result = try withArguments(["sh", "-c", script]) { list in
      Result {
        try LimitedProgram.run(
          try Path("/bin/sh"), list, user: user, milliseconds: milliseconds, output: output.bytes,
          errors: errors.bytes, cancellation: cancellation)
      }
    }.get()
    return Run(
      end: result.end, output: String(decoding: output.bytes[..<result.outputBytes], as: UTF8.self),
      errors: String(decoding: errors.bytes[..<result.errorBytes], as: UTF8.self), isOutputCut: result.isOutputCut)
  }

  @Test("output, errors and exit status are told")
  func ends() throws {
    let run = try run("echo out; echo why >&2; exit 130")
    #expect(run.end == .exited(130) && run.output == "out\n" && run.errors == "why\n")
    #expect(try self.run("kill -9 $$").end == .signal(9))
  }

  @Test("it has no environment, no input, no other descriptor, and its own folder and session")
  func inherits() throws {
    setenv("TALON_SECRET", "x", 1)
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    let run = try run("/usr/bin/env; ls /proc/self/fd | tr '\\n' ' '; pwd; cat; cut -d' ' -f5,6 /proc/self/stat")
    // The shell's own variables, and the descriptor that ls reads the folder through.
    #expect(!run.output.contains("TALON_SECRET") && !run.output.contains("HOME="))
    #expect(run.output.contains("0 1 2 3 /\n"))
    let session = try #require(run.output.split(separator: "\n").last)
    #expect(session != "\(getpgid(0)) \(getsid(0))")
  }

  @Test("at the end of its time all that it has begun is killed")
  func hangs() throws {
    let start = SystemClock().monotonic
    let run = try run("echo begun; sleep 100 & exec sleep 100", milliseconds: 300)
    #expect(run.end == .timedOut && run.output == "begun\n")
    #expect(SystemClock().monotonic - start < 10_000)
  }

  @Test("one that lives long reads what it is sent, without a limit of processor time, and ends or is ended")
  func running() throws {
    var limits = LimitedProgram.Limits()
    limits.addressBytes = nil
    let script = "ulimit -t; ulimit -v; while read line; do echo got $line; done; exit 4"
    let words = ["sh", "-c", script]
    let program = try LimitedProgram.begin(try Path("/bin/sh"), words, limits: limits)
    #expect(!LimitedProgram.hasEnded(program))
    _ = try "a\nb\n".withBytes { try Syscall.write(program.input, UnsafeRawBufferPointer($0)) }
    program.input.close()
    var text: [UInt8] = []
    let room = FixedBuffer(capacity: 256)
    while true {
      do throws(Errno) {
        let count = try Syscall.read(program.output, into: UnsafeMutableRawBufferPointer(room.bytes))
        if count == 0 { break }
        text += room.bytes[..<count]
      } catch {
        #expect(error == .wouldBlock)
        usleep(5_000)
      }
    }
    for _ in 0..<1_000 where !LimitedProgram.hasEnded(program) { usleep(5_000) }
    #expect(LimitedProgram.end(program) == .exited(4))
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.suffix(2) == ["got a", "got b"] && lines.first == "unlimited")
    let other = try LimitedProgram.begin(try Path("/bin/sh"), ["sh", "-c", "sleep 4713 & sleep 4713"], limits: limits)
    #expect(LimitedProgram.end(other) == .cancelled)
    for file in [program.output, program.errors, other.input, other.output, other.errors] { file.close() }
    #expect(throws: Errno.noSuchFile) { try LimitedProgram.begin(Path("/nowhere"), ["x"], limits: limits) }
  }

  @Test("what it leaves running is killed when it ends, and cannot leave its session")
  func leaves() throws {
    let mark = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    let start = SystemClock().monotonic
    let run = try run("setsid true || echo refused; (sleep 100; touch \(mark)) & echo $!")
    #expect(run.end == .exited(0) && run.output.hasPrefix("refused\n"))
    #expect(SystemClock().monotonic - start < 10_000)
    let child = try #require(Int32(run.output.split(separator: "\n").last ?? ""))
    // Killed, which it notices in its own time; perhaps nobody has reaped it yet.
    var state = ""
    for _ in 0..<500 {
      state = (try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)) ?? ") Z "
      if state.contains(") Z ") || state.contains(") X ") { break }
      usleep(10_000)
    }
    #expect(state.contains(") Z ") || state.contains(") X "), "\(state)")
  }

  @Test("one that is not wanted any more is killed")
  func cancelled() throws {
    let cancellation = Cancellation()
    cancellation.request()
    #expect(try run("sleep 100", cancellation: cancellation).end == .cancelled)
  }

  @Test("what has no room is read and left out")
  func floods() throws {
    let run = try run("head -c 300000 /dev/zero | tr '\\0' x; echo end >&2", room: 100)
    #expect(run.end == .exited(0) && run.output == String(repeating: "x", count: 100) && run.isOutputCut)
    #expect(run.errors == "end\n")
    #expect(try self.run("yes", milliseconds: 300, room: 10).end == .timedOut)
  }

  @Test("limits of memory, files and processes hold, and it can gain no privileges")
  func limits() throws {
    let run = try run("ulimit -v; ulimit -n; ulimit -c; grep -c 'NoNewPrivs:.1' /proc/self/status")
    #expect(run.output == "\(Budget.programAddressBytes / 1024)\n\(Budget.programOpenFiles)\n0\n1\n")
    #expect(try self.run("dd if=/dev/zero of=/dev/null bs=300M count=1").end != .exited(0))
  }

  @Test("calls that administrate the system are refused", .enabled(if: Confinement.hasFilter))
  func filter() throws {
    let run = try run("unshare -m true 2>&1; mount -t tmpfs x /tmp 2>&1; grep Seccomp: /proc/self/status")
    #expect(run.output.contains("unshare") && run.output.contains("mount"))
    #expect(run.output.contains("2\n"))
  }

  @Test("root gives it the rights of the user that the owner names", .enabled(if: Process.user == 0))
  func user() throws {
    let nobody = try LimitedProgram.User(named: "nobody")
    #expect(!nobody.isRoot)
    #expect(try run("id -u; id -G", user: nobody).output.hasPrefix("65534\n"))
    #expect(try LimitedProgram.User(named: "root").isRoot)
    #expect(throws: Errno.noSuchFile) { try LimitedProgram.User(named: "no-such-user") }
  }

  @Test("a program that is not there does not begin")
  func absent() throws {
    let buffer = FixedBuffer(capacity: 16)
    for _ in 0..<50 {
      #expect(throws: Errno.noSuchFile) {
        _ = try withArguments(["x"]) { list in
          Result {
            try LimitedProgram.run(
              try Path("/no/such/program"), list, user: nil, milliseconds: 100, output: buffer.bytes,
              errors: buffer.bytes, cancellation: Cancellation())
          }
        }.get()
      }
    }
  }

  /// Keeps what it gets.
  private final class Relay: ProgramRelay {
    var output = ""
    var errors = ""
    var largest = 0
    /// Nobody waits for it after this was written.
    var end = "never"

    func programWrote(_ bytes: UnsafeBufferPointer<UInt8>, isError: Bool) {
      largest = max(largest, bytes.count)
      let text = String(decoding: bytes, as: UTF8.self)
      if isError { errors += text } else { output += text }
    }

    var isUnwanted: Bool { output.contains(end) }
  }

  private func relay(
    _ script: String, milliseconds: Int64 = 20_000, end: String = "never",
    _ change: (inout LimitedProgram.Limits) -> Void = { _ in }
  ) throws -> (end: LimitedProgram.End, relay: Relay) {
    let relay = Relay()
    relay.end = end
    var limits = LimitedProgram.Limits()
    change(&limits)
    let end = try LimitedProgram.relay(
      try Path("/bin/sh"), ["sh", "-c", script], limits: limits, milliseconds: milliseconds, to: relay)
    return (end, relay)
  }

  @Test("a relay gets all that is written, in pieces, however much it is")
  func relays() throws {
    let (end, relay) = try relay("head -c 300000 /dev/zero | tr '\\0' x; echo why >&2; exit 4")
    #expect(end == .exited(4) && relay.output.utf8.count == 300_000 && relay.errors == "why\n")
    #expect(relay.largest <= 1024)
  }

  @Test("when nobody waits any more, or the time is over, all of it is killed")
  func unwanted() throws {
    #expect(try relay("echo stop; sleep 100", end: "stop").end == .cancelled)
    let late = try relay("echo begun; sleep 100 & sleep 100", milliseconds: 300)
    #expect(late.end == .timedOut && late.relay.output == "begun\n")
  }

  @Test("it begins in its folder, and one without sockets has none, of any family")
  func relayLimits() throws {
    let inside = try relay("pwd") { $0.folder = "/tmp" }
    #expect(inside.relay.output == "/tmp\n")
    #expect(throws: Errno.noSuchFile) { _ = try relay("pwd") { $0.folder = "/no/such/folder" } }
    let python =
      "python3 -c 'import socket\nfor f in (1, 2, 10, 16):\n try: socket.socket(f, 3 if f == 16 else 1)\n"
      + " except OSError as e: print(e.errno)'"
    let offline = try relay(python) { $0.isOffline = true }
    #expect(offline.relay.output == "1\n1\n1\n1\n")
    #expect(try relay(python).relay.output == "")
    let small = try relay("exec 2>&1; x=$(head -c 60M /dev/zero | tr '\\0' x); echo ${#x}") {
      $0.addressBytes = 32 << 20
    }
    #expect(!small.relay.output.contains("62914560"))
  }

  #if arch(x86_64) || arch(arm64)
    #if arch(x86_64)
      private static let numbers = """
        clone=56, clone3=435, unshare=272, setns=308, mount=165, umount2=166, chroot=161, pivot_root=155, bpf=321, \
        ptrace=101, process_vm_readv=310, keyctl=250, add_key=248, userfaultfd=323, io_uring_setup=425, \
        perf_event_open=298, kexec_load=246, init_module=175, open_by_handle_at=304, fsopen=430, pidfd_getfd=438, \
        vmsplice=278, setsid=112, setpgid=109, ioctl=16, socket=41, later=600
        """
    #else
      private static let numbers = """
        clone=220, clone3=435, unshare=97, setns=268, mount=40, umount2=39, chroot=51, pivot_root=41, bpf=280, \
        ptrace=117, process_vm_readv=270, keyctl=219, add_key=217, userfaultfd=282, io_uring_setup=425, \
        perf_event_open=241, kexec_load=104, init_module=105, open_by_handle_at=265, fsopen=430, pidfd_getfd=438, \
        vmsplice=75, setsid=157, setpgid=154, ioctl=29, socket=198, later=600
        """
    #endif

    /// What a script of Python writes, in which `call(name, arguments...)` makes a system call and returns the name of
    /// its error. It has no single quote.
    private func python(_ script: String) throws -> String {
      let head = """
        import ctypes, errno, os
        libc, numbers = ctypes.CDLL(None, use_errno=True), dict(\(Self.numbers))
        def call(name, *given):
          given = (numbers[name],) + given + (0, 0, 0, 0, 0)
          result = libc.syscall(*[ctypes.c_long(value) for value in given])
          if name == "clone" and result == 0: os._exit(0)
          return errno.errorcode[ctypes.get_errno()] if result == -1 else "done"

        """
      let relay = try relay("exec python3 -c '" + head + script + "' 2>&1", milliseconds: 60_000).relay
      return relay.output
    }

    @Test(
      "calls outside the list are refused, and those that C libraries do without are unknown",
      .enabled(if: Confinement.hasFilter))
    func outside() throws {
      let output = try python(
        """
        for name in numbers:
          if name not in ("clone", "ioctl", "socket"): print(name, call(name))
        """)
      let lines = output.split(separator: "\n")
      #expect(lines.count == Self.numbers.split(separator: ",").count - 3)
      for line in lines {
        let isUnknown = line.hasPrefix("clone3 ") || line.hasPrefix("later ")
        #expect(line.hasSuffix(isUnknown ? " ENOSYS" : " EPERM"), "\(line)")
      }
    }

    @Test(
      "no flag of clone makes a namespace, alone or with others; without one it makes a child",
      .enabled(if: Confinement.hasFilter))
    func namespaces() throws {
      let output = try python(
        """
        spaces = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]
        print(set(call("clone", flags | more) for flags in spaces for more in (17, 17 | 0x10000000, 17 | 0x4000)))
        print(call("clone", 17))
        """)
      #expect(output == "{'EPERM'}\ndone\n")
    }

    @Test(
      "nothing is written into a terminal's input, and only the usual families of sockets are there",
      .enabled(if: Confinement.hasFilter))
    func arguments() throws {
      let output = try python(
        """
        print([call("ioctl", 0, request | high) for request in (0x5412, 0x541C) for high in (0, 1 << 32)])
        print(call("ioctl", 0, 0x5413))
        print([call("socket", family, 1) for family in (1, 2, 10)], call("socket", 16, 3))
        print([call("socket", family, 5) for family in (38, 40, 17, 15, 30)])
        """)
      #expect(
        output.replacing("'", with: "") == """
          [EPERM, EPERM, EPERM, EPERM]
          ENOTTY
          [done, done, done] done
          [EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT]

          """)
    }
  #endif

  @Test(
    "ordinary programs find all calls that they need",
    arguments: [
      "ls -la / | grep -c etc; date +%s | wc -l; find /etc -maxdepth 0; echo b a | tr ' ' '\\n' | sort | tail -1",
      "tar c /etc/hostname 2>/dev/null | tar t; cp /etc/passwd /dev/null; awk 'BEGIN { print 6 * 7 }'; id -u",
      "python3 -c 'import threading as t; x = t.Thread(target=print, args=(1,)); x.start(); x.join()'",
      "python3 -c 'import subprocess as s; print(s.run([\"echo\", \"x\"], capture_output=True).stdout)'",
      "python3 -c 'import asyncio; asyncio.run(asyncio.sleep(0.01))'",
      "python3 -c 'import socket; print(socket.getaddrinfo(\"::1\", 80))'",
      "python3 -c 'import sqlite3, tempfile; sqlite3.connect(tempfile.mktemp()).execute(\"create table a (b)\")'",
      "if command -v busybox; then busybox ls /; busybox ps | wc -l; busybox uname -a; fi",
      "if command -v curl; then curl -sS -o /dev/null file:///etc/hostname; fi",
      "if command -v ffmpeg; then ulimit -v; ffmpeg -v error -f lavfi -i testsrc=d=0.2:s=64x64 -f null -; fi",
    ])
  func ordinary(script: String) throws {
    let (end, relay) = try relay("set -e; " + script, milliseconds: 120_000) { $0.addressBytes = 4 << 30 }
    #expect(end == .exited(0) && relay.errors.isEmpty, "\(relay.errors)")
  }
}
