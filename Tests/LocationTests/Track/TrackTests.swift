import Foundation
import Runtime
import TestSupport
import Testing

@testable import Location

@Suite struct TrackTests {
  private static let day: Int64 = 86_400_000

  @Test(
    "a receiver that stands still for a day makes a handful of points, and its place is better than a fix",
    arguments: [(5.0, 5.0), (5, 7), (10, 14)])
  func standing(noise: Double, accuracy: Double) throws {
    for seed in 1...2 as ClosedRange<UInt64> {
      var drive = TrackDrive(seed: seed)
      (drive.noise, drive.accuracy) = (noise, accuracy)
      let track = Track(window: 2 * Self.day)
      drive.stand(86_400, every: 4) { track.receive($0) }
      #expect((1...5).contains(track.count))
      #expect(track.points.last!.place.distance(to: drive.place) < noise)
      #expect(try #require(track.newest) == drive.time)
      let still = track.points.map { $0.until - $0.from }.reduce(0, +)
      #expect(still > Self.day * 9 / 10)
    }
  }

  @Test("a walk of 10 km has its length within 3 %", arguments: [0.0, 3])
  func walking(noise: Double) {
    var drive = TrackDrive(seed: 7)
    drive.noise = noise
    let track = Track(window: Self.day)
    drive.go(10_000, speed: 1.4, bends: true) { track.receive($0) }
    #expect(abs(track.way - 10_000) < 300)
    #expect((200...450).contains(track.count))
  }

  @Test("a car makes a point every few seconds, and the length of its way is right")
  func driving() {
    var drive = TrackDrive()
    let track = Track(window: Self.day)
    drive.go(50_000, speed: 25, bends: true) { track.receive($0) }
    #expect(abs(track.way - 50_000) < 500)
    #expect((200...500).contains(track.count))
  }

  @Test("one fix far away moves nobody, and three do, to where the first of them was")
  func departure() {
    var drive = TrackDrive()
    let track = Track(window: Self.day)
    drive.stand(10) { track.receive($0) }
    let home = drive.place
    drive.place = TrackDrive.place(home, north: 300, east: 0)
    drive.stand(2) { track.receive($0) }
    drive.place = home
    drive.stand(10) { track.receive($0) }
    #expect(track.count == 1)
    drive.place = TrackDrive.place(home, north: 300, east: 0)
    let left = drive.time
    drive.stand(3) { track.receive($0) }
    #expect(track.count == 2)
    #expect(track[0].until == left && track[1].from == left + 1000 && track[1].until == drive.time)
    #expect(abs(track[1].way - 300) < 1)
    #expect(track[1].marks.isEmpty)
  }

  @Test("noise as large as the error that the receiver admits moves nobody")
  func admitted() {
    var drive = TrackDrive(seed: 3)
    (drive.noise, drive.accuracy) = (60, 100)
    let track = Track(window: Self.day)
    drive.stand(20_000) { track.receive($0) }
    #expect(track.count <= 3)
  }

  @Test("a better fix makes the place of a stay better")
  func better() {
    var drive = TrackDrive()
    drive.accuracy = 150
    let track = Track(window: Self.day)
    drive.stand(5) { track.receive($0) }
    drive.place = TrackDrive.place(drive.place, north: 100, east: 0)
    drive.accuracy = 5
    drive.stand(5) { track.receive($0) }
    #expect(track.count == 1 && track[0].accuracy == 5)
    #expect(track[0].place.distance(to: drive.place) < 0.1)
  }

  @Test("what the receiver did not measure, and what has no believable date, is no point")
  func unmeasured() {
    var drive = TrackDrive()
    let track = Track(window: Self.day)
    var computed = drive.fix()
    computed.isMeasured = false
    track.receive(computed)
    var dateless = drive.fix()
    dateless.instant = 0
    track.receive(dateless)
    #expect(track.count == 0 && track.newest == nil)
  }

  // MARK: Gaps and clocks

