import ArgumentParser
import CAllocationCounter
import Codec
import Foundation
import Runtime
import Simulated

/// Speed of Talon's own code, each figure beside a yardstick that runs on the same machine in the same minute.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures Talon's own code in this process. Build with -c release.",
    discussion: "The exit code is 1 when a figure misses its bar.")

  enum Part: String, ExpressibleByArgument, CaseIterable {
    case codecs, agent, camera, senses, paint, turns
  }

  @Argument(help: "What to measure: codecs, agent, camera, senses, paint or turns; all, unless named.")
  var parts: [Part] = Part.allCases

  func run() throws {
    #if DEBUG
      print("this is a debug build: the figures mean nothing\n")
    #endif
    var verdict = Verdict()
    for part in parts { verdict.show(try measurements(part)) }
    try verdict.finish()
  }

  private func measurements(_ part: Part) throws -> [Measurement] {
    switch part {
    case .codecs: try codecs()
    case .agent: try agent()
    case .senses: try SensesBench.measurements()
    case .paint: try PaintBench.measurements() + TransitionBench.measurements() + VectorBench.measurements()
    case .turns: try TurnBench.measurements()
    case .camera: try CameraBench.measurements() + ClipBench.measurements()
    }
  }

  // MARK: Codecs

  private func codecs() throws -> [Measurement] {
    let text = Self.frames(bytes: 8_000_000)
    let bytes = [UInt8](text)
    let megabytes = Double(bytes.count) / 1e6
    let ours = try Stopwatch.best { try JSONValidator.check(bytes.span, depthLimit: 64) }
    let theirs = try Stopwatch.best(of: 3) { _ = try JSONSerialization.jsonObject(with: text) }
    var output = [UInt8](repeating: 0, count: Base64.standard.encodedLength(of: bytes.count))
    let encode = output.withUnsafeMutableBufferPointer { buffer in
      Stopwatch.best { Base64.standard.encode(bytes.span, into: buffer) }
    }
    let foundation = Stopwatch.best { _ = text.base64EncodedData() }
    return [
      Measurement(
        name: "JSON reading, strict", value: megabytes / ours, unit: "MB/s",
        yardstick: ("JSONSerialization", megabytes / theirs), bar: .jsonReading),
      Measurement(
        name: "base64 encoding", value: megabytes / encode, unit: "MB/s",
        yardstick: ("Foundation", megabytes / foundation)),
    ]
  }

  /// A JSON array of frames as gateways send them, of at least so many bytes.
  static func frames(bytes: Int) -> Data {
    let frame = """
      {"type":"event","event":"node.invoke.request","payload":{"id":"5f2c1a77-2f39-4f7e-bb54-7c0b5b0d7a01",\
      "nodeId":"56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c","command":"camera.snap",\
      "paramsJSON":"{\\"maxWidth\\":1280,\\"quality\\":0.8}","timeoutMs":30000,"seq":12,"ok":true}}
      """
    var text = "["
    while text.utf8.count < bytes { text += frame + ",\n" }
    return Data((text + frame + "]").utf8)
  }

  // MARK: Agent

  private func agent() throws -> [Measurement] {
    let photoMemory = try AgentInMemory().photoMemory()
    let bench = try AgentInMemory()
    let count = 10_000
    var allocations: UInt64 = 0
    let seconds = Stopwatch.best(of: 1) { allocations = bench.invoke(count) }
    // The yardstick reads and writes the same frames with Foundation, and does nothing else.
    let theirs = try Stopwatch.best(of: 1) { try bench.decodeAndEncode(count) }
    return [
      Measurement(
        name: "invokes, frame to frame, one core", value: Double(count) / seconds, unit: "per second",
        yardstick: ("JSONSerialization of the frames alone", Double(count) / theirs)),
      Measurement(
        name: "allocations in \(count) mixed invokes", value: Double(allocations), unit: "", bar: .invokeAllocations),
      Measurement(
        name: "photo of 3.9 MB, 5.2 MB of base64: extra memory", value: Double(photoMemory) / 1024,
        unit: "KiB", bar: .photoMemory),
    ]
  }
}
