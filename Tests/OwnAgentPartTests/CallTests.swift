import Foundation
import Gateway
import Node
import OwnAgent
import Runtime
import Testing

@testable import Benches
@testable import OwnAgentPart

/// A picture that is lent.
private final class Picture: BlobDelegate {
  let buffer: FixedBuffer
  private(set) var released = 0

  init(_ count: Int) {
    buffer = FixedBuffer(capacity: count)
    for index in 0..<count { buffer.bytes[index] = UInt8(truncatingIfNeeded: index &* 31 >> 3) }
    buffer.bytes[0] = 0xFF
  }

  var blob: OutboundBlob { OutboundBlob(UnsafeBufferPointer(buffer.bytes), .base64, delegate: self) }
  func blobRead(upTo count: Int) {}
  func blobReleased() { released += 1 }
}

@Suite("Calls of the board's own agent") struct OwnAgentCallTests {
  @Test func `A call reaches the lender with its arguments, its taint and a deadline`() throws {
    let bench = try OwnAgentBench.answering()
    bench.call(5, "photo", #"{"maxWidth":640}"#, isTainted: true)
    bench.call(6, "say")
    let begun = bench.lender.begun
    #expect(begun.map(\.name) == ["photo", "say"])
    #expect(begun[0].arguments == #"{"maxWidth":640}"# && begun[0].isTainted && !begun[1].isTainted)
    #expect(begun[0].deadline == bench.clock.monotonic + Budget.agentToolMilliseconds)
    bench.lender.end(begun[1].tag, #"{"content":[1]}"#)
    bench.lender.end(begun[0].tag, #"{"isError":true}"#, isError: true)
    #expect(
      bench.frames() == [
        #"resultPiece 6 {"content":[1]}"#, "result 6 0", #"resultPiece 5 {"isError":true}"#, "result 5 1",
      ])
    // Each is answered once.
    bench.lender.end(begun[0].tag)
    #expect(bench.frames().isEmpty)
  }

  @Test func `A call without arguments has none, and a tool may answer at once`() throws {
    let bench = try OwnAgentBench.answering()
    bench.lender.immediate = #"{"content":[]}"#
    bench.call(1, "photo", "")
    #expect(bench.lender.begun.first?.arguments == "{}")
    #expect(bench.frames() == [#"resultPiece 1 {"content":[]}"#, "result 1 0"])
  }

  @Test func `A tool that was not lent, and arguments that are no object, are failures with a sentence`() throws {
    let bench = try OwnAgentBench.answering()
    bench.call(1, "rm")
    #expect(bench.frames().first?.contains("this board has no such tool") == true)
    for (number, arguments) in ["[1]", "{", "null", "{\"a\":}", "\u{1}"].enumerated() {
      bench.call(UInt32(number + 2), "photo", arguments)
      let frames = bench.frames()
      #expect(frames.first?.contains("not a JSON object") == true)
      #expect(frames.last == "result \(number + 2) 1")
    }
    #expect(bench.lender.begun.isEmpty)
  }

  @Test func `As many calls at once as there is room for; one more is told`() throws {
    let bench = try OwnAgentBench.answering()
    for number in 0..<Budget.borrowedCalls { bench.call(UInt32(number), "photo") }
    #expect(bench.lender.begun.count == Budget.borrowedCalls && bench.frames().isEmpty)
    bench.call(100, "photo")
    #expect(bench.frames().first?.contains("as many calls as it can") == true)
    bench.lender.end(bench.lender.begun[3].tag)
    bench.call(101, "photo")
    #expect(bench.lender.begun.count == Budget.borrowedCalls + 1)
  }

  @Test func `A number that runs already is not begun again`() throws {
    let bench = try OwnAgentBench.answering()
    bench.call(1, "photo")
    bench.call(1, "photo")
    #expect(bench.lender.begun.count == 1 && bench.part.isConnected)
  }

  @Test func `A call that is dropped is cancelled, and its end is told to nobody`() throws {
    let bench = try OwnAgentBench.answering()
    bench.call(1, "photo")
    let tag = bench.lender.begun[0].tag
    bench.send(.drop, number: 1)
    #expect(bench.lender.cancelled == [tag])
    bench.lender.end(tag)
    #expect(bench.frames().isEmpty)
  }

  @Test func `A long result comes in pieces that make it whole`() throws {
    let bench = try OwnAgentBench.answering()
    bench.call(1, "photo")
    let result = #"{"text":""# + (0..<6_000).map { "\($0) " }.joined() + #""}"#
    bench.lender.end(bench.lender.begun[0].tag, result)
    let frames = bench.link.take()
    #expect(frames.count == 1 + (result.utf8.count + Budget.agentFrameBytes - 5) / (Budget.agentFrameBytes - 4))
    #expect(frames.dropLast().allSatisfy { $0.kind == .resultPiece } && frames.last?.kind == .result)
    let whole = frames.dropLast().flatMap { $0.body.dropFirst(4) }
    #expect(String(decoding: whole, as: UTF8.self) == result)
  }

  @Test func `A picture comes before its result, as the agent reads it, and is given back`() throws {
    let bench = try OwnAgentBench.answering()
    // The socket takes less than the picture has.
    bench.link.capacity = 50_000
    bench.call(1, "photo")
    let picture = Picture(300_000)
    #expect(bench.lender.end(bench.lender.begun[0].tag, "{}", picture: picture.blob))
    #expect(picture.released == 0 && bench.part.queue.count < Budget.agentPictureQueueBytes + 20_000)
    // Others have room beside it.
    bench.part.gatewayCame()
    let frames = bench.link.take()
    #expect(picture.released == 1 && bench.part.isConnected)
    let pieces = frames.filter { $0.kind == .picturePiece }
    #expect(pieces.allSatisfy { OwnAgentBench.value($0.body.prefix(4)) == 1 })
    #expect(pieces.flatMap { $0.body.dropFirst(4) } == Array(picture.buffer.bytes))
    #expect(frames.suffix(2).map(\.kind) == [.resultPiece, .result])
    #expect(frames.contains { $0.kind == .gateway })
    bench.call(1, "photo")
    #expect(bench.lender.begun.count == 2)
  }

  @Test func `Two pictures are sent one after the other`() throws {
    let bench = try OwnAgentBench.answering()
    let pictures = [Picture(40_000), Picture(40_000)]
    for index in 0..<2 {
      bench.call(UInt32(index), "photo")
      bench.lender.end(bench.lender.begun[index].tag, "{}", picture: pictures[index].blob)
    }
    let frames = bench.link.take()
    for index in 0..<2 {
      let mine = frames.filter { $0.kind == .picturePiece && $0.body[0] == UInt8(index) }
      #expect(mine.map { $0.body.count - 4 }.reduce(0, +) == 40_000)
    }
    #expect(pictures.map(\.released) == [1, 1])
  }

  @Test func `A picture that is too large is left with its owner, and the call succeeds without it`() throws {
    let bench = try OwnAgentBench.answering()
    bench.call(1, "photo")
    let picture = Picture(Budget.agentPictureBytes + 1)
    #expect(!bench.lender.end(bench.lender.begun[0].tag, "{}", picture: picture.blob))
    #expect(bench.frames() == ["resultPiece 1 {}", "result 1 0"])
  }

  @Test func `A picture is given back when its call is dropped, and when the connection ends`() throws {
    let bench = try OwnAgentBench.answering()
    bench.link.capacity = 1_000
    let pictures = [Picture(300_000), Picture(300_000)]
    for index in 0..<2 {
      bench.call(UInt32(index), "photo")
      bench.lender.end(bench.lender.begun[index].tag, "{}", picture: pictures[index].blob)
    }
    bench.send(.drop, number: 0)
    #expect(pictures.map(\.released) == [1, 0])
    bench.link.lose()
    #expect(pictures.map(\.released) == [1, 1])
    #expect(bench.lender.cancelled.isEmpty)
  }

  @Test func `The loss of the connection cancels the calls`() throws {
    let bench = try OwnAgentBench.answering()
    bench.call(1, "photo")
    bench.call(2, "say")
    bench.link.lose()
    #expect(bench.lender.cancelled == bench.lender.begun.map(\.tag))
    bench.pass(1_000)
    _ = bench.link.take()
    bench.lender.end(bench.lender.begun[0].tag)
    #expect(bench.frames().isEmpty)
  }
}
