import Codec
import Runtime
import Testing

@testable import Canvas

@Suite("When the screen is dim and warm")
struct NightWatchTests {
  private let hours = DayWindow("22:00-06:00".utf8.span)

  @Test("in its hours, and not while nobody knows the time")
  func hour() {
    let night = NightWatch(hours: hours, darkness: nil)
    #expect(night.isNight(localMinutes: 23 * 60) && night.isNight(localMinutes: 5 * 60))
    #expect(!night.isNight(localMinutes: 12 * 60) && !night.isNight(localMinutes: nil))
    #expect(!night.needsLight && !night.isNever && NightWatch(hours: nil, darkness: nil).isNever)
  }

  @Test("while it is dark, and not for a hand that passes or between the two levels")
  func light() {
    var night = NightWatch(hours: nil, darkness: 5)
    func read(_ values: [Float?]) -> Bool {
      for value in values { night.take(value) }
      return night.isNight(localMinutes: nil)
    }
    let once = read([100, 2, 100])
    let dark = read(Array(repeating: 2, count: Budget.nightReadings))
    let between = read(Array(repeating: 8, count: 10))
    let lamp = read([40, 3])
    let unknown = read([nil, nil, nil])
    let day = read(Array(repeating: 11, count: Budget.nightReadings))
    #expect(!once && dark && between && lamp && unknown && !day)
  }

  @Test("numbers that are none change nothing")
  func odd() {
    var night = NightWatch(hours: nil, darkness: 5)
    for value in [Float.nan, .infinity, -.infinity, .nan] { night.take(value) }
    #expect(!night.isNight(localMinutes: nil) && !night.isNight(localMinutes: .min))
  }
}
