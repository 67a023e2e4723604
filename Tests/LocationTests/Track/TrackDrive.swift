import Foundation
import Runtime
import TestSupport

@testable import Location

/// A board that is carried about, whose fixes a track receives.
struct TrackDrive {
  static let start: Int64 = 1_784_118_919_000

  /// Milliseconds since the Unix epoch; those of the monotonic clock are less by as much as at the start.
  var time = start
  /// The instant less this is the fix's arrival.
  var offset = start - 1_000_000
  var place = Place(latitude: 47, longitude: 8)
  var accuracy = 5.0
  /// Standard deviation of a fix in meters, along each axis.
  var noise = 0.0
  /// All places that were told to the track.
  private(set) var fixes: [Fix] = []
  private var random: Seeded

  init(seed: UInt64 = 1) { random = Seeded(seed) }

  /// Milliseconds of the monotonic clock.
  var now: Int64 { time - offset }

  /// Two independent numbers of a normal distribution (Box and Muller, "A note on the generation of random normal
  /// deviates", 1958).
  private mutating func normal() -> (Double, Double) {
    let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude..<1, using: &random))).squareRoot()
    let angle = Double.random(in: 0..<2 * .pi, using: &random)
    return (radius * cos(angle), radius * sin(angle))
  }

  /// This many meters north and east of a place.
  static func place(_ place: Place, north: Double, east: Double) -> Place {
    Place(
      latitude: place.latitude + north / Place.metersPerDegree,
      longitude: place.longitude + east / (Place.metersPerDegree * cos(place.latitude * .pi / 180)))
  }

  /// The fix of now.
  mutating func fix(speed: Double? = nil) -> Fix {
    let (north, east) = noise > 0 ? normal() : (0, 0)
    let seen = Self.place(place, north: north * noise, east: east * noise)
    var fix = Fix(
      latitude: seen.latitude, longitude: seen.longitude, accuracy: accuracy, altitude: 540, instant: time,
      arrival: now, isMeasured: true)
    fix.speed = speed
    fixes.append(fix)
    return fix
  }

  /// Stands for so many seconds, with a fix every `every`.
  mutating func stand(_ seconds: Int, every: Int = 1, _ receive: (Fix) -> Void) {
    for _ in 0..<seconds / every {
      time += Int64(every) * 1000
      receive(fix(speed: 0))
    }
  }

  /// Goes so many meters at this speed; `bends`: now to the left and now to the right, a full turn in 25 minutes.
  mutating func go(_ meters: Double, speed: Double, bends: Bool = false, _ receive: (Fix) -> Void) {
    var way = 0.0
    while way < meters {
      time += 1000
      let angle = bends ? sin(way / speed / 600) : 0
      place = Self.place(place, north: speed * sin(angle), east: speed * cos(angle))
      way += speed
      receive(fix(speed: speed))
    }
  }

  /// Appears so many meters further on each minute, and makes one point there: of three fixes.
  mutating func hop(_ times: Int, meters: Double = 1000, _ receive: (Fix) -> Void) {
    for _ in 0..<times {
      place = Self.place(place, north: 0, east: meters)
      time += 57_000
      for _ in 0..<3 {
        time += 1000
        receive(fix())
      }
    }
  }
}

extension Track {
  var points: [TrackPoint] { (0..<count).map { self[$0] } }
  var way: Double { points.reduce(0) { $0 + $1.way } }
}
