import Codec
import Runtime

/// `talon gps track`: where the board was, as GPX 1.1; `--forget` erases it.
enum TrackCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let folder = try ConfigCommand.read(options.configurationPath).runtimeDirectory
    if options.has("--once") || options.has("--json") {
      throw Failure(.usage, "talon gps track takes --forget, and no other option")
    }
    if options.has("--forget") {
      let line = try BoardCommands.check(ConsoleClient(folder: folder).ask("track-forget") { _ in })
      let root = JSONView(line.span)
      Console.show("\(root.member("result")?.number("erased") ?? 0) points are erased")
      return .ok
    }
    try show(folder: folder) { Console.show($0) }
    return .ok
  }

  /// Shows the track, which the agent that runs with this folder gives page after page, as lines of GPX.
  static func show(folder: String, _ show: (String) -> Void) throws(Failure) {
    var track = GPXTrack()
    var (after, revision): (Int64?, Int64?) = (0, nil)
    while let start = after, !Console.isGone {
      // A connection is good for one answer.
      let line = try BoardCommands.check(
        ConsoleClient(folder: folder).ask("track") { writer in
          writer.key("after")
          writer.int(start)
        })
      let root = JSONView(line.span)
      guard let result = root.member("result"), let points = result.member("points") else {
        throw Failure(.temporary, "the agent's answer has no track; see talon log")
      }
      if let revision, revision != result.number("revision") {
        throw Failure(.temporary, "the track was thinned out or erased meanwhile: try again")
      }
      if revision == nil { for line in GPXTrack.begin { show(line) } }
      revision = result.number("revision")
      var elements = points.elements()
      while let point = elements.next() { for line in track.lines(point) { show(line) } }
      after = result.member("next") == nil ? nil : result.number("next")
      if let next = after, next <= start { break }
    }
    for line in track.end { show(line) }
  }
}

/// The lines of a track in GPX 1.1 (https://www.topografix.com/GPX/1/1/): one `trk`, with a `trkseg` for each time
/// without a gap. A stay has two points, of its begin and its end.
struct GPXTrack {
  private var isOpen = false

  /// The lines before the first point.
  static let begin = [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<gpx version=\"1.1\" creator=\"talon \(Version.number)\" xmlns=\"http://www.topografix.com/GPX/1/1\">", "<trk>",
  ]

  /// The lines behind the last point.
  var end: [String] { (isOpen ? ["</trkseg>"] : []) + ["</trk>", "</gpx>"] }

  /// The lines of the next point, as the operation `track` writes it.
  mutating func lines(_ point: borrowing JSONView) -> [String] {
    var lines: [String] = []
    if !isOpen || point.member("begins")?.bool == true {
      if isOpen { lines.append("</trkseg>") }
      lines.append("<trkseg>")
      isOpen = true
    }
    lines.append(Self.line(point, point.text("from")))
    if point.member("until") != nil { lines.append(Self.line(point, point.text("until"))) }
    return lines
  }

  private static func line(_ point: borrowing JSONView, _ time: String) -> String {
    var text = "<trkpt lat=\"\(point.figure("lat"))\" lon=\"\(point.figure("lon"))\">"
    if point.member("ele") != nil { text += "<ele>\(point.figure("ele"))</ele>" }
    return text + "<time>\(time)</time></trkpt>"
  }
}
