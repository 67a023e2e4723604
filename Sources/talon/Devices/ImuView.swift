import Codec
import Runtime

/// `talon imu`: the motion sensor of the running agent.
enum ImuView {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let view = LiveView(
      operation: "imu", configuration: try ConfigCommand.read(options.configurationPath), draw: lines)
    return try view.run(isOnce: options.has("--once"), isJSON: options.has("--json"))
  }

  /// A report as lines of text.
  static func lines(
    _ report: borrowing JSONView, _ before: borrowing JSONView, _ room: Int
  ) -> [String] {
    var lines = ["sensor    \(sensor(report, before))"]
    if report.member("sensor") != nil {
      lines.append("axes      \(axes(report, "acceleration", 8)) g")
      if report.member("rotation") != nil { lines.append("turning   \(axes(report, "rotation", 8)) degrees/s") }
      lines.append("tilt      pitch \(report.figure("pitch")), roll \(report.figure("roll")) degrees")
    }
    lines.append("steps     \(steps(report))")
    lines.append("activity  \(report.text("activity")) (\(report.text("confidence")))")
    if report.member("activityAge") != nil {
      lines[lines.count - 1] += ", for \(report.number("activityAge") / 1000) s"
    }
    lines.append(
      "counted   \(report.number("impacts")) impacts; \(report.number("gaps")) gaps, "
        + "\(report.number("failures")) failures of the sensor")
    return lines
  }

  private static func sensor(_ report: borrowing JSONView, _ before: borrowing JSONView) -> String {
    var text = report.text("state")
    if let reason = report.member("reason") { text += ": \(reason.text)" }
    guard let name = report.member("sensor") else { return text }
    text += ", \(name.text), \(report.figure("rate")) samples/s"
    let rate = JSONView.rate(
      report.number("samples"), before.number("samples"), milliseconds: report.number("now") - before.number("now"))
    return rate.map { "\(text) (\($0) now)" } ?? text
  }

  private static func steps(_ report: borrowing JSONView) -> String {
    let text = "\(report.number("steps")), \(report.figure("distanceMeters")) m"
    return report.number("cadence") > 0 ? "\(text), \(report.number("cadence")) a minute" : text
  }

  private static func axes(_ report: borrowing JSONView, _ name: StaticString, _ columns: Int) -> String {
    guard let vector = report.member(name) else { return "-" }
    var names = ["x", "y", "z"][...]
    var text = ""
    var elements = vector.elements()
    while let element = elements.next() {
      text += "\(names.popFirst() ?? "?") \(IdentityCommand.string(element.rawText).right(columns))  "
    }
    return text
  }
}
