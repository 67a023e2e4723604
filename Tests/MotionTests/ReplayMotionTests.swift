import Foundation
import Motion
import Runtime
import Simulated
import Testing

private final class ReplayClock: Clock {
  var monotonic: Int64 = 5_000
  var wall: Int64 = 0
}

@Suite("A recording of motion")
struct ReplayMotionTests {
  private let clock = ReplayClock()
  private let batch = MotionBatch()
  private let path = FileManager.default.temporaryDirectory.appendingPathComponent("talon-replay-\(UUID()).csv").path

  private func source(_ text: String) throws -> ReplayMotion {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return try ReplayMotion(path: path, clock: clock)
  }

  private func drain(_ source: ReplayMotion, after milliseconds: Int64) throws -> [MotionSample] {
    clock.monotonic += milliseconds
    batch.clear()
    try source.drain(into: batch)
    return (0..<batch.count).map { batch[$0] }
  }

  @Test("comes at the pace of the clock, over and over")
  func pace() throws {
    let source = try source("ax,ay,az\n0.1,0,1\n0.2,0,1\r\n\n 0.3 , -0.5e-1 ,+1\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let facts = try source.open(rate: 50)
    #expect(facts.rate == 50)
    #expect(!facts.hasGyroscope)
    #expect(try drain(source, after: 19).isEmpty)
    #expect(try drain(source, after: 1) == [MotionSample(acceleration: Vector3(0.1, 0, 1))])
    #expect(batch.end == clock.monotonic * 1000)
    let next = try drain(source, after: 85)
    #expect(next.map(\.acceleration.x) == [0.2, 0.3, 0.1, 0.2])
    #expect(next[1].acceleration.y == -0.05)
    #expect(batch.end == 5_100_000)
    #expect(!batch.hasGap)
    source.close()
    #expect(throws: MotionError.self) { try source.drain(into: batch) }
    // Opened again, it begins anew.
    _ = try source.open(rate: 50)
    #expect(try drain(source, after: 20).map(\.acceleration.x) == [0.1])
  }

  @Test("with times has the rate of its times, and with six axes rotation", arguments: [0, 1])
  func times(hasRotation: Int) throws {
    var text = ""
    for sample in 0..<400 {
      text += "\(Double(sample) / 25),\(sample),0,1" + (hasRotation == 1 ? ",0.5,0,-\(sample)\n" : "\n")
    }
    let source = try source(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let facts = try source.open(rate: 50)
    #expect(abs(facts.rate - 25) < 0.001)
    #expect(facts.hasGyroscope == (hasRotation == 1))
    let samples = try drain(source, after: 4_010)
    #expect(samples.count == 100)
    #expect(samples.map(\.acceleration.x) == (0..<100).map { Float($0) })
    #expect(samples[7].rotation == (hasRotation == 1 ? Vector3(0.5, 0, -7) : Vector3()))
  }

  @Test("samples are skipped after a pause in draining")
  func late() throws {
    let source = try source("0,0,1\n")
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try source.open(rate: 100)
    #expect(try drain(source, after: 86_400_000).count == Budget.motionBatchSamples)
    #expect(batch.hasGap)
    #expect(try drain(source, after: 100).count == 10)
    #expect(!batch.hasGap)
  }

  @Test("tells its rate by its first samples alone")
  func firstSamples() throws {
    var text = ""
    for sample in 0...Budget.replayRateSamples { text += "\(Double(sample) / 100),0,0,1\n" }
    for sample in 0..<500 { text += "\(2 + sample),0,0,1\n" }
    let source = try source(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(abs(try source.open(rate: 50).rate - 100) < 0.001)
  }

  @Test(
    "that is none is absent",
    arguments: [
      "", "no numbers\n", "1,2\n", "1,2,3,4,5\n", "0,0,0,1\n", "0,0,0,1\n0,0,0,1\n",
      String(repeating: "1", count: 9000),
    ])
  func none(text: String) throws {
    let source = try source(text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: MotionError.self) { _ = try source.open(rate: 50) }
    #expect(throws: MotionError.self) { _ = try ReplayMotion(path: "/nowhere.csv", clock: clock).open(rate: 50) }
  }
}
