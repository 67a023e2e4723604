import Agent
import Codec
import Runtime
import Voice

/// The gateway's wake phrases through a life: they change, and the board listens for what it was told last, within five
/// seconds, and across a power cut for a list that was whole.
final class Phrases: Actor {
  private enum Step: Int { case change, due }

  /// Milliseconds from a list's arrival until it is listened for.
  private static let timeout: Int64 = 5_000
  private static let known = [
    "openclaw", "claude", "computer", "hey claude", "Computer!", "talon", "\u{E9}cho", "no such phrase",
  ]
  private static let usual = ["openclaw", "claude", "computer"]

  unowned(unsafe) let life: Life
  /// Every list that there was, as JSON and as it is listened for.
  private var lists: [(json: String, heard: [String])] = []
  /// What may be listened for: several where nobody can tell whether the board has taken what it was sent.
  private var expected: [[String]] = []
  private var dueAt: Int64 = .max

  init(_ life: Life) {
    self.life = life
    take(Self.usual)
  }

  /// The number of the list that counts now.
  var current: Int { lists.count - 1 }
  /// The list as an event and an answer have it.
  var json: String { lists[current].json }

  func begin() { if life.scenario.wakes { plan() } }

  private func plan() { life.schedule.add(self, Step.change.rawValue, at: life.now + life.interval(14_400_000)) }

  private func take(_ list: [String]) {
    let texts = list.isEmpty ? Self.usual : list
    lists.append(
      (
        "{\"triggers\":[\(list.map { "\"\($0)\"" }.joined(separator: ","))]}",
        texts.prefix(Budget.wakePhrases).compactMap(Self.heard)
      ))
  }

  /// How a phrase is listened for; nil: it cannot be.
  private static func heard(_ text: String) -> String? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      guard let phrase = PhraseText(bytes), let file = PhraseBank.builtIn.find(phrase) else { return nil }
      return String(decoding: file.text, as: UTF8.self)
    }
  }

  /// A phrase that a person might say to wake the board.
  func aPhrase() -> String {
    let list = lists[current].heard
    return list.isEmpty || life.chance(1, in: 8) ? "hey claude" : list[Int(life.random(below: Int64(list.count)))]
  }

  func act(_ what: Int, _ number: Int64) {
    switch Step(rawValue: what)! {
    case .change:
      plan()
      change()
    case .due: check()
    }
  }

  private func change() {
    var list: [String] = []
    for _ in 0..<life.random(below: 5) { list.append(Self.known[Int(life.random(below: Int64(Self.known.count)))]) }
    if life.chance(1, in: 10) { list += (0..<40).map { "phrase \($0)" } }
    take(list)
    life.trace.note(life.now, "phrases", Int64(current))
    guard life.gateway.isUp, life.gateway.silences == 0 else { return }
    for peer in life.gateway.peers where peer.isOnline { peer.sendPhrases() }
  }

  // MARK: The board

  /// Before it starts: what stands on flash is a list that was whole.
  func boardStarts() {
    expected = []
    dueAt = .max
    guard life.scenario.wakes else { return }
    let found = life.board.flash.found("phrases")
    guard life.board.flash.isKept("phrases", found) else {
      return life.invariants.violated("the wake phrases on flash are not what was stored")
    }
    life.board.flash.settled("phrases", found)
    let stored = found.map(Self.decode)
    if let stored, !lists.contains(where: { $0.heard == stored }) {
      return life.invariants.violated("the wake phrases on flash are no list that the gateway ever had")
    }
    expect(stored ?? lists[0].heard)
  }

  private static func decode(_ record: [UInt8]) -> [String] {
    var texts: [String] = []
    var index = 1
    while index < record.count {
      let end = index + 1 + Int(record[index])
      guard end <= record.count else { return ["what is cut off"] }
      texts.append(String(decoding: record[(index + 1)..<end], as: UTF8.self))
      index = end
    }
    return texts.count == record.first.map(Int.init) ? texts.compactMap(heard) : ["what is cut off"]
  }

  /// The board has this list, by an event or as an answer.
  func arrived(_ number: Int, isAnswer: Bool, over connection: Connection) {
    guard let agent = life.board.agent, life.scenario.wakes else { return }
    let session = connection.role == .node ? agent.session : agent.desk?.session
    // What comes before a new token is on flash waits for that, and may be lost with its connection.
    let isCertain = !isAnswer && session?.state == .online
    expect(lists[number].heard, isCertain ? [] : expected)
  }

  private func expect(_ list: [String], _ others: [[String]] = []) {
    expected = life.options.plant == .changesPhrases ? [["another"]] : [list] + others.filter { $0 != list }
    dueAt = life.now + Self.timeout
    life.schedule.add(self, Step.due.rawValue, at: dueAt)
  }

  private func check() {
    guard life.now >= dueAt, life.board.isServing, !expected.isEmpty, let detector = life.board.detector,
      !expected.contains(detector.phrases)
    else { return }
    // Workers that sit in a slow flash have no part in it: listening has one of its own.
    life.invariants.violated("the board listens for \(detector.phrases), and the gateway's list is \(expected[0])")
  }
}
