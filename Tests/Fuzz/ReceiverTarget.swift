import Codec
import Location
import Runtime

/// What a receiver says means the same in pieces, and no fix is where or when none can be. The first byte chooses
/// whether the board has a clock.
func checkGNSS(_ bytes: [UInt8]) {
  let wall: Int64 = bytes.first.map { $0 & 1 } == 1 ? 1_784_118_920_000 : 0
  let whole = read(bytes, [0..<bytes.count], wall)
  let inPieces = read(bytes, pieces(bytes), wall)
  expect(whole.messages == inPieces.messages, "whole: \(whole.messages); in pieces: \(inPieces.messages)")
  expect(whole.counters == inPieces.counters, "whole: \(whole.counters); in pieces: \(inPieces.counters)")
  expect(whole.fixes == inPieces.fixes, "whole: \(whole.fixes); in pieces: \(inPieces.fixes)")
  expect(whole.counters.bytes == UInt64(bytes.count), "\(whole.counters.bytes) of \(bytes.count) bytes")
  for fix in whole.fixes { checkFix(fix) }
}

private func read(
  _ bytes: [UInt8], _ pieces: [Range<Int>], _ wall: Int64
) -> (messages: [GNSSMessage], counters: GNSSCounters, fixes: [Fix]) {
  var reader = GNSSReader()
  var tracker = FixTracker()
  var messages: [GNSSMessage] = []
  var fixes: [Fix] = []
  func accept(_ message: GNSSMessage, _ tracker: inout FixTracker) {
    messages.append(message)
    _ = tracker.accept(message, at: Int64(messages.count), wall: wall)
    if let fix = tracker.latest, fixes.last != fix { fixes.append(fix) }
    if let time = tracker.time { checkTime(time.instant) }
    expect(tracker.satellitesInView.count <= Budget.satellites, "\(tracker.satellitesInView.count) satellites")
    for index in 0..<tracker.satellitesInView.count { check(tracker.satellitesInView[index]) }
  }
  for piece in pieces {
    var index = 0
    let span = bytes.span.extracting(piece)
    while let message = reader.next(span, at: &index) { accept(message, &tracker) }
    expect(index == span.count, "the reader stops before the end")
  }
  while let message = reader.finish() { accept(message, &tracker) }
  if tracker.finish(wall: wall), let fix = tracker.latest { fixes.append(fix) }
  return (messages, reader.counters, fixes)
}

/// What is true of every fix.
func checkFix(_ fix: Fix) {
  expect((-90...90).contains(fix.latitude) && (-180...180).contains(fix.longitude), "\(fix)")
  expect(fix.accuracy > 0 && fix.accuracy.isFinite, "accuracy \(fix.accuracy)")
  expect(fix.heading.map { $0 >= 0 && $0 < 360 } ?? true, "heading of \(fix)")
  expect(fix.speed.map { $0 >= 0 && $0 <= 515 } ?? true, "speed of \(fix)")
  expect(fix.altitude.map { $0 >= -1000 && $0 <= 100_000 } ?? true, "altitude of \(fix)")
  expect(fix.mode != .none && fix.isMeasured == fix.mode.isMeasured, "mode of \(fix)")
  expect(fix.isMeasured || !fix.isPrecise, "precise without a measurement: \(fix)")
  checkTime(fix.instant)
}

/// From the last rollover of the week number, of 7 April 2019, to the end of the century's years that two digits tell.
private func checkTime(_ instant: Int64) {
  expect(instant >= 1_554_508_800_000 && instant < 3_471_379_200_000, "the instant \(instant)")
}

private func check(_ satellite: GNSSSatellite) {
  expect(satellite.elevation.map { (-90...90).contains($0) } ?? true, "\(satellite)")
  expect(satellite.azimuth.map { $0 < 360 } ?? true, "\(satellite)")
}
