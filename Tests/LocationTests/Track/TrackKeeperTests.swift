import Foundation
import Runtime
import Simulated
import Testing

@testable import Location

/// Records that can be copied, and a power cut after so many writes.
private final class CutStore: RecordStore {
  var records: [String: [UInt8]] = [:]
  /// Writes until the power goes; nil: it stays.
  var left: Int?
  private(set) var writes = 0

  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? {
    guard let record = records[String(cString: name)] else { return nil }
    if record.isEmpty { throw .torn }
    guard record.count <= bytes.count else { throw .tooLarge }
    for index in record.indices { bytes[index] = record[index] }
    return (record.count, .current)
  }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    if left == 0 { throw .system(.inputOutput) }
    left = left.map { $0 - 1 }
    writes += 1
    records[String(cString: name)] = Array(bytes)
  }
}

@Suite struct TrackKeeperTests {
  private static let window: Int64 = 60 * 86_400_000
  private static let most = Budget.trackPages * Budget.trackPagePoints
  private let clock = VirtualClock()
  private let runner = DeferredRunner()
  private let store = CutStore()
  private let log = Log(output: nil)

  private func keeper(_ store: CutStore) -> TrackKeeper {
    TrackKeeper(window: Self.window, store: store, runner: runner, clock: clock, log: log)
  }

  /// The points that a start after a power cut finds.
  private func found(_ store: CutStore) -> Track {
    let keeper = keeper(store)
    keeper.load()
    return keeper.track
  }

  @Test("the first point is written at once, then what has changed every quarter of an hour, and at the end")
  func pace() {
    let keeper = keeper(store)
    keeper.load()
    #expect(keeper.nextDeadline == nil)
    var drive = TrackDrive()
    drive.stand(1) { keeper.receive($0, now: 0) }
    runner.runAll()
    #expect(store.writes == 1 && keeper.isSettled)
    drive.hop(10) { keeper.receive($0, now: 1000) }
    runner.runAll()
    #expect(store.writes == 1 && keeper.nextDeadline == Budget.trackWriteMilliseconds)
    keeper.advance(to: Budget.trackWriteMilliseconds - 1)
    runner.runAll()
    #expect(store.writes == 1 && found(store).count == 1)
    keeper.advance(to: Budget.trackWriteMilliseconds)
    runner.runAll()
    #expect(store.writes == 2 && found(store).count == 11)
    drive.hop(1) { keeper.receive($0, now: Budget.trackWriteMilliseconds + 1) }
    keeper.flush()
    #expect(!keeper.isSettled)
    runner.runAll()
    #expect(keeper.isSettled && found(store).points == keeper.track.points)
  }

  @Test("a board that stands for a day writes a page about a hundred times")
  func wear() {
    let keeper = keeper(store)
    keeper.load()
    var drive = TrackDrive()
    drive.stand(86_400, every: 30) { fix in
      keeper.receive(fix, now: fix.arrival)
      keeper.advance(to: fix.arrival)
      runner.runAll()
    }
    #expect((90...100).contains(store.writes))
  }

  @Test("after a restart the track goes on: a stay where it was, with a gap only where there was no fix for long")
  func restart() {
    let first = keeper(store)
    first.load()
    var drive = TrackDrive()
    drive.stand(120) { first.receive($0, now: 0) }
    first.flush()
    runner.runAll()
    // The monotonic clock begins anew.
    drive.offset = drive.time
    drive.time += 60_000
    let second = keeper(store)
    second.load()
    drive.stand(10) { second.receive($0, now: 0) }
    #expect(second.track.count == 1 && second.track.newest == drive.time)
    second.flush()
    runner.runAll()
    drive.offset = drive.time
    drive.time += 3_600_000
    let third = keeper(store)
    third.load()
    drive.stand(10) { third.receive($0, now: 0) }
    #expect(third.track.count == 2 && third.track[1].marks == .gap)
  }

