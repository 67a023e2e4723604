import Codec
import Foundation
import Runtime
import Testing

@testable import Location

@Suite struct TrackAnswerTests {
  private static let day: Int64 = 86_400_000

  private func answer(
    _ track: Track, _ parameters: String = "{}", cell: Double = 0
  ) throws -> [String: Any] {
    let buffer = FixedBuffer(capacity: Budget.toolAnswerBytes)
    var count = 0
    let request = try TrackRequest(JSONView(parameters.utf8.span))
    try track.answer(request, LocationPrecision(cell: cell)) { write in
      var writer = JSONWriter(into: buffer.bytes)
      write(&writer)
      let isComplete = writer.isComplete
      #expect(isComplete)
      count = writer.count
    }
    return try JSONSerialization.jsonObject(with: Data(buffer.bytes.prefix(count))) as? [String: Any] ?? [:]
  }

  private func segments(_ answer: [String: Any]) -> [[String: Any]] { answer["segments"] as? [[String: Any]] ?? [] }

  private func words(_ answer: [String: Any]) -> [String] { segments(answer).compactMap { $0["what"] as? String } }

  private func iso(_ milliseconds: Int64) -> String {
    ISO8601(unixMilliseconds: milliseconds).text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// An hour at home, 3 km to work, an hour there, two hours without a fix, and an hour there again.
  private func outing() -> (track: Track, drive: TrackDrive, left: Int64, came: Int64, lost: Int64) {
    var drive = TrackDrive()
    let track = Track(window: Self.day)
    drive.stand(3_600) { track.receive($0) }
    let left = drive.time
    drive.go(3_000, speed: 10) { track.receive($0) }
    let came = drive.time
    drive.stand(3_600) { track.receive($0) }
    let lost = drive.time
    drive.time += 7_200_000
    drive.stand(3_600) { track.receive($0) }
    return (track, drive, left, came, lost)
  }

  @Test("stays, the leg between them with its distance, and the time without a fix")
  func whole() throws {
    let (track, drive, left, _, lost) = outing()
    let answer = try answer(track)
    #expect(words(answer) == ["stay", "leg", "stay", "no fix", "stay"])
    #expect(answer["leftOut"] as? Int == 0 && answer["lost"] == nil)
    #expect(answer["knownUntil"] as? String == iso(drive.time))
    let all = segments(answer)
    #expect(all[0]["lat"] as? Double == 47 && all[0]["lon"] as? Double == 8)
    #expect(all[0]["accuracyMeters"] as? Int == 5 && all[0]["altitudeMeters"] as? Int == 540)
    let meters = try #require(all[1]["distanceMeters"] as? Double)
    #expect(abs(meters - 3_000) < 90 && answer["distanceMeters"] as? Double == meters)
    #expect(abs(try #require(all[1]["straightMeters"] as? Double) - meters) < 2)
    #expect(all[1]["from"] as? String == all[0]["until"] as? String)
    #expect(all[1]["until"] as? String == all[2]["from"] as? String)
    #expect(all[3]["from"] as? String == iso(lost) && all[3]["until"] as? String == iso(lost + 7_201_000))
    #expect(try #require(all[0]["until"] as? String) <= iso(left + 5_000))
  }

  @Test("at an instant it is the stay, the leg between two points, or the gap, and no place is computed")
  func instant() throws {
    let (track, _, left, came, lost) = outing()
    func at(_ time: Int64) throws -> [String: Any] { try answer(track, #"{"at":"\#(iso(time))"}"#) }
    #expect(words(try at(left - 600_000)) == ["stay"])
    #expect(words(try at(came + 600_000)) == ["stay"])
    #expect(words(try at(lost + 600_000)) == ["stay", "no fix", "stay"])
    // On the way there are points every 5 s and legs between them.
    for second in 0..<300 {
      let found = segments(try at(left + Int64(second) * 1000))
      #expect((1...3).contains(found.count))
      for segment in found {
        for key in ["lat", "fromLat", "toLat"] {
          guard let north = segment[key] as? Double else { continue }
          #expect(track.points.contains { abs($0.place.latitude - north) < 1e-5 })
        }
      }
    }
  }

  @Test("what is told of a window lies within it or touches it")
  func window() throws {
    let (track, _, left, came, lost) = outing()
    let answer = try answer(track, #"{"from":"\#(iso(left + 20_000))","to":"\#(iso(came - 20_000))"}"#)
    #expect(words(answer) == ["leg"])
    let part = try #require(segments(answer)[0]["distanceMeters"] as? Double)
    #expect((2_200...2_800).contains(part))
    #expect(words(try self.answer(track, #"{"from":"\#(iso(lost))"}"#)) == ["stay", "no fix", "stay"])
    #expect(words(try self.answer(track, #"{"to":"\#(iso(left - 60_000))"}"#)) == ["stay"])
  }

  @Test("outside of what is known the answer says from when, or until when, something is")
  func outside() throws {
    let empty = Track(window: Self.day)
    func complaint(_ track: Track, _ parameters: String) -> String {
      do throws(TrackError) {
        let request = try TrackRequest(JSONView(parameters.utf8.span))
        try track.answer(request, .exact) { _ in }
        return ""
      } catch {
        var text = [UInt8](repeating: 0, count: 256)
        let count = text.withUnsafeMutableBufferPointer { buffer in
          var writer = ByteWriter(into: buffer)
          error.writeMessage(to: &writer)
          return writer.count
        }
        return String(decoding: text[..<count], as: UTF8.self)
      }
    }
    #expect(complaint(empty, "{}").contains("no position is known: "))
    let (track, drive, _, _, _) = outing()
    let first = track[0].from
    #expect(complaint(track, #"{"at":"2026-01-01T00:00:00Z"}"#).contains("no position is known before \(iso(first))"))
    #expect(
      complaint(track, #"{"from":"2026-12-01T00:00:00+01:00"}"#).contains(
        "no position is known after \(iso(drive.time))"))
    for wrong in [
      #"{"at":"yesterday"}"#, #"{"at":5}"#, #"{"from":"2026-12-01T00:00:00"}"#, "[]", #""now""#,
      #"{"at":"2026-12-01T00:00:00Z","to":"2026-12-02T00:00:00Z"}"#,
      #"{"from":"2026-12-02T00:00:00Z","to":"2026-12-01T00:00:00Z"}"#,
    ] {
      #expect(complaint(track, wrong).hasPrefix("INVALID_REQUEST") || complaint(track, wrong).contains("must be"))
    }
    #expect(complaint(track, #"{"at":null,"purpose":"x"}"#).isEmpty)
  }

  @Test("a limited precision limits the track: middles of cells, no altitude, and no way within a cell")
  func precision() throws {
    let (track, _, _, _, _) = outing()
    let answer = try answer(track, cell: 1_000)
    let limit = LocationPrecision(cell: 1_000)
    let stays = segments(answer).filter { $0["what"] as? String == "stay" }
    #expect(!stays.isEmpty && stays.allSatisfy { $0["altitudeMeters"] == nil })
    for (stay, point) in [(stays[0], track[0]), (stays[stays.count - 1], track[track.count - 1])] {
      let middle = limit.limit(
        Fix(
          latitude: point.place.latitude, longitude: point.place.longitude, accuracy: 5, instant: 0, arrival: 0,
          isMeasured: true))
      #expect(abs(try #require(stay["lat"] as? Double) - middle.latitude) < 1e-5)
      #expect(abs(try #require(stay["lon"] as? Double) - middle.longitude) < 1e-5)
      #expect(try #require(stay["accuracyMeters"] as? Double) >= 707)
    }
    let all = try self.answer(track, cell: 100_000)
    #expect(all["distanceMeters"] as? Int == 0)
  }

  @Test("a long answer has its newest part, and the number of what was left out")
  func long() throws {
    var drive = TrackDrive()
    let track = Track(window: 60 * Self.day)
    for _ in 0..<100 {
      drive.stand(600, every: 10) { track.receive($0) }
      drive.hop(1) { track.receive($0) }
    }
    let answer = try answer(track)
    #expect(segments(answer).count == Budget.trackSegments)
    let left = try #require(answer["leftOut"] as? Int)
    #expect(left > 100)
    #expect(segments(answer).last?["until"] as? String == iso(drive.time) || words(answer).last == "leg")
  }

  @Test("a track that was thinned out says so")
  func thinned() throws {
    var drive = TrackDrive()
    let track = Track(window: 60 * Self.day)
    drive.hop(2_200) { track.receive($0) }
    let answer = try answer(track)
    #expect((answer["lost"] as? String)?.contains("every second point is missing") == true)
  }

  @Test("pages for people have each point once, and go on where the last one ended")
  func pages() throws {
    var drive = TrackDrive()
    let track = Track(window: 60 * Self.day)
    drive.hop(300) { track.receive($0) }
    var (after, times): (Int?, [String]) = (0, [])
    while let start = after {
      let buffer = FixedBuffer(capacity: 64 * 1024)
      var writer = JSONWriter(into: buffer.bytes)
      track.writePage(after: start, to: &writer)
      let isComplete = writer.isComplete
      #expect(isComplete)
      let page = try #require(
        try JSONSerialization.jsonObject(with: Data(buffer.bytes.prefix(writer.count))) as? [String: Any])
      times += (page["points"] as? [[String: Any]] ?? []).compactMap { $0["from"] as? String }
      after = page["next"] as? Int
      // The oldest end meanwhile, and new ones come.
      if start == 0 {
        track.expire(at: track[50].from + track.window)
        drive.hop(10) { track.receive($0) }
      }
    }
    #expect(times.count == 310 && Set(times).count == 310 && times == times.sorted())
  }
}
