import Codec
import Runtime
import Testing

@testable import Location

@Suite struct SatellitesInViewTests {
  private let tracker = TrackerUnderTest()

  private func shown() -> [String] {
    (0..<tracker.satellitesInView.count).map { index in
      let satellite = tracker.satellitesInView[index]
      return "\(satellite.id.constellation) \(satellite.id.number) \(satellite.strength ?? 0)"
        + (satellite.isUsed == true ? " used" : "")
    }.sorted()
  }

  @Test("a list takes the place of the one before it, of its own talker alone")
  func replaces() {
    tracker.read((Receiver.gsv([(1, 40), (2, 41)]) + Receiver.gsv([(65, 30)], talker: "GL")).joined())
    #expect(shown() == ["glonass 1 30", "gps 1 40", "gps 2 41"])
    tracker.read(Receiver.gsv([(2, 42), (3, 43)]).joined())
    #expect(shown() == ["glonass 1 30", "gps 2 42", "gps 3 43"])
    tracker.read(Receiver.gsv([], talker: "GL").joined())
    #expect(shown() == ["gps 2 42", "gps 3 43"])
  }

  @Test("a list that lacks a page changes nothing, and neither does one whose pages are out of order")
  func incomplete() {
    let before = Receiver.gsv([(1, 40)])
    let pages = Receiver.gsv([(2, 40), (3, 40), (4, 40), (5, 40), (6, 40), (7, 40), (8, 40), (9, 40), (10, 40)])
    tracker.read(before.joined())
    tracker.read(pages[0] + pages[2])
    #expect(shown() == ["gps 1 40"])
    tracker.read(pages[1] + pages[2])
    #expect(shown() == ["gps 1 40"])
    tracker.read(pages[0] + pages[1])
    tracker.read(Receiver.gsv([(70, 20)], talker: "GL").joined() + pages[2])
    #expect(shown() == ["glonass 6 20", "gps 1 40"])
    tracker.read(pages.joined())
    #expect(tracker.satellitesInView.count == 10)
  }

  @Test("a satellite on two signals is one, as strong as on its first, and stays until both lists lack it")
  func signals() {
    let first = Receiver.gsv([(1, 40), (2, 38)], signal: ",1").joined()
    let second = Receiver.gsv([(1, 30), (3, 28)], signal: ",6").joined()
    tracker.read(first + second)
    #expect(shown() == ["gps 1 40", "gps 2 38", "gps 3 28"])
    tracker.read(Receiver.gsv([(2, 38)], signal: ",1").joined())
    #expect(tracker.satellitesInView.count == 3)
    tracker.read(Receiver.gsv([], signal: ",6").joined())
    #expect(shown() == ["gps 2 38"])
  }

  @Test("GSA says which are in use: several of one epoch add up, those of the next replace them")
  func used() {
    tracker.read(Receiver.gga("123519") + Receiver.gsa(3, [1, 2], talker: "GN", system: ",1"))
    tracker.read(Receiver.gsa(3, [65], talker: "GN", system: ",2") + Receiver.gsa(3, [3], talker: "GN", system: ",1"))
    tracker.read((Receiver.gsv([(1, 40), (2, 41), (4, 30)]) + Receiver.gsv([(65, 30)], talker: "GL")).joined())
    #expect(shown() == ["glonass 1 30 used", "gps 1 40 used", "gps 2 41 used", "gps 4 30"])
    #expect(tracker.satellitesInView.usedCount == 4)
    tracker.read(Receiver.gga("123520") + Receiver.gsa(3, [4], talker: "GN", system: ",1"))
    #expect(shown() == ["glonass 1 30 used", "gps 1 40", "gps 2 41", "gps 4 30 used"])
    tracker.read(Receiver.gga("123521") + Receiver.gsa(3, [33], talker: "GN") + Receiver.gsa(3, [70], talker: "GN"))
    #expect(tracker.satellitesInView.usedCount == 2)
  }

  @Test("what no list names any more is gone after a while")
  func forgets() {
    tracker.read(Receiver.gsv([(65, 30)], talker: "GL").joined(), at: 0)
    tracker.read(Receiver.gsv([(1, 40)]).joined(), at: Budget.satelliteLifetimeMilliseconds - 1)
    #expect(tracker.satellitesInView.count == 2)
    tracker.read(Receiver.gsv([(1, 40)]).joined(), at: Budget.satelliteLifetimeMilliseconds)
    #expect(shown() == ["gps 1 40"])
  }

  @Test("NAV-SAT is the whole sky, and sentences change nothing about it for as long as it comes")
  func navSat() {
    func navSat(_ numbers: [UInt8]) -> [UInt8] {
      Receiver.ubx(
        0x01, 0x35,
        Receiver.little(0, 4) + [1, UInt8(numbers.count), 0, 0]
          + numbers.flatMap { [2, $0, 35, 45, 120, 0, 0, 0, $0 % 2 == 1 ? 8 : 0, 0, 0, 0] as [UInt8] })
    }
    tracker.read(Receiver.gsv([(1, 40)]).joined())
    tracker.read(navSat([3, 4]), at: 100)
    #expect(shown() == ["galileo 3 35 used", "galileo 4 35"])
    tracker.read(Receiver.gsv([(1, 40)]).joined() + Receiver.gsa(3, [1]), at: 200)
    tracker.read(navSat([5]), at: 1100)
    #expect(shown() == ["galileo 5 35 used"] && tracker.satellitesInView.usedCount == 1)
    tracker.read(Receiver.gsv([(1, 40)]).joined(), at: 1100 + Budget.satelliteLifetimeMilliseconds)
    #expect(shown() == ["gps 1 40"])
  }

  @Test("no more satellites are kept than the budget has, of either protocol")
  func full() {
    let satellites = Receiver.ubx(
      0x01, 0x35,
      Receiver.little(0, 4) + [1, 255, 0, 0]
        + (0..<255).flatMap { [$0 < 100 ? 0 : 6, $0, 35, 45, 120, 0, 0, 0, 0, 0, 0, 0] as [UInt8] })
    tracker.read(satellites)
    #expect(tracker.satellitesInView.count == Budget.satellites)
    tracker.receiverRestarted()
    #expect(tracker.satellitesInView.count == 0)
    for talker in ["GP", "GL", "GA", "GB"] {
      tracker.read(Receiver.gsv((1...30).map { ($0, 40) }, talker: talker).joined())
    }
    #expect(tracker.satellitesInView.count == Budget.satellites)
    // A single list longer than all.
    tracker.receiverRestarted()
    tracker.read(
      (0..<40).map { page in
        let numbers = (0..<4).map { ",\(65 + (4 * page + $0) % 32),45,120,40" }.joined()
        return Receiver.sentence("GNGSV,40,\(page + 1),160\(numbers)")
      }.joined())
    #expect(tracker.satellitesInView.count <= 32)
  }
}
