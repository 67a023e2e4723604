import Codec
import Runtime
import Testing

@testable import Gateway

@Suite("Messages that wait for the link")
struct OutboundQueueTests {
  private let room = FixedBuffer(capacity: 64)

  private func add(_ text: String, to queue: inout OutboundQueue) -> OutboundQueue.Offer {
    queue.add(limit: 1024) { writer in
      writer.string(text)
      return writer.count
    }
  }

  /// The next message, piece by piece.
  private func next(of queue: inout OutboundQueue) -> String? {
    var text: [UInt8] = []
    while let piece = queue.produce(into: room.bytes) {
      text += room.bytes[..<piece.count]
      if piece.isFinal { return String(decoding: text, as: UTF8.self) }
    }
    return nil
  }

  /// Slots whose memory was ever written.
  private func touched(_ queue: borrowing OutboundQueue) -> Int {
    let bytes = queue.texts.bytes
    return (0..<Budget.outboundMessages).count { bytes[$0 * Budget.outboundMessageBytes] != 0 }
  }

  @Test("messages touch the memory of as many as wait at once, however many follow", arguments: [1, 2, 5, 16])
  func memory(_ depth: Int) throws {
    var queue = try OutboundQueue()
    for round in 0..<40 {
      let offers = (0..<depth).map { add("\(round) \($0)", to: &queue) }
      #expect(offers == Array(repeating: .taken, count: depth))
      let texts = (0...depth).map { _ in next(of: &queue) }
      #expect(texts == (0..<depth).map { "\"\(round) \($0)\"" } + [nil])
    }
    let slots = touched(queue)
    #expect(slots == depth)
  }

  @Test("they keep their order around the end of the slots, and what finds no slot is refused")
  func order() throws {
    var queue = try OutboundQueue()
    var offers = (0...Budget.outboundMessages).map { add("\($0)", to: &queue) }
    #expect(offers == Array(repeating: .taken, count: Budget.outboundMessages) + [.full])
    var received: [String] = []
    // It is never empty from here on.
    for number in Budget.outboundMessages..<4 * Budget.outboundMessages {
      received.append(next(of: &queue) ?? "")
      offers.append(add("\(number)", to: &queue))
    }
    while let text = next(of: &queue) { received.append(text) }
    #expect(offers.count { $0 == .taken } == 4 * Budget.outboundMessages)
    #expect(received == (0..<4 * Budget.outboundMessages).map { "\"\($0)\"" })
  }

  @Test("after they were dropped with a connection the first slot is used again")
  func dropped() throws {
    var queue = try OutboundQueue()
    for _ in 0..<40 {
      _ = add("lost", to: &queue)
      queue.clear()
    }
    let (slots, text) = (touched(queue), next(of: &queue))
    #expect(slots == 1 && text == nil)
  }
}
