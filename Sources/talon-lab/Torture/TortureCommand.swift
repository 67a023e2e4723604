import ArgumentParser
import Foundation

/// Fallible system calls of a scenario fail, one at a time.
struct TortureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "torture",
    abstract: "Lets system calls of a running firmware fail, one at a time, and checks that it goes on.",
    discussion: """
      A line for each fault goes to standard output; what was not survived is said on standard error too, and the log \
      of that run is kept beside the board's folder.
      """)

  @Option(help: "The firmware, for this machine.")
  var talon: String

  @Option(
    help: """
      Boards that take part at once: folders with a talon.conf, which names the board like its folder, and a link \
      "gateway" to the state folder of its talon-gateway, which runs.
      """)
  var board: [String]

  @Option(help: "Only this call, as in syscall(2).")
  var only: String?

  @Flag(
    help: """
      Each call fails with every error that it may return, instead of the first call of a place, and a twelfth of \
      those after it with one error; with --memory: every call, instead of a sample.
      """
  )
  var all = false

  @Flag(
    help: """
      What fails is memory (brk, mmap and mremap, eight in a row), in a longer scenario: also a picture and a script \
      on the canvas, and a reload. The boards need a [canvas].
      """)
  var memory = false

  func run() throws {
    var watches: [String: GatewayWatch] = [:]
    let boards = try board.map { folder in
      let gateway = URL(fileURLWithPath: folder + "/gateway").resolvingSymlinksInPath().path
      let watch = try watches[gateway] ?? GatewayWatch(stateFolder: gateway)
      watches[gateway] = watch
      return try TorturedBoard(folder: folder, talon: talon, gatewayState: gateway, watch: watch)
    }
    guard let first = boards.first else { throw ValidationError("--board is missing") }
    for watch in watches.values { watch.start() }
    defer { for watch in watches.values { watch.stop() } }
    for board in boards { board.isLong = memory }
    let usual = try first.run(nil)
    let judge = Judge(usual: usual)
    _ = try judge.verdict(usual)
    for board in boards { board.judge = judge }
    let run = try first.tracedCalls()
    let plan = memory ? FaultPlan(memoryOf: run, all: all) : try FaultPlan(run, all: all)
    let torture = Torture(plan.faults.filter { only == nil || $0.call == only }, judge)
    torture.run(on: boards)
    for line in torture.lines { print(line) }
    let summary =
      "\(plan.calls) fallible calls at \(plan.places) places, failed \(torture.reached) times: \(torture.summary)"
    LabOutput.note(summary)
    if torture.failures > 0 || !torture.isProof { throw ExitCode.failure }
  }
}

/// The faults that are still to come, and what became of the others. Boards take from it on threads of their own.
private final class Torture: @unchecked Sendable {
  /// How often a fault is tried whose call was not reached: how often a socket is read differs from run to run.
  private static let attempts = 3

  private let plan: [Fault]
  private let judge: Judge
  private let lock = NSLock()
  private var next = 0
  private var results: [Int: String] = [:]
  private var outcomes: [Outcome: Int] = [:]
  private(set) var failures = 0

  init(_ plan: [Fault], _ judge: Judge) {
    self.plan = plan
    self.judge = judge
  }

  private func count(_ outcome: Outcome) -> Int { outcomes[outcome] ?? 0 }

  var reached: Int { plan.count - count(.notReached) }

  /// Nine of ten faults came to pass; a tracer that lets no call fail would prove nothing.
  var isProof: Bool { !plan.isEmpty && 10 * reached >= 9 * plan.count }

  /// What became of each fault, in the order of the plan.
  var lines: [String] { plan.indices.compactMap { results[$0] } }

  var summary: String {
    "\(count(.unnoticed)) recovered silently, \(count(.logged)) recovered and logged it, "
      + "\(count(.answered)) answered with an error once, \(count(.ended)) ended with a reason; "
      + "\(count(.notReached)) not reached, \(failures) not survived"
  }

  func run(on boards: [TorturedBoard]) {
    let group = DispatchGroup()
    for board in boards {
      nonisolated(unsafe) let board = board
      group.enter()
      Thread.detachNewThread {
        while let index = self.take() { self.note(index, on: board) }
        group.leave()
      }
    }
    group.wait()
  }

  private func take() -> Int? {
    lock.withLock {
      guard next < plan.count else { return nil }
      defer { next += 1 }
      return next
    }
  }

  private func note(_ index: Int, on board: TorturedBoard) {
    let fault = plan[index]
    do {
      var (verdict, target) = try attempt(fault, on: board)
      var tries = 1
      while verdict.outcome == .notReached, tries < Self.attempts {
        (verdict, target) = try attempt(fault, on: board)
        tries += 1
      }
      let again = tries == 1 ? "" : "(run \(tries) times)"
      let line = [fault.text, target, again, "->", verdict.outcome.text].filter { !$0.isEmpty }.joined(separator: " ")
      lock.withLock {
        outcomes[verdict.outcome, default: 0] += 1
        results[index] = verdict.said.isEmpty ? line : "\(line): \(verdict.said)"
      }
    } catch {
      let copy = "\(board.folder)-\(fault.text.replacingOccurrences(of: " ", with: "-")).log"
      try? FileManager.default.copyItem(atPath: board.log, toPath: copy)
      lock.withLock {
        failures += 1
        results[index] = "\(fault.text) -> NOT SURVIVED: \(error)"
        LabOutput.note("\(fault.text): \(error); see \(copy)")
      }
    }
  }

  private func attempt(
    _ fault: Fault, on board: TorturedBoard
  ) throws -> (verdict: (outcome: Outcome, said: String), target: String) {
    let record = try board.run(fault)
    return (try judge.verdict(record), record.target ?? "")
  }
}
