import Testing

@testable import Location

@Suite struct PlaceTests {
  @Test("distances are those of the great circle")
  func distances() {
    let bern = Place(latitude: 46.94797, longitude: 7.44745)
    let zurich = Place(latitude: 47.37689, longitude: 8.54169)
    // 95.5 km on the ellipsoid (Vincenty).
    #expect(abs(bern.distance(to: zurich) - 95_500) < 600)
    #expect(bern.distance(to: bern) == 0)
    let west = Place(latitude: 0, longitude: 179.9995)
    let east = Place(latitude: 0, longitude: -179.9995)
    #expect(abs(west.distance(to: east) - 111.2) < 0.5)
    let poles = Place(latitude: 90, longitude: 0).distance(to: Place(latitude: -90, longitude: 123))
    #expect(abs(poles - 20_015_114) < 10)
  }
}

@Suite struct LocationPrecisionTests {
  private func fix(_ latitude: Double, _ longitude: Double) -> Fix {
    Fix(
      latitude: latitude, longitude: longitude, accuracy: 5, altitude: 540, speed: 3, heading: 90,
      instant: 1_784_118_919_000,
      arrival: 5, isMeasured: true)
  }

  @Test("an exact position is left as it is")
  func exact() {
    #expect(LocationPrecision.exact.limit(fix(47, 8)) == fix(47, 8))
  }

  @Test("wherever in a cell the board is, the answer is the same")
  func sameCell() {
    let precision = LocationPrecision(cell: 1000)
    let middle = precision.limit(fix(47.1, 8.2))
    for step in -4...4 {
      // 100 m north and east of the middle each step.
      let moved = fix(middle.latitude + Double(step) * 0.0009, middle.longitude + Double(step) * 0.0013)
      let limited = precision.limit(moved)
      #expect(limited.latitude == middle.latitude)
      #expect(limited.longitude == middle.longitude)
    }
  }

  @Test("the error that is reported covers the true position, all over the world", arguments: [10.0, 1000, 100_000])
  func covers(cell: Double) {
    let precision = LocationPrecision(cell: cell)
    for latitude in stride(from: -90.0, through: 90, by: 7.3) {
      for longitude in stride(from: -180.0, through: 180, by: 11.7) {
        let limited = precision.limit(fix(latitude, longitude))
        #expect((-90...90).contains(limited.latitude))
        #expect((-180...180).contains(limited.longitude))
        let away = Place(latitude: latitude, longitude: longitude).distance(to: limited.place)
        #expect(away <= limited.accuracy + 1)
      }
    }
  }

  @Test("what would tell more is left out, and nothing limited is called precise")
  func leftOut() {
    let limited = LocationPrecision(cell: 50).limit(fix(47, 8))
    #expect(limited.altitude == nil)
    #expect(limited.speed == nil)
    #expect(limited.heading == nil)
    #expect(limited.accuracy < 100)
    #expect(!limited.isPrecise)
    #expect(limited.instant == 1_784_118_919_000)
  }
}
