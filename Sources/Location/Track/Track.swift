import Runtime

/// Where the board was, within a window of time: points in the order in which their fixes were received.
///
/// A fix within a circle around the last point makes that point last longer; three fixes in a row outside make a new
/// one, at the first of them. The circle has a radius of 25 m (`Budget.trackMeters`), of twice the error, or of five
/// seconds of way, whichever is largest, so that noise moves nobody and a car makes a point every few seconds. The
/// place of a board that stands becomes the mean of its fixes. Pure: fixes go in, points come out.
public final class Track {
  /// Fixes outside the circle that make a move, and the least milliseconds from the first of them to the last: errors
  /// of fixes that follow each other closely are alike.
  private static let departures = 3
  private static let departureMilliseconds: Int64 = 2_000
  /// Errors of a fix that are noise, and seconds of way that are no point of their own.
  private static let errors = 2.0
  private static let seconds = 5.0
  /// Part of the error that makes a fix the better place.
  private static let better = 0.7
  /// A mean begins after so many milliseconds at one place, when a walker is gone, takes a fix every so many, and ends
  /// with so many: its error is then an eighth of theirs, and it follows no slow drift.
  private static let meanBegin: Int64 = 60_000
  private static let meanSpacing: Int64 = 5_000
  private static let meanFixes = 64

  /// Fixes in a row outside the circle.
  private struct Departure {
    var fix: Fix
    var count = 1
  }

  private let pages = TrackPages()
  /// How far back it goes, in milliseconds.
  public let window: Int64
  private var clock = TrackClock()
  private var departure: Departure?
  /// Fixes in the mean of the last point, and when the next one is added, of the monotonic clock.
  private var meanCount = meanFixes
  private var meanAt: Int64 = 0
  /// Rises whenever older points had to be thinned out.
  public private(set) var thinnings = 0

  /// An empty track that goes back `window` milliseconds.
  @export(interface)
  public init(window: Int64) { self.window = window }

  /// Number of points: at most `Budget.trackPages` times `Budget.trackPagePoints`.
  public var count: Int { pages.count }

  /// The point with this number, from 0, the oldest.
  public subscript(index: Int) -> TrackPoint { pages[index] }

  /// Rises when points were thinned out or erased, not when the oldest ended or new ones came.
  public var revision: Int { pages.revision }

  /// Points that were dropped before the first: with them a point keeps its number for as long as `revision` does.
  public var dropped: Int { pages.dropped }

  /// The last time of the track, in milliseconds since the Unix epoch; nil: it is empty.
  public var newest: Int64? { count == 0 ? nil : pages[count - 1].until }

  // MARK: Fixes

  /// Adds a fix, if it is one: measured by satellites, with a date that may be right and goes on from those before.
  public func receive(_ fix: Fix) {
    guard fix.isMeasured, BelievableDate.contains(received: fix.instant) else { return }
    switch clock.judge(fix.instant, at: fix.arrival, after: newest) {
    case .refused: break
    case .leap: begin(at: fix, .leap)
    case .steady: place(fix)
    }
  }

  private func place(_ fix: Fix) {
    guard count > 0 else { return begin(at: fix, []) }
    let last = pages[count - 1]
    guard fix.instant - last.until <= Budget.trackGapMilliseconds else { return begin(at: fix, .gap) }
    if last.place.distance(to: fix.place) <= Self.radius(last, fix) {
      departure = nil
      stay(last, fix)
    } else {
      depart(last, fix)
    }
  }

  /// Meters around a point within which a fix is no move.
  private static func radius(_ point: TrackPoint, _ fix: Fix) -> Double {
    max(Budget.trackMeters, errors * max(point.accuracy, fix.accuracy), seconds * (fix.speed ?? 0))
  }

  private func depart(_ last: TrackPoint, _ fix: Fix) {
    guard var departure else { return self.departure = Departure(fix: fix) }
    departure.count += 1
    self.departure = departure
    guard departure.count >= Self.departures, fix.arrival - departure.fix.arrival >= Self.departureMilliseconds
    else { return }
    begin(at: departure.fix, [])
    place(fix)
  }

  private func begin(at fix: Fix, _ marks: TrackPoint.Marks) {
    departure = nil
    var point = TrackPoint(fix)
    point.marks = marks
    if marks.isEmpty, let newest {
      // Stamps may be out of order by what the clock tolerates.
      point.begins(noEarlierThan: newest)
      point.way = pages[count - 1].place.distance(to: point.place)
    }
    if pages.append(point) { thinnings += 1 }
    beginMean(fix)
  }

  // MARK: Stays

  private func stay(_ last: TrackPoint, _ fix: Fix) {
    var point = last
    point.extend(to: fix.instant)
    if fix.accuracy < Self.better * last.accuracy {
      point.set(fix)
      beginMean(fix)
    } else if isMeanDue(last, fix) {
      meanCount += 1
      meanAt = fix.arrival + Self.meanSpacing
      let (old, share) = (last.place, 1 / Double(meanCount))
      point.set(
        Place(
          latitude: old.latitude + (fix.latitude - old.latitude) * share,
          longitude: old.longitude + (fix.longitude - old.longitude) * share))
    }
    if point.place != last.place { correctWay(of: &point) }
    if point != last { pages[count - 1] = point }
  }

  private func beginMean(_ fix: Fix) { (meanCount, meanAt) = (1, fix.arrival + Self.meanSpacing) }

  private func isMeanDue(_ last: TrackPoint, _ fix: Fix) -> Bool {
    meanCount < Self.meanFixes && fix.arrival >= meanAt && last.until - last.from >= Self.meanBegin
      // The mean of 179.9 and -179.9 degrees is on the other side of the earth.
      && abs(fix.longitude - last.place.longitude) < 180
  }

  /// The way to the last point, whose place has changed.
  private func correctWay(of point: inout TrackPoint) {
    guard count > 1, point.marks.isEmpty else { return }
    point.way = pages[count - 2].place.distance(to: point.place)
  }

  // MARK: Time

  /// What time it is for the track, in milliseconds since the Unix epoch; nil: unknown, and then nothing ends.
  /// - Parameters:
  ///   - now: milliseconds of the monotonic clock.
  ///   - wall: the board's own clock, where something has set it; nil where that may be wrong.
  public func moment(_ now: Int64, wall: Int64?) -> Int64? {
    if let moment = clock.moment(now) { return moment }
    guard let wall, BelievableDate.contains(wall), let newest, wall >= newest else { return nil }
    return wall
  }

  /// Drops the points that have left the window until `moment`, and those that are as far ahead of it, which a wrong
  /// clock has made. True when there were some.
  @discardableResult
  public func expire(at moment: Int64) -> Bool {
    let before = count
    while count > 0 {
      let oldest = pages[0]
      guard oldest.until < moment - window || oldest.from > moment + window else { break }
      pages.removeFirst()
    }
    if count == 0 { departure = nil }
    return count < before
  }

  /// Erases all points.
  public func removeAll() {
    pages.removeAll()
    departure = nil
  }

  // MARK: On flash

  /// True when flash has not all points.
  var isUnwritten: Bool { pages.isUnwritten }

  /// The pages, for what keeps them on flash.
  var record: TrackPages { pages }
}
