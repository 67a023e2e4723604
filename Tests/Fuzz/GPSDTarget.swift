import Codec
import Location
import Runtime

/// What a gpsd says means the same in pieces, and no fix is where or when none can be.
func checkGPSD(_ bytes: [UInt8]) {
  let whole = read(bytes, [0..<bytes.count])
  let inPieces = read(bytes, pieces(bytes))
  expect(whole.reports == inPieces.reports, "whole: \(whole.reports); in pieces: \(inPieces.reports)")
  expect(whole.counters == inPieces.counters, "whole: \(whole.counters); in pieces: \(inPieces.counters)")
  var tracker = FixTracker()
  for report in whole.reports {
    let isNew = tracker.accept(report, at: 0, wall: 1_784_118_920_000)
    expect(!isNew || tracker.latest != nil, "news without a fix")
    if let fix = tracker.latest { checkFix(fix) }
    expect(tracker.satellitesInView.count <= Budget.satellites, "\(tracker.satellitesInView.count) satellites")
  }
}

private func read(_ bytes: [UInt8], _ pieces: [Range<Int>]) -> (reports: [GPSDReport], counters: GNSSCounters) {
  var reader = GPSDReader()
  var reports: [GPSDReport] = []
  for piece in pieces {
    var index = 0
    let span = bytes.span.extracting(piece)
    while let report = reader.next(span, at: &index) { reports.append(report) }
    expect(index == span.count, "the reader stops before the end")
  }
  return (reports, reader.counters)
}
