import Foundation

/// Talon as a process of its own, under the tracer of `fail-once` when a call is to fail or all are to be seen.
final class TalonProcess {
  private let child: ChildProcess
  private let report: String?

  /// Starts `talon run`, in which `fault` comes to pass.
  /// - Parameters:
  ///   - log: what it says is appended to this file.
  ///   - report: where the tracer writes; without one, Talon runs alone and without a fault.
  init(talon: String, config: String, log: String, tracing report: String?, fault: Fault?) throws {
    self.report = report
    var command = [talon, "run", "--config", config]
    if let report {
      try Data().write(to: URL(fileURLWithPath: report))
      let choice = fault.map {
        ["--call", $0.call, "--occurrence", String($0.occurrence), "--error", String($0.error)]
      }
      command = [CommandLine.arguments[0], "fail-once", "--report", report] + (choice ?? []) + ["--"] + command
    }
    child = try ChildProcess(command, output: log)
  }

  /// Talon's own number; nil before it runs.
  var pid: pid_t? { report == nil ? child.pid : reported("pid").flatMap { pid_t($0) } }

  /// How it ended; nil while it runs.
  var end: RunRecord.End.How? {
    guard let end = child.end else { return nil }
    return reported("signal").flatMap { Int32($0) }.map { .signal($0) } ?? end
  }

  /// Sends TERM to Talon itself.
  func terminate() {
    if end == nil, let pid { kill(pid, SIGTERM) }
  }

  /// Sends HUP to Talon itself.
  func reload() {
    if end == nil, let pid { kill(pid, SIGHUP) }
  }

  /// Ends it at once, whatever it does.
  func destroy() {
    // The tracer ends with Talon, and takes a Talon along that has not said its number yet.
    if end == nil { kill(pid ?? child.pid, SIGKILL) }
    child.waitUntilEnd()
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
    for line in reportLines {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == word { return words[1] }
    }
    return nil
  }
}
