import Codec
import Device
import Gateway
import Runtime

/// `talon doctor`: checks everything, and says what to do.
enum DoctorCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let findings = examine(options.configurationPath)
    if options.has("--json") {
      Console.out(DoctorReport.json(findings))
    } else {
      for line in DoctorReport.lines(findings) { Console.show(line) }
    }
    return DoctorReport.code(findings)
  }

  static func examine(_ path: String) -> [Finding] {
    var findings: [Finding] = []
    var configuration = Configuration()
    do throws(Failure) {
      configuration = try ConfigCommand.read(path)
      findings.append(Finding("config", .good, "\(path) is right"))
    } catch {
      findings.append(
        Finding("config", .failure, error.text, remedy: "correct it; talon config check tells when it is right"))
    }
    let check = BoardCheck(configuration: configuration)
    findings +=
      check.board() + check.stateFolder() + check.pin() + check.service() + check.recognizer()
      + check.decoder()
    findings += check.tools()
    do throws(Failure) {
      let answer = try ConsoleClient.status(folder: configuration.runtimeDirectory)
      let line = JSONView(answer.span)
      guard let status = line.member("result"), status.kind == .object else {
        throw Failure(.temporary, "the agent is of another release: restart it")
      }
      findings += AgentDiagnosis(configuration: configuration, limits: check.limits).findings(status)
      guard let state = status.member("state"), !state.equals(SessionState.online.word) else { return findings }
      return findings + check.gateway()
    } catch {
      findings.append(Finding("agent", .failure, error.text, remedy: remedy(error)))
      return findings + check.gateway() + check.pairing() + check.devices()
    }
  }
}

extension DoctorCommand {
  fileprivate static func remedy(_ failure: Failure) -> String {
    if failure.text.hasPrefix("not running") {
      return "systemctl start talon, as root; journalctl -u talon -e tells why it ended"
    }
    return failure.code == .unavailable ? "run it as root: sudo talon doctor" : "systemctl restart talon"
  }
}

/// Findings as text.
enum DoctorReport {
  /// Columns of a serial console.
  private static let columns = 78
  private static let margin = 16

  /// The exit code of the worst finding.
  static func code(_ findings: [Finding]) -> ExitCode {
    var worst = Finding.Grade.good
    for finding in findings { worst = max(worst, finding.grade) }
    switch worst {
    case .good, .unknown: return .ok
    case .warning: return .warnings
    case .failure: return .failures
    }
  }

  /// One line for each finding, and one below it with the remedy; then their count. Long ones are wrapped.
  static func lines(_ findings: [Finding]) -> [String] {
    var lines: [String] = []
    var (failures, warnings) = (0, 0)
    for finding in findings {
      if finding.grade == .failure { failures += 1 }
      if finding.grade == .warning { warnings += 1 }
      lines += folded(head(finding), finding.text)
      if !finding.remedy.isEmpty { lines += folded("            ->  ", finding.remedy) }
    }
    lines.append("")
    lines.append(failures + warnings == 0 ? "all is well" : "\(failures) to repair, \(warnings) to watch")
    return lines
  }

  private static func head(_ finding: Finding) -> String {
    let mark =
      switch finding.grade {
      case .good: "ok    "
      case .unknown: "-     "
      case .warning: "warn  "
      case .failure: "FAIL  "
      }
    var head = mark + String(finding.subject)
    while head.utf8.count < margin { head += " " }
    return head
  }

  /// Words in lines that fit; a word that is longer than a line has its own.
  private static func folded(_ head: String, _ text: String) -> [String] {
    var lines: [String] = []
    var line = head
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.utf8.count + 1 + word.utf8.count > columns {
        lines.append(line)
        line = "                "
        isEmpty = true
      }
      line += isEmpty ? String(word) : " " + word
      isEmpty = false
    }
    return lines + [line]
  }

  /// `{"verdict":...,"findings":[...]}`, for programs.
  static func json(_ findings: [Finding]) -> String {
    var counter = JSONWriter()
    write(findings, to: &counter)
    let length = counter.count
    return String(unsafeUninitializedCapacity: length) { buffer in
      var writer = JSONWriter(into: buffer)
      write(findings, to: &writer)
      return min(writer.count, buffer.count)
    }
  }

  private static func write(_ findings: [Finding], to writer: inout JSONWriter) {
    var worst = Finding.Grade.good
    for finding in findings where finding.grade != .unknown { worst = max(worst, finding.grade) }
    writer.beginObject()
    writer.key("verdict")
    writer.string(worst.word)
    writer.key("findings")
    writer.beginArray()
    for finding in findings {
      writer.beginObject()
      writer.key("check")
      writer.string(finding.subject)
      writer.key("grade")
      writer.string(finding.grade.word)
      writer.key("text")
      writer.string(finding.text)
      if !finding.remedy.isEmpty {
        writer.key("remedy")
        writer.string(finding.remedy)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}
