import CConfinedTrial
import CLinux
import Foundation
import Testing

@testable import Runtime

@Suite("What a confined process may do") struct ConfinementTests {
  static let works = [TL_CONFINED_TO_COMPUTE, TL_CONFINED_TO_TALK].map { Int32($0) }
  /// SIGSYS, after what a trial adds to the number of a signal.
  static let forbidden: Int32 = 1031

  @Test(
    "files, sockets, processes, other processes, and memory that can be run are forbidden: each such call ends it",
    arguments: works)
  func forbidden(work: Int32) {
    #expect(confined_trial_count() > 40)
    for trial in 0..<confined_trial_count() {
      #expect(confined_trial(trial, work) == Self.forbidden, "\(String(cString: confined_trial_name(trial)))")
    }
  }

  @Test("memory, the clock and its end are what it has, memory up to its limit", arguments: works)
  func allowed(work: Int32) { #expect(confined_trial_work(work, 1 << 30) == 0) }

  @Test("one that uses more of the processor than it may is ended") func burns() {
    // SIGXCPU at the limit, or SIGKILL a second beyond it: a virtual machine that stood still passes both at once.
    #expect([1024, 1009].contains(confined_trial_burn()))
  }

  @Test("one that talks may read and write what it holds, and set its timer") func talks() {
    #expect(confined_trial_talk() == 0)
  }

  @Test("this kernel filters, or the tests above would be of no use") func hasFilter() {
    #expect(Confinement.hasFilter)
  }
}

@Suite("Confined processes") struct ConfinedProcessTests {
  /// A process that is a script, whose descriptor 0 is the memory, and 1 its line.
  private func shell(_ script: String) -> ConfinedProgram {
    var program = ConfinedProgram("", path: "/bin/sh")
    program.arguments = ["sh", "-c", script]
    return program
  }

  private func run(_ script: String, _ memory: SharedMemory) throws -> ConfinedProcess {
    try ConfinedProcess(shell(script), files: memory.descriptor)
  }

  private func end(_ script: String) throws -> ConfinedEnd? {
    let process = try run(script, try SharedMemory(capacity: 4096))
    #expect(process.listen(until: .max, or: nil) == nil)
    return process.end
  }

  private func text(_ memory: SharedMemory) -> [String] {
    String(decoding: memory.part(at: 0, count: .max).prefix { $0 != 0 }, as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  @Test("a process inherits its descriptors and its line, no other, and no environment")
  func inherits() throws {
    // One that somebody forgot to close in programs that are run.
    let leak = open("/dev/null", O_RDONLY)
    defer { close(leak) }
    setenv("TALON_TEST_SECRET", "secret", 1)
    defer { unsetenv("TALON_TEST_SECRET") }
    let memory = try SharedMemory(capacity: 65536)
    let process = try run("ls /proc/$$/fd >&0; tr '\\0' '\\n' < /proc/$$/environ >&0", memory)
    #expect(process.listen(until: .max, or: nil) == nil && process.end == .exit(0))
    // The shell keeps its own copy of what it redirects as 10.
    #expect(text(memory).filter { !$0.hasPrefix("TZ=") && $0 != "10" } == ["0", "1"])
  }

  @Test("how it ended is reported")
  func ends() throws {
    #expect(try end("exit 3") == .exit(3))
    #expect(try end("kill -SEGV $$") == .signal(11))
    #expect(try end("kill -KILL $$") == .signal(9))
    // One that closes its line and stays is ended.
    #expect(try end("exec 1>&-; sleep 1000") == .signal(9))
    #expect(throws: Errno.noSuchFile) {
      try ConfinedProcess(ConfinedProgram("x", path: "/nowhere/talon"), files: try SharedMemory(capacity: 1).descriptor)
    }
  }

  @Test("one that takes too long is killed, and one whose result is not wanted any more")
  func late() throws {
    let memory = try SharedMemory(capacity: 4096)
    let slow = try run("sleep 1000", memory)
    #expect(slow.listen(until: SystemClock().monotonic + 20, or: nil) == nil && slow.end == .timedOut)
    let cancellation = Cancellation()
    let unwanted = try run("sleep 1000", memory)
    Thread.detachNewThread { cancellation.request() }
    #expect(unwanted.listen(until: .max, or: cancellation) == nil && unwanted.end == .cancelled)
    // The next one is not ended by what was said of the one before.
    cancellation.reset()
    let next = try run("exit 0", memory)
    #expect(next.listen(until: .max, or: cancellation) == nil && next.end == .exit(0))
  }

  @Test("bytes go to and fro")
  func talks() throws {
    let process = try run("head -c 1 <&1 >&1; exit 5", try SharedMemory(capacity: 4096))
    process.send(UInt8(ascii: "q"))
    #expect(process.listen(until: .max, or: nil) == UInt8(ascii: "q") && process.end == nil)
    #expect(process.listen(until: .max, or: nil) == nil && process.end == .exit(5))
    // It is not there to hear this.
    process.send(0)
    process.kill()
    #expect(process.end == .exit(5))
  }

  @Test("shared memory has its size for ever, whoever holds it")
  func sealed() throws {
    let memory = try SharedMemory(capacity: 65536)
    memory[word: 3] = -7
    #expect(memory[word: 3] == -7 && memory.part(at: 24, count: 8)[0] == 0xF9)
    #expect(memory.part(at: 65000, count: .max).count == 536 && memory.part(at: 24, count: -1).isEmpty)
    let process = try run(
      "truncate -s 0 /proc/$$/fd/0 2>/dev/null && exit 7; truncate -s 1M /proc/$$/fd/0 2>/dev/null && exit 8; exit 0",
      memory)
    #expect(process.listen(until: .max, or: nil) == nil && process.end == .exit(0))
    #expect(try Syscall.status(memory.descriptor).size == 65536)
    #expect(throws: Errno.self) { try SharedMemory(inherited: Descriptor(-1)) }
  }

  @Test("a person can read how it ended")
  func words() {
    func words(_ end: ConfinedEnd) -> String {
      end.sentence("it ").span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    #expect(words(.exit(3)) == "it ended with exit code 3" && words(.exit(107)) == "it ended with exit code 107")
    #expect(words(.signal(11)) == "it crashed with signal 11")
    #expect(words(.signal(24)) == "it used more processor time than it may, and was killed")
    #expect(words(.signal(31)).contains("system call") && words(.signal(9)).contains("signal 9"))
    #expect(words(.timedOut).contains("too long") && words(.cancelled).contains("not wanted any more"))
    #expect(
      words(.exit(Confinement.refused)).contains("confined") && words(.exit(71)).contains("memory")
        && words(.invalidMessage).contains("invalid message"))
    // A subject that fills the line is cut.
    #expect(
      ConfinedEnd.timedOut.sentence(
        "a subject of which there is more than a line has room for, and so much of it that nothing of what happened is said at all in the end "
      ).span.count == 128)
  }
}