  @Test("a time without a fix is a gap, also where the board was at the same place before and after it")
  func gap() {
    var drive = TrackDrive()
    let track = Track(window: Self.day)
    drive.stand(60) { track.receive($0) }
    drive.time += Budget.trackGapMilliseconds - 1000
    drive.stand(1) { track.receive($0) }
    #expect(track.count == 1)
    drive.time += Budget.trackGapMilliseconds
    drive.stand(60) { track.receive($0) }
    #expect(track.count == 2 && track[1].marks == .gap && track[1].way == 0)
  }

  @Test("one wrong date neither ends the track nor is a part of it", arguments: [-400, -1, 1, 5_000] as [Int64])
  func wrongDate(days: Int64) {
    var drive = TrackDrive()
    let track = Track(window: Self.day)
    drive.stand(120) { track.receive($0) }
    for _ in 0..<30 {
      drive.time += 1000
      var fix = drive.fix()
      fix.instant += days * Self.day
      track.receive(fix)
    }
    drive.stand(120) { track.receive($0) }
    track.expire(at: track.moment(drive.now, wall: nil)!)
    #expect(track.count == 1 && track[0].until == drive.time && track[0].from < TrackDrive.start + 2_000)
  }

  @Test("a clock that goes on another way for a minute is believed, and the points stay in their order")
  func leap() throws {
    var drive = TrackDrive()
    let track = Track(window: Self.day)
    drive.stand(120) { track.receive($0) }
    let before = try #require(track.newest)
    drive.time -= 3_600_000
    drive.offset -= 3_600_000
    drive.stand(59) { track.receive($0) }
    #expect(track.count == 1 && track.newest == before)
    drive.stand(60) { track.receive($0) }
    #expect(track.count == 2 && track[1].marks == .leap && track[1].from < before && track[1].way == 0)
    #expect(track.newest == drive.time)
    // What is older than the window by the new clock ends, and what is as far ahead of it, too.
    drive.time += 2_000 * Self.day
    drive.offset += 2_000 * Self.day
    drive.stand(120) { track.receive($0) }
    #expect(track.count == 3)
    track.expire(at: try #require(track.moment(drive.now, wall: nil)))
    #expect(track.count == 1 && track[0].until == drive.time)
  }

  @Test("the board's own clock ends points only when it was set, is believable, and is after the last point")
  func wall() {
    var drive = TrackDrive()
    let track = Track(window: Self.day)
    drive.stand(1) { track.receive($0) }
    #expect(track.moment(0, wall: nil) == nil)
    #expect(track.moment(0, wall: drive.time - 1) == nil)
    #expect(track.moment(0, wall: .max) == nil)
    #expect(track.moment(0, wall: drive.time + 1) == drive.time + 1)
    drive.stand(61) { track.receive($0) }
    // The receiver's time has proved itself.
    #expect(track.moment(drive.now + 5_000, wall: .max) == drive.time + 5_000)
  }

  // MARK: The ring

  @Test("points end when they leave the window, whether or not there are fixes")
  func window() {
    var drive = TrackDrive()
    let track = Track(window: 3_600_000)
    drive.hop(200) { track.receive($0) }
    track.expire(at: drive.time)
    // One a minute.
    #expect((60...62).contains(track.count) && track.points.allSatisfy { $0.until >= drive.time - 3_600_000 })
    #expect(track.dropped + track.count >= 199)
    track.expire(at: drive.time + 3_600_001)
    #expect(track.count == 0)
    drive.stand(3) { track.receive($0) }
    #expect(track.count == 1)
  }

  @Test("a full track keeps its whole time and the length of its way, with fewer of its older points")
  func full() throws {
    var drive = TrackDrive()
    let track = Track(window: 60 * Self.day)
    let most = Budget.trackPages * Budget.trackPagePoints
    var all: Set<[Double]> = []
    var hops = 0
    for _ in 0..<90 {
      drive.hop(100) { track.receive($0) }
      hops += 100
      #expect(track.count <= most)
    }
    for fix in drive.fixes { all.insert([(fix.latitude * 1e7).rounded(), (fix.longitude * 1e7).rounded()]) }
    let points = track.points
    #expect(track.thinnings > 0 && track.revision == track.thinnings && points.count > most / 2)
    #expect(points[0].from < TrackDrive.start + 120_000 && track.newest == drive.time)
    for (before, after) in zip(points, points.dropFirst()) { #expect(before.until < after.from) }
    // No point is invented.
    #expect(
      points.allSatisfy {
        all.contains([($0.place.latitude * 1e7).rounded(), ($0.place.longitude * 1e7).rounded()])
      })
    let length = Double(hops - 1) * 1000
    #expect(abs(track.way - length) < length * 0.01)
    #expect(points.contains { $0.marks == .thinned } && points.last!.marks.isEmpty)
    // The newest half is as it was received.
    #expect(points.suffix(most / 2).dropFirst().allSatisfy { abs($0.way - 1000) < 10 })
  }

  @Test("of two points the one of the longer stay remains")
  func stays() {
    var drive = TrackDrive()
    let track = Track(window: 60 * Self.day)
    var homes: [Int64] = []
    for round in 0..<2_300 {
      drive.hop(1) { track.receive($0) }
      // An hour at every fifth place.
      guard round % 5 == 0 else { continue }
      homes.append(drive.time)
      drive.stand(3_600, every: 300) { track.receive($0) }
    }
    #expect(track.thinnings == 1)
    let points = track.points
    for home in homes {
      #expect(points.contains { $0.from <= home && $0.until >= home + 3_000_000 })
    }
  }

  @Test("without a point nothing is there, and all can be erased")
  func erased() {
    var drive = TrackDrive()
    let track = Track(window: Self.day)
    #expect(track.count == 0 && !track.isUnwritten)
    drive.hop(20) { track.receive($0) }
    track.removeAll()
    #expect(track.count == 0 && track.newest == nil && track.revision == 1)
    drive.hop(1) { track.receive($0) }
    #expect(track.count == 1)
  }

  // MARK: Points

  @Test("a point comes back as it was written, and other bytes are none or a point")
  func bytes() throws {
    var random = Seeded(5)
    let buffer = FixedBuffer(capacity: TrackPoint.bytes)
    for _ in 0..<2_000 {
      var fix = Fix(
        latitude: .random(in: -90...90, using: &random), longitude: .random(in: -180...180, using: &random),
        accuracy: .random(in: 0...10_000, using: &random), altitude: Bool.random(using: &random) ? 400.4 : nil,
        instant: .random(in: TrackDrive.start...TrackDrive.start + 1 << 40, using: &random), arrival: 0,
        isMeasured: true)
      fix.speed = 3
      var point = TrackPoint(fix)
      point.extend(to: fix.instant + .random(in: -5...10_000_000, using: &random))
      point.way = .random(in: 0...1e9, using: &random)
      point.marks = TrackPoint.Marks(rawValue: .random(in: 0...7, using: &random))
      point.encode(into: buffer.bytes)
      let read = TrackPoint(Span(_unsafeElements: UnsafeBufferPointer(buffer.bytes)))
      #expect(read == point)
      #expect(point.place.distance(to: fix.place) < 0.02 && abs(point.from - fix.instant) < 1000)
      #expect(point.until >= point.from && point.altitude == fix.altitude.map { $0.rounded() })
      for index in buffer.bytes.indices { buffer.bytes[index] = .random(in: 0...255, using: &random) }
      guard let any = TrackPoint(Span(_unsafeElements: UnsafeBufferPointer(buffer.bytes))) else { continue }
      #expect(abs(any.place.latitude) <= 90 && abs(any.place.longitude) <= 180 && any.until >= any.from)
    }
  }

  @Test("what no number can hold becomes the nearest that it can")
  func extremes() {
    var fix = Fix(
      latitude: 90, longitude: -180, accuracy: .infinity, altitude: 1e9, instant: .max / 2, arrival: 0,
      isMeasured: true)
    var point = TrackPoint(fix)
    #expect(point.accuracy == 6553.5 && point.altitude == 32_767 && point.from == Int64(UInt32.max) * 1000)
    point.way = .infinity
    #expect(point.way == Double((1 << 28) - 1) / 10)
    point.extend(to: .max)
    #expect(point.until > point.from)
    fix.altitude = -1e9
    point.set(fix)
    #expect(point.altitude == -32_767)
  }
}
