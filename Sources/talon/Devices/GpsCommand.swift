import Codec
import Runtime

/// `talon gps`: the state of the running agent's receiver; `talon gps track`: where the board was.
enum GpsCommand {
  /// dB-Hz for a mark of a satellite's bar: the strongest signals have about 50.
  private static let barStep: Int64 = 2

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    if let word = options.words.first {
      guard word == "track" else { throw Failure(.usage, "expected: talon gps or talon gps track") }
      return try TrackCommand.run(options)
    }
    if options.has("--forget") { throw Failure(.usage, "--forget belongs to talon gps track") }
    let view = LiveView(
      operation: "gps", configuration: try ConfigCommand.read(options.configurationPath), draw: lines,
      needsTwo: true)
    return try view.run(isOnce: options.has("--once"), isJSON: options.has("--json"))
  }

  /// A report as lines of text.
  static func lines(
    _ report: borrowing JSONView, _ before: borrowing JSONView, _ room: Int
  ) -> [String] {
    var lines = [state(report), fix(report)]
    if let fix = report.member("fix") { lines += place(fix) }
    if let time = report.member("time") { lines.append("time      \(time.text)") }
    lines += line(report, before)
    return lines + sky(report, room - lines.count)
  }

  private static func state(_ report: borrowing JSONView) -> String {
    var text = "receiver  \(report.text("state"))"
    if let reason = report.member("reason") { text += ": \(reason.text)" }
    if let step = report.member("step") { text += "; \(step.text)" }
    guard let receiver = report.member("receiver") else { return text }
    if let model = receiver.member("model") { text += ", \(model.text)" }
    if receiver.number("baud") > 0 { text += ", \(receiver.number("baud")) bit/s" }
    let phase = receiver.text("phase")
    if phase != "idle" { text += ", \(phase)" }
    if receiver.number("refusals") > 0 { text += ", \(receiver.number("refusals")) settings refused" }
    return text
  }

  private static func fix(_ report: borrowing JSONView) -> String {
    var text = "fix       \(report.text("mode"))"
    guard let fix = report.member("fix") else { return "\(text), \(report.number("used")) satellites in use" }
    // A receiver that lists no satellites may still count them.
    let used = fix.member("satellites") == nil ? report.number("used") : fix.number("satellites")
    text += ", \(used) satellites in use"
    text += ", \(fix.figure("accuracyMeters")) m (\(report.text("accuracySource")))"
    return text + ", \(age(report.number("fixAge"))) old"
  }

  /// The last fix, however old.
  private static func place(_ fix: borrowing JSONView) -> [String] {
    var lines = ["place     \(fix.figure("lat")), \(fix.figure("lon"))"]
    if fix.member("altitudeMeters") != nil { lines[0] += ", \(fix.figure("altitudeMeters")) m above sea level" }
    if fix.member("speedMps") != nil {
      lines.append("motion    \(fix.figure("speedMps")) m/s")
      if fix.member("headingDeg") != nil { lines[1] += ", heading \(fix.figure("headingDeg")) degrees" }
    }
    return lines
  }

  private static func age(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    if seconds < 60 { return "\(seconds).\(milliseconds / 100 % 10) s" }
    return seconds < 3600 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
  }

  // MARK: Line

  /// The data rate, the protocols, and errors.
  private static func line(_ report: borrowing JSONView, _ before: borrowing JSONView) -> [String] {
    guard let line = report.member("line"), let last = before.member("line") else { return [] }
    let elapsed = report.number("now") - before.number("now")
    let bytes = JSONView.rate(line.number("bytes"), last.number("bytes"), milliseconds: elapsed)
    var lines = ["line      \(bytes.map { "\($0) bytes/s" } ?? "\(line.number("bytes")) bytes")"]
    var members = line.members()
    while let member = members.next() {
      guard member.value.kind == .object else { continue }
      let name = member.name.text
      let good = member.value.number("good")
      var past: Int64 = 0
      if let frames = last.member(of: name) { past = frames.number("good") }
      let rate = JSONView.rate(good, past, milliseconds: elapsed)
      lines.append("          \(name.left(5)) \(rate.map { "\($0)/s" } ?? "\(good)")\(errors(member.value))")
    }
    return lines
  }

  private static func errors(_ frames: borrowing JSONView) -> String {
    let (sum, damaged, malformed) = (
      frames.number("badChecksum"), frames.number("damaged"), frames.number("malformed")
    )
    let unchecked = frames.number("unchecked")
    let without = unchecked > 0 ? "; \(unchecked) without a checksum" : ""
    return "\(without); errors: \(sum) checksum, \(damaged) damaged, \(malformed) malformed"
  }

  // MARK: Satellites

  private struct Satellite {
    let system: String
    let number: Int64
    let elevation: String
    let azimuth: String
    let strength: Int64
    let isUsed: Bool

    init(_ satellite: borrowing JSONView) {
      system = satellite.text("system")
      number = satellite.number("number")
      elevation = satellite.figure("elevation")
      azimuth = satellite.figure("azimuth")
      strength = satellite.number("strength")
      isUsed = satellite.member("isUsed")?.bool ?? false
    }

    var line: String {
      let bar = String(repeating: "#", count: Int(min(max(strength, 0), 60) / GpsCommand.barStep))
      let place = "\(elevation.right(5))\(azimuth.right(6))"
      return "\(isUsed ? "*" : " ") \(system.left(8))\("\(number)".right(4))\(place)\("\(strength)".right(5))  \(bar)"
    }
  }

  /// The strongest first, those in use before the others; as many as there is room for.
  private static func sky(_ report: borrowing JSONView, _ room: Int) -> [String] {
    guard let list = report.member("satellites") else { return [] }
    var satellites: [Satellite] = []
    var elements = list.elements()
    while let element = elements.next() { satellites.append(Satellite(element)) }
    if satellites.isEmpty { return [] }
    satellites.sort { ($0.isUsed ? 1 : 0, $0.strength) > ($1.isUsed ? 1 : 0, $1.strength) }
    var lines = ["", "  system  number elev  azim  dB-Hz"]
    let shown = min(satellites.count, max(room - lines.count - 1, 1))
    for satellite in satellites.prefix(shown) { lines.append(satellite.line) }
    if shown < satellites.count { lines.append("  and \(satellites.count - shown) more") }
    return lines
  }
}

extension JSONView {
  /// A member whose name was read.
  @_lifetime(copy self)
  func member(of name: String) -> JSONView? {
    var all = members()
    while let member = all.next() {
      if member.name.equals(name.utf8.span) { return member.value }
    }
    return nil
  }
}
