import Codec
import Runtime

/// The answer of `where_was`: stays, the legs between them, and what is not known, in the order in which they were.
///
/// A stay is a point of five minutes or more (`Budget.trackStayMilliseconds`); what is shorter is part of a leg. No
/// place is computed: at an instant between two points the answer is the leg or the gap between them.
struct TrackAnswer {
  /// One line of the answer.
  enum Segment {
    /// The board was there.
    case stay(TrackView.Point)
    /// It moved from the one point to the other, so many meters along the way.
    case leg(TrackView.Point, TrackView.Point, way: Double, isThinned: Bool)
    /// Nothing is known of where it was, from then until then.
    case gap(Int64, Int64)
    /// The receiver's time leapt.
    case leap
  }

  private let track: Track
  private let precision: LocationPrecision
  /// The points that the answer is about: those that were there within this time.
  private var window: ClosedRange<Int64>
  /// The first point's begin and the last one's end.
  private var (first, last): (Int64, Int64)

  /// The answer to a request; throws when no point is known for it.
  init(_ request: TrackRequest, of track: Track, _ precision: LocationPrecision) throws(TrackError) {
    self.track = track
    self.precision = precision
    var view = TrackView(track, precision)
    guard var point = view.next() else { throw .empty }
    (first, last) = (point.from, point.until)
    window = request.from...request.until
    // The neighbours of an instant, or of a window, in which there is no point.
    var (isFound, between): (Bool, ClosedRange<Int64>?) = (false, nil)
    while true {
      if point.from <= request.until, point.until >= request.from { isFound = true }
      last = point.until
      guard let next = view.next() else { break }
      if point.until < request.from, next.from > request.until { between = point.until...next.from }
      point = next
    }
    if isFound { return }
    guard let between else { throw request.until < first ? .before(first) : .after(last) }
    window = between
  }

  // MARK: Segments

  /// Calls `receive` with each segment.
  private func forEach(_ receive: (Segment) -> Void) {
    var view = TrackView(track, precision)
    var (last, isTold): (TrackView.Point?, Bool) = (nil, false)
    var leg: (start: TrackView.Point, way: Double, isThinned: Bool)?
    func close() {
      guard let end = last else { return }
      if let open = leg {
        receive(.leg(open.start, end, way: open.way, isThinned: open.isThinned))
      } else if !isTold {
        receive(.stay(end))
      }
      leg = nil
    }
    while let point = view.next() {
      guard point.from <= window.upperBound, point.until >= window.lowerBound else { continue }
      if let before = last {
        if point.marks.contains(.leap) {
          close()
          receive(.leap)
        } else if point.marks.contains(.gap) {
          close()
          receive(.gap(before.until, point.from))
        } else {
          var open = leg ?? (before, 0, false)
          open.way += point.way
          if point.marks.contains(.thinned) { open.isThinned = true }
          leg = open
        }
      }
      (last, isTold) = (point, false)
      guard point.isStay else { continue }
      if leg != nil { close() }
      receive(.stay(point))
      isTold = true
    }
    if let end = last, !isTold || leg != nil {
      last = end
      close()
    }
  }

  // MARK: JSON

  /// Writes one object: what is known at all, how far the board came, and the newest segments, the oldest of them
  /// first.
  func write(to writer: inout JSONWriter) {
    var (count, way) = (0, 0.0)
    var isThinned = false
    forEach { segment in
      count += 1
      guard case .leg(_, _, let meters, let thinned) = segment else { return }
      way += meters
      isThinned = isThinned || thinned
    }
    writer.beginObject()
    Self.write("knownFrom", first, &writer)
    Self.write("knownUntil", last, &writer)
    writer.key("distanceMeters")
    writer.decimal(way, fractionDigits: 0)
    if isThinned {
      writer.key("lost")
      writer.string("the track was full: on legs that are thinned every second point is missing, or more")
    }
    let leftOut = max(count - Budget.trackSegments, 0)
    writer.key("leftOut")
    writer.int(Int64(leftOut))
    writer.key("segments")
    writer.beginArray()
    var index = 0
    forEach { segment in
      if index >= leftOut { Self.write(segment, &writer) }
      index += 1
    }
    writer.endArray()
    writer.endObject()
  }

