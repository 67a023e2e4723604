import Codec
import Gateway
import Runtime

/// The gateway's agent, as far as an operator connection can tell: what is said to it, its replies, which come in
/// pieces, and the history of both (gateway reference 9.9).
final class Chats: Actor {
  private struct Run {
    let key: String
    let question: String
    let pieces: [String]
    var sent = 0
    var sequence: Int64 = 0
    /// Where its question stands in the history.
    let place: Int
  }

  unowned(unsafe) let life: Life
  private var runs: [Int64: Run] = [:]
  private var last: Int64 = 0
  private var keys: Set<String> = []
  private var history: [(question: String, reply: String?)] = []
  private var replies: [String: String] = [:]

  init(_ life: Life) { self.life = life }

  /// The gateway's process is gone, and what ran in it.
  func stop() { runs.removeAll() }

  /// The whole reply to a question; nil when it was never complete.
  func reply(to question: String) -> String? { replies[question] }

  /// Somebody says something under an idempotency key, which comes once.
  func begin(_ key: String, _ question: String) {
    guard keys.insert(key).inserted else { return life.invariants.violated("the board said the same thing twice") }
    if let order = message(question) {
      life.ledger.arrived(order, key)
      // An agent that is lost in thought.
      if life.chance(1, in: 12) { return history.append((question, nil)) }
    }
    let words = [
      "yes", "no ", "\u{1F980}", "maybe\n", "\"quoted\" ", "k\u{FC}che ", "42 ", "\\ ", "a rather long answer ",
    ]
    let pieces = (0..<(1 + life.random(below: 6))).map { _ in
      (0..<(1 + life.random(below: 8))).map { _ in words[Int(life.random(below: Int64(words.count)))] }.joined()
    }
    last += 1
    history.append((question, nil))
    runs[last] = Run(key: key, question: question, pieces: pieces, place: history.count - 1)
    life.schedule.add(self, 0, last, at: life.now + life.random(below: 3_000))
  }

  /// The number of the spoken order that stands in it, if one does.
  private func message(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { Search.number(after: "rder ", in: $0) }
  }

  /// Somebody wants a run to end; true when it did.
  func abort(_ key: String) -> Bool {
    guard let number = runs.first(where: { $0.value.key == key })?.key else { return false }
    sendEvent(number, "aborted", text: nil, isFinal: true)
    runs[number] = nil
    return true
  }

  func act(_ what: Int, _ number: Int64) {
    guard let run = runs[number] else { return }
    let text = run.pieces[...run.sent].joined()
    if run.sent == run.pieces.count - 1 {
      if life.chance(1, in: 30) {
        sendEvent(number, "error", text: nil, isFinal: true)
      } else {
        history[run.place].reply = text
        replies[run.question] = text
        sendEvent(number, "final", text: text, isFinal: true)
      }
      return runs[number] = nil
    }
    sendEvent(number, "delta", text: text, isFinal: false)
    runs[number]?.sent += 1
    life.schedule.add(self, 0, number, at: life.now + 100 + life.interval(2_000))
  }

  /// An event of a run, to every operator connection.
  private func sendEvent(_ number: Int64, _ state: StaticString, text: String?, isFinal: Bool) {
    runs[number]!.sequence += 1
    let run = runs[number]!
    guard life.gateway.isUp, life.gateway.silences == 0 else { return }
    for peer in life.gateway.operators {
      let builder = peer.builder
      builder.begin()
      builder.text("{\"type\":\"event\",\"event\":\"chat\",\"payload\":{\"runId\":\"\(run.key)\",")
      builder.text("\"sessionKey\":\"main\",\"seq\":")
      builder.decimal(run.sequence)
      builder.text(",\"state\":\"")
      builder.text(state)
      builder.text("\"")
      if let text {
        // Protocol 4 sends additions; its first may replace what was shown.
        if !isFinal, peer.generation.wireProtocol == 4 {
          builder.text(",\"deltaText\":")
          builder.json(run.sequence == 1 ? text : run.pieces[run.sent])
          if run.sequence == 1 { builder.text(",\"replace\":true") }
        } else {
          builder.text(",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":")
          builder.json(text)
          builder.text("}]}")
        }
      }
      builder.text("}}")
      peer.send(after: life.random(below: 10))
    }
  }

  /// Writes the last messages as an array.
  func writeHistory(into builder: FrameBuilder) {
    builder.text("[")
    var isFirst = true
    for entry in history.suffix(10) {
      write("user", "[2026-01-01 10:00] \(entry.question)", isFirst, builder)
      isFirst = false
      if let reply = entry.reply { write("assistant", reply, false, builder) }
    }
    builder.text("]")
  }

  private func write(_ role: StaticString, _ text: String, _ isFirst: Bool, _ builder: FrameBuilder) {
    builder.text(isFirst ? "{\"role\":\"" : ",{\"role\":\"")
    builder.text(role)
    builder.text("\",\"content\":[{\"type\":\"text\",\"text\":")
    builder.json(text)
    builder.text("}]}")
  }
}

extension FrameBuilder {
  /// A JSON string.
  func json(_ text: String) {
    self.text("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): self.text("\\\"")
      case UInt8(ascii: "\\"): self.text("\\\\")
      case UInt8(ascii: "\n"): self.text("\\n")
      default: fill(byte, 1)
      }
    }
    self.text("\"")
  }
}