  @Test("a power cut after any write while a full track is thinned out leaves it readable, in order and complete")
  func cut() {
    let full = keeper(store)
    full.load()
    var drive = TrackDrive()
    drive.hop(Self.most) { full.track.receive($0) }
    full.flush()
    runner.runAll()
    #expect(full.track.count == Self.most && found(store).count == Self.most)
    let (before, newest) = (store.records, drive.time)
    drive.hop(300) { full.track.receive($0) }
    #expect(full.track.thinnings == 1)
    // What is written, write after write.
    var cuts = 0
    var isCut = true
    while isCut {
      let cut = CutStore()
      (cut.records, cut.left) = (before, cuts)
      var again = TrackDrive()
      let keeper = keeper(cut)
      keeper.load()
      again.offset = drive.offset
      again.time = newest
      again.place = Place(latitude: 10, longitude: 10)
      again.hop(300) { keeper.track.receive($0) }
      keeper.flush()
      runner.runAll()
      isCut = cut.left == 0
      let points = found(cut).points
      #expect(points.count <= Self.most && points.count >= Self.most / 2)
      for (one, next) in zip(points, points.dropFirst()) {
        if one.until >= next.from { Issue.record("after \(cuts) writes points are twice there or out of order") }
      }
      #expect(points[0].from < TrackDrive.start + 120_000)
      #expect(points.last!.until >= newest)
      let way = points.filter { $0.place.latitude > 46 }.reduce(0) { $0 + $1.way }
      #expect(abs(way - Double(Self.most - 1) * 1000) < 50_000)
      cuts += 1
    }
    #expect(cuts > 6)
  }

  @Test("a damaged page is lost and told, and the others are not")
  func damaged() {
    let first = keeper(store)
    first.load()
    var drive = TrackDrive()
    drive.hop(3 * Budget.trackPagePoints) { first.track.receive($0) }
    first.flush()
    runner.runAll()
    #expect(store.records.count == 3)
    for broken in [[], [1, 2, 3], [UInt8](repeating: 0xFF, count: Budget.trackRecordBytes)] as [[UInt8]] {
      let other = CutStore()
      other.records = store.records
      other.records["track01"] = broken
      let keeper = keeper(other)
      keeper.load()
      #expect(keeper.track.count == 2 * Budget.trackPagePoints)
      // It goes on.
      drive.hop(1) { keeper.track.receive($0) }
      #expect(keeper.track.newest == drive.time)
      keeper.removeAll(now: 0)
      runner.runAll()
      #expect(other.records.count == 3 && other.records.values.allSatisfy { $0.count == 12 })
    }
  }

  @Test("what has left the window is erased from flash as well, and so is all when a person says so")
  func erased() {
    let keeper = TrackKeeper(window: 3_600_000, store: store, runner: runner, clock: clock, log: log)
    keeper.load()
    var drive = TrackDrive()
    drive.hop(400) { keeper.track.receive($0) }
    keeper.flush()
    runner.runAll()
    keeper.expire(at: drive.time, now: 0)
    keeper.flush()
    runner.runAll()
    #expect(found(store).points.allSatisfy { $0.until >= drive.time - 3_600_000 })
    #expect(store.records.values.filter { $0.count > 12 }.count <= 2)
    keeper.removeAll(now: 1)
    runner.runAll()
    #expect(keeper.track.count == 0 && found(store).count == 0)
    #expect(store.records.values.allSatisfy { $0.count == 12 })
    // The places are used again.
    drive.hop(1) { keeper.receive($0, now: Budget.trackWriteMilliseconds) }
    keeper.flush()
    runner.runAll()
    #expect(found(store).count == 1)
  }

  @Test("a flash that refuses is told once, and gets all when it takes something again")
  func refused() {
    store.left = 0
    let keeper = keeper(store)
    keeper.load()
    var drive = TrackDrive()
    drive.hop(200) { keeper.receive($0, now: 0) }
    runner.runAll()
    #expect(store.records.isEmpty && keeper.track.count == 200)
    store.left = nil
    clock.advance(2 * Budget.trackWriteMilliseconds)
    keeper.advance(to: clock.monotonic)
    runner.runAll()
    keeper.flush()
    runner.runAll()
    #expect(found(store).points == keeper.track.points)
  }
}