  private static func write(_ segment: Segment, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("what")
    switch segment {
    case .stay(let point):
      writer.string("stay")
      write("lat", "lon", point.place, &writer)
      write("accuracyMeters", point.accuracy, &writer)
      if let altitude = point.altitude { write("altitudeMeters", altitude, &writer) }
      write("from", point.from, &writer)
      write("until", point.until, &writer)
    case .leg(let start, let end, let way, let isThinned):
      writer.string("leg")
      write("from", start.until, &writer)
      write("until", end.from, &writer)
      write("fromLat", "fromLon", start.place, &writer)
      write("toLat", "toLon", end.place, &writer)
      write("distanceMeters", way, &writer)
      write("straightMeters", start.place.distance(to: end.place), &writer)
      if isThinned {
        writer.key("thinned")
        writer.bool(true)
      }
    case .gap(let from, let until):
      writer.string("no fix")
      write("from", from, &writer)
      write("until", until, &writer)
    case .leap: writer.string("the receiver's clock changed")
    }
    writer.endObject()
  }

  private static func write(_ key: StaticString, _ time: Int64, _ writer: inout JSONWriter) {
    writer.key(key)
    writer.string(ISO8601(unixMilliseconds: time).text)
  }

  private static func write(_ key: StaticString, _ meters: Double, _ writer: inout JSONWriter) {
    writer.key(key)
    writer.decimal(meters, fractionDigits: 0)
  }

  /// To five decimals: a meter, as exact as a receiver is.
  private static func write(
    _ latitude: StaticString, _ longitude: StaticString, _ place: Place, _ writer: inout JSONWriter
  ) {
    writer.key(latitude)
    writer.decimal(place.latitude, fractionDigits: 5)
    writer.key(longitude)
    writer.decimal(place.longitude, fractionDigits: 5)
  }
}

/// What callers and people get of a track.
extension Track {
  /// Writes the answer of `where_was`, as exact as `precision` allows; throws, before anything is written, when no
  /// position is known for the request. `write` is called once.
  public func answer(
    _ request: TrackRequest, _ precision: LocationPrecision, _ write: ((inout JSONWriter) -> Void) -> Void
  ) throws(TrackError) {
    let answer = try TrackAnswer(request, of: self, precision)
    write { answer.write(to: &$0) }
  }

  /// Writes the exact points from the number `after` on, counted from the first that ever was, for people at the board:
  /// `next` is the number behind the last of them, where there are more.
  public func writePage(after: Int, to writer: inout JSONWriter) {
    let start = min(max(after - dropped, 0), count)
    let end = min(start + Budget.trackLines, count)
    writer.beginObject()
    writer.key("revision")
    writer.int(Int64(revision))
    writer.key("count")
    writer.int(Int64(count))
    if end < count {
      writer.key("next")
      writer.int(Int64(dropped + end))
    }
    writer.key("points")
    writer.beginArray()
    for index in start..<end { Self.write(self[index], to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  private static func write(_ point: TrackPoint, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("lat")
    writer.decimal(point.place.latitude, fractionDigits: 7)
    writer.key("lon")
    writer.decimal(point.place.longitude, fractionDigits: 7)
    if let altitude = point.altitude {
      writer.key("ele")
      writer.decimal(altitude, fractionDigits: 0)
    }
    writer.key("from")
    writer.string(ISO8601(unixMilliseconds: point.from).text)
    if point.until > point.from {
      writer.key("until")
      writer.string(ISO8601(unixMilliseconds: point.until).text)
    }
    writer.key("begins")
    writer.bool(!point.marks.isDisjoint(with: [.gap, .leap]))
    writer.endObject()
  }
}
