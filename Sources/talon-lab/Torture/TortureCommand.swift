import ArgumentParser
import Foundation

/// Every fallible system call of a scenario fails once, one at a time.
struct TortureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "torture",
    abstract: "Lets every system call of a firmware's life fail once, one at a time.",
    discussion: "A line for each fault goes to standard output; what was not survived is said on standard error.")

  @Option(help: "The firmware, for this machine.")
  var talon: String

  @Option(help: "The state folder of a talon-gateway that runs.")
  var gateway: String

  @Option(help: "Boards that take part at once: folders with a talon.conf each, which names the board like its folder.")
  var board: [String]

  @Option(help: "Only this call, as in syscall(2).")
  var only: String?

  func run() throws {
    let boards = try board.map { try TorturedBoard(folder: $0, talon: talon, gatewayState: gateway) }
    guard let first = boards.first else { throw ValidationError("--board is missing") }
    _ = try first.run(nil)
    let counts = try first.callCounts()
    for board in boards {
      board.usualDescriptors = first.usualDescriptors
      board.usualWarnings = Set(first.warnings.map(TorturedBoard.kind))
    }
    let plan = try FallibleCalls.plan(counts).filter { only == nil || $0.call == only }
    let torture = Torture(plan)
    torture.run(on: boards)
    FileHandle.standardError.write(Data((torture.summary + "\n").utf8))
    if torture.failures > 0 || torture.reached == 0 { throw ExitCode.failure }
  }
}

/// The faults that are still to come, and what became of the others. Boards take from it on threads of their own.
private final class Torture: @unchecked Sendable {
  private let lock = NSLock()
  private var waiting: ArraySlice<Fault>
  private var outcomes: [Outcome: Int] = [:]
  private(set) var failures = 0

  init(_ plan: [Fault]) { waiting = plan[...] }

  var reached: Int { outcomes.reduce(failures) { $1.key == .notReached ? $0 : $0 + $1.value } }

  var summary: String {
    func count(_ outcome: Outcome) -> Int { outcomes[outcome] ?? 0 }
    return "\(reached) calls failed once: \(count(.unnoticed)) recovered silently, \(count(.logged)) recovered and "
      + "logged it, \(count(.answered)) answered with an error once, \(count(.ended)) ended with a reason; "
      + "\(failures) not survived"
  }

  func run(on boards: [TorturedBoard]) {
    let group = DispatchGroup()
    for board in boards {
      nonisolated(unsafe) let board = board
      group.enter()
      Thread.detachNewThread {
        while let fault = self.next() { self.note(fault, on: board) }
        group.leave()
      }
    }
    group.wait()
  }

  private func next() -> Fault? { lock.withLock { waiting.popFirst() } }

  private func note(_ fault: Fault, on board: TorturedBoard) {
    do {
      let result = try board.run(fault)
      lock.withLock {
        outcomes[result.outcome, default: 0] += 1
        print("\(fault.text) \(result.target): \(result.outcome.text). \(result.said)")
      }
    } catch {
      let copy = "\(board.folder)-\(fault.text.replacingOccurrences(of: " ", with: "-")).log"
      try? FileManager.default.copyItem(atPath: board.log, toPath: copy)
      lock.withLock {
        failures += 1
        print("\(fault.text): NOT SURVIVED. \(error)")
        FileHandle.standardError.write(Data("\(fault.text): \(error); see \(copy)\n".utf8))
      }
    }
  }
}
