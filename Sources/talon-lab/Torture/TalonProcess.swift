import Foundation

/// Talon as a process of its own, under the tracer of `fail-once` when one of its calls is to fail or all are to be seen.
final class TalonProcess {
  private let process = Process()
  private let report: String?
  private let logFile: FileHandle

  /// Starts `talon run`, in which `fault` comes to pass.
  /// - Parameters:
  ///   - log: what it says is appended to this file.
  ///   - report: where the tracer writes; without one, Talon runs alone and without a fault.
  init(talon: String, config: String, log: String, tracing report: String?, fault: Fault?) throws {
    self.report = report
    let number = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw TortureError("\(log) cannot be written") }
    logFile = FileHandle(fileDescriptor: number, closeOnDealloc: true)
    process.standardError = logFile
    process.standardInput = FileHandle.nullDevice
    let command = ["run", "--config", config]
    if let report {
      try Data().write(to: URL(fileURLWithPath: report))
      let choice = fault.map {
        ["--call", $0.call, "--occurrence", String($0.occurrence), "--error", String($0.error)]
      }
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = ["fail-once", "--report", report] + (choice ?? []) + ["--", talon] + command
    } else {
      process.executableURL = URL(fileURLWithPath: talon)
      process.arguments = command
    }
    try process.run()
  }

  /// Talon's own number; nil before it runs.
  var pid: Int32? { report == nil ? process.processIdentifier : reported("pid").flatMap { Int32($0) } }

  /// How it ended; nil while it runs.
  var end: RunRecord.End.How? {
    if process.isRunning { return nil }
    if let signal = reported("signal").flatMap({ Int32($0) }) { return .signal(signal) }
    return process.terminationReason == .exit
      ? .code(process.terminationStatus) : .signal(process.terminationStatus)
  }

  /// Sends TERM to Talon itself.
  func terminate() {
    if end == nil, let pid { kill(pid, SIGTERM) }
  }

  /// Ends it at once, whatever it does.
  func destroy() {
    if end == nil, let pid { kill(pid, SIGKILL) }
    // A tracer that has not started Talon yet takes it along.
    if pid == nil { process.terminate() }
    process.waitUntilExit()
  }

  /// What its open descriptors stand for.
  var descriptors: [String] {
    guard let pid else { return [] }
    let folder = "/proc/\(pid)/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0) }
  }

  /// What the tracer wrote down so far.
  var reportLines: [Substring] {
    guard let report, let text = try? String(contentsOfFile: report, encoding: .utf8) else { return [] }
    // The last line may still be on its way.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  private func reported(_ word: String) -> Substring? {
    reportLines.lazy.map { $0.split(separator: " ") }.first { $0.count == 2 && $0[0] == word }?[1]
  }
}
