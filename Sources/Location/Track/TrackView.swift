import Runtime

/// The points of a track as a caller may see them, the oldest first: as exact as `LocationPrecision` allows. Where that
/// is a cell, the points of one visit to it are one, in its middle, and ways are those from middle to middle.
struct TrackView {
  /// One point as it may be seen; see `TrackPoint`.
  struct Point {
    var place: Place
    var accuracy: Double
    var altitude: Double?
    var from: Int64
    var until: Int64
    /// Meters from the point before; 0 behind a gap.
    var way = 0.0
    var marks: TrackPoint.Marks

    /// True for a place where the board stayed.
    var isStay: Bool { until - from >= Budget.trackStayMilliseconds }
  }

  private let track: Track
  private let precision: LocationPrecision
  private var index = 0
  private var last: Place?

  /// A view from the oldest point on. The track must not change meanwhile.
  init(_ track: Track, _ precision: LocationPrecision) {
    self.track = track
    self.precision = precision
  }

  /// The next point; nil behind the last.
  mutating func next() -> Point? {
    guard var point = read(index) else { return nil }
    index += 1
    while precision.cell > 0, let following = read(index), following.place == point.place,
      following.marks.isDisjoint(with: [.gap, .leap])
    {
      point.until = max(point.until, following.until)
      point.accuracy = max(point.accuracy, following.accuracy)
      point.marks.formUnion(following.marks)
      index += 1
    }
    if precision.cell > 0, let last, point.marks.isDisjoint(with: [.gap, .leap]) {
      point.way = last.distance(to: point.place)
    }
    last = point.place
    return point
  }

  private func read(_ index: Int) -> Point? {
    guard index < track.count else { return nil }
    let point = track[index]
    // Only its place, error and altitude count.
    let fix = precision.limit(
      Fix(
        latitude: point.place.latitude, longitude: point.place.longitude, accuracy: point.accuracy,
        altitude: point.altitude, instant: point.from, arrival: 0, isMeasured: true))
    return Point(
      place: fix.place, accuracy: fix.accuracy, altitude: fix.altitude, from: point.from, until: point.until,
      way: precision.cell > 0 ? 0 : point.way, marks: point.marks)
  }
}
