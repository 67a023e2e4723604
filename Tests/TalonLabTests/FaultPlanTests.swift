import Foundation
import Testing

@testable import talon_lab

@Suite struct FaultPlanTests {
  private func calls(_ lines: String...) -> [TracedCall] { lines.compactMap { TracedCall($0[...]) } }

  @Test("the tracer's lines are read; what is no call is left out")
  func lines() {
    let read = calls("pid 17", "openat 3 /etc/a file", "getrandom 2 ", "signal 11", "read x /a")
    #expect(read.map(\.name) == ["openat", "getrandom"])
    #expect(read.map(\.occurrence) == [3, 2])
    #expect(read.map(\.target) == ["/etc/a file", ""])
  }

  @Test("the first call of a place fails with all its errors, and of later ones each twelfth with one of them in turn")
  func turns() throws {
    let plan = try FaultPlan(calls("write 1 /a") + (2...16).flatMap { calls("write \($0) socket:[\($0 % 2)]") })
    #expect(plan.calls == 16)
    #expect(plan.places == 2)
    func errors(_ occurrence: Int) -> [Int32] { plan.faults.filter { $0.occurrence == occurrence }.map(\.error) }
    #expect(errors(1) == [EIO, ENOSPC, EINTR])
    #expect(errors(2) == [EIO, ENOSPC, EINTR])
    #expect(errors(3) == [EIO])
    #expect((4...14).allSatisfy { errors($0).isEmpty })
    #expect(errors(15) == [ENOSPC])
    #expect(errors(16).isEmpty)
  }

  @Test("on request each call fails with every error")
  func all() throws {
    let run = calls("write 1 /a", "write 2 /a", "write 3 /a", "write 4 /a")
    #expect(try FaultPlan(run, all: true).faults.count == 12)
    #expect(try FaultPlan(run).faults.count == 4)
  }

  @Test(
    "memory fails wherever it is asked for after the C library's own, or at places that are spread over all of them")
  func memory() {
    let run = (1...500).flatMap { calls("brk \($0) ", "write \($0) /a", "mmap \($0) ") }
    let all = FaultPlan(memoryOf: run, all: true)
    let library = FaultPlan.memoryOfLibrary
    #expect(all.calls == 1000 - library)
    #expect(all.faults == (library + 1...1000).map { Fault(call: "memory", occurrence: $0, error: ENOMEM) })
    let sample = FaultPlan(memoryOf: run).faults.map(\.occurrence)
    #expect(sample.count == FaultPlan.memorySample && Set(sample).count == sample.count)
    #expect(sample.first == library + 1 && sample.last! > 980)
    #expect(zip(sample, sample.dropFirst()).allSatisfy { (8...9).contains($1 - $0) })
    #expect(FaultPlan(memoryOf: calls("brk 1 ", "write 1 /a")).faults.isEmpty)
  }

  @Test(
    "a program that starts over has a C library anew, whose first calls for memory do not fail, nor do those just before it"
  )
  func startsOver() {
    let run =
      (1...50).flatMap { calls("brk \($0) ") } + calls("execve 1 /proc/self/exe")
      + (51...100).flatMap { calls("brk \($0) ") }
    let places = FaultPlan(memoryOf: run, all: true).faults.map(\.occurrence)
    #expect(places == Array(6...43) + Array(56...100))
  }

  @Test("a call that cannot fail is spared, and one that nobody has thought about stops the torture")
  func rules() throws {
    let plan = try FaultPlan(calls("getpid 1 ", "futex 1 "))
    #expect(plan.faults.isEmpty)
    #expect(plan.calls == 0)
    #expect(throws: TortureError.self) { try FaultPlan(calls("io_uring_setup 1 ")) }
  }

  @Test("every error has a name, and no call is both fallible and spared")
  func tables() {
    for (call, errors) in FallibleCalls.errors {
      #expect(!errors.isEmpty && errors.allSatisfy { FallibleCalls.names[$0] != nil }, "\(call)")
      #expect(FallibleCalls.spared[call] == nil, "\(call)")
    }
    #expect(Fault(call: "openat", occurrence: 12, error: EMFILE).text == "openat 12 EMFILE")
  }
}
