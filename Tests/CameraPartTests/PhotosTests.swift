import Board
import Camera
import Foundation
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node

@Suite("Kept photos, from frame to frame")
struct PhotosTests {
  private let files = MemoryPhotos()

  private func bench(width: Int = 640, height: Int = 480, bytes: Int64 = 5_000_000) throws -> AgentBench {
    var keeping = PhotoKeeping()
    keeping.bytes = bytes
    let board = PhotosBoard(files: files, codec: try TurboJPEG(), keeping: keeping)
    return try AgentBench(width: width, height: height, photos: board)
  }

  private func photos(_ answer: Answer?) throws -> [[String: Any]] {
    let answer = try #require(answer)
    #expect(answer.isOK, "\(answer.message ?? "")")
    return try #require(answer.payload["photos"] as? [[String: Any]])
  }

  private func declared(_ bench: AgentBench, _ member: String) -> [String] {
    (bench.connect["params"] as? [String: Any])?[member] as? [String] ?? []
  }

  @Test("where nothing is kept there is no command, and a photo is only sent")
  func off() throws {
    let bench = try AgentBench()
    #expect(!declared(bench, "commands").contains("photos.latest") && !declared(bench, "caps").contains("photos"))
    #expect(try bench.invoke("1", "camera.snap").first?.isOK == true)
    #expect(try bench.invoke("2", "photos.latest").first?.isOK == false)
  }

  @Test("each photo that was sent is kept as it was, and comes back, the newest first")
  func latest() throws {
    let bench = try bench()
    #expect(declared(bench, "commands").contains("photos.latest") && declared(bench, "caps").contains("photos"))
    #expect(try photos(try bench.invoke("0", "photos.latest").first).isEmpty)
    var sent: [Data] = []
    for index in 1...3 {
      bench.clock.advance(1_000)
      let answer = try #require(try bench.invoke("s\(index)", "camera.snap").first)
      let text = try #require(answer.payload["base64"] as? String)
      sent.append(try #require(Data(base64Encoded: text)))
    }
    #expect(files.photos.map { Data($0.bytes) } == sent)
    let one = try photos(try bench.invoke("1", "photos.latest").first)
    #expect(one.count == 1)
    let three = try photos(try bench.invoke("3", "photos.latest", params: #"{"limit":20}"#).first)
    #expect(three.map { $0["base64"] as? String } == sent.reversed().map { $0.base64EncodedString() })
    for photo in three {
      #expect(photo["format"] as? String == "jpeg")
      #expect(photo["width"] as? Int == 640 && photo["height"] as? Int == 480)
      #expect(Set(photo.keys).isSubset(of: ["format", "base64", "width", "height", "createdAt"]))
    }
    #expect(try bench.invoke("4", "photos.latest", params: #"{"limit":"all"}"#).first?.code == "INVALID_REQUEST")
  }

  @Test("photos are made to fit: as wide as is wanted, 300 KiB of base64 each, 340 KiB together")
  func limits() throws {
    let bench = try bench(width: 2560, height: 1920, bytes: 64_000_000)
    for index in 0..<4 { _ = try bench.invoke("s\(index)", "camera.snap", params: #"{"maxWidth":2560,"quality":1}"#) }
    #expect(files.photos.count == 4)
    let small = try photos(try bench.invoke("1", "photos.latest", params: #"{"maxWidth":1,"limit":2}"#).first)
    #expect(small.map { $0["width"] as? Int } == [240, 240])
    let all = try photos(
      try bench.invoke("2", "photos.latest", params: #"{"maxWidth":4096,"quality":1,"limit":9}"#).first)
    let characters = all.map { ($0["base64"] as? String ?? "").utf8.count }
    #expect(!all.isEmpty && characters.allSatisfy { $0 <= Budget.latestPhotoCharacters })
    #expect(characters.reduce(0, +) <= Budget.latestCharacters)
    for photo in all {
      let data = try #require(Data(base64Encoded: photo["base64"] as? String ?? ""))
      #expect(data.starts(with: [0xFF, 0xD8, 0xFF]))
    }
  }

  @Test("a photo that cannot be read is left out; where none can, that is said")
  func damaged() throws {
    let bench = try bench()
    for index in 0..<2 { _ = try bench.invoke("s\(index)", "camera.snap") }
    let junk = Array("not a picture".utf8)
    try junk.withUnsafeBufferPointer { try files.write(KeptPhoto(number: 3, time: 0), $0) }
    let again = try self.bench()
    again.runner.runAll()
    #expect(try photos(try again.invoke("1", "photos.latest", params: #"{"limit":5}"#).first).count == 2)
    files.failure = .inputOutput
    let failed = try #require(try again.invoke("2", "photos.latest").first)
    #expect(failed.code == "PHOTOS_UNAVAILABLE" && failed.message?.contains("input/output error") == true)
    files.failure = nil
    #expect(try photos(try again.invoke("3", "photos.latest").first).count == 1)
  }

  @Test("flash that fails costs no answer, and is said once; the next photo is kept again")
  func fullCard() throws {
    let bench = try bench()
    bench.runner.runAll()
    files.failure = .noSpace
    for index in 0..<3 { #expect(try bench.invoke("\(index)", "camera.snap").first?.isOK == true) }
    files.failure = nil
    #expect(try bench.invoke("9", "camera.snap").first?.isOK == true)
    #expect(files.photos.count == 1)
    var lines: [String] = []
    bench.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines.filter { $0.contains("cannot be reached: no space left") }.count == 1)
    #expect(lines.filter { $0.contains("photos are kept again") }.count == 1)
  }

  @Test("a held board gives none, and keeps what it has")
  func panic() throws {
    let bench = try bench()
    _ = try bench.invoke("1", "camera.snap")
    bench.agent.holdStill("by a test")
    bench.runner.runAll()
    #expect(files.photos.count == 1)
    #expect(bench.agent.isHeld)
  }

  @Test("a canceled request is not answered, and the next one is")
  func canceled() throws {
    let bench = try bench()
    _ = try bench.invoke("1", "camera.snap")
    bench.gateway.send(bench.frame("c", "photos.latest"))
    bench.cancelInvoke("c")
    #expect(try bench.settle().allSatisfy { !$0.isOK })
    #expect(try photos(try bench.invoke("2", "photos.latest").first).count == 1)
  }

  @Test("photos that are too old are removed when their time comes")
  func age() throws {
    let bench = try bench()
    bench.clock.wall = Budget.earliestWall + 1_000
    _ = try bench.invoke("1", "camera.snap")
    #expect(files.photos.count == 1 && files.photos[0].photo.time > 0)
    bench.passAlive(100 * 60_000)
    #expect(files.photos.count == 1)
    bench.clock.wall += 8 * 86_400_000
    bench.passAlive(2 * 3_600_000)
    #expect(files.photos.isEmpty)
  }
}
