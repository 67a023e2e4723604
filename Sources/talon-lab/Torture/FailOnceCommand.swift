import ArgumentParser
import CTracer
import Foundation

/// Runs a program and lets one of its system calls fail.
struct FailOnceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fail-once",
    abstract: "Runs a program in which one system call fails once; without --call, lists its system calls.")

  @Option(help: "The file that is told which call failed, or every call.")
  var report: String

  @Option(help: "The call that fails, as in syscall(2).")
  var call: String?

  @Option(help: "Which of them: 1 is the first of the process.")
  var occurrence = 1

  @Option(help: "The error that it returns: a number from errno(3).")
  var error = EIO

  @Argument(parsing: .postTerminator, help: "-- PROGRAM ARGUMENT...")
  var program: [String]

  func run() throws {
    let file = open(report, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TortureError("\(report): \(String(cString: strerror(errno)))") }
    var arguments = program.map { strdup($0) }
    arguments.append(nil)
    let name = call.map { strdup($0)! }
    let fault = ctracer_fault(call: name, occurrence: UInt32(occurrence), error: error)
    let code = ctracer_run(arguments, fault, file)
    guard code >= 0 else { throw TortureError("\(program[0]): \(String(cString: strerror(errno)))") }
    throw ExitCode(code)
  }
}
