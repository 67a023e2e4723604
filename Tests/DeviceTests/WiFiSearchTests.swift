import Runtime
import Testing

@testable import Device

@Suite("When a board looks for a Wi-Fi code")
struct WiFiSearchTests {
  private static let code = try! WiFiCode(Array("WIFI:T:WPA;S:Barn;P:long enough;;".utf8).span)

  private func answer(_ id: Int64, _ state: String) -> WiFiAnswer {
    WiFiAnswer(Array("id = \(id)\nstate = \(state)\nreason = wrong passphrase\n".utf8).span)!
  }

  private func failure(_ search: WiFiSearch) -> String {
    search.failure.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// A search that looks since `Budget.wifiOpens`.
  private func looking() -> WiFiSearch {
    var search = WiFiSearch(at: 0)
    _ = search.handle(.time(hasNetwork: false), at: Budget.wifiOpens)
    return search
  }

  /// One whose request, of this number, is with root's side.
  private func joining(at now: Int64) -> WiFiSearch {
    var search = looking()
    _ = search.handle(.saw(Self.code), at: now)
    _ = search.handle(.asked(isDone: true), at: now)
    return search
  }

  @Test("not before the board has run for a minute, whatever comes")
  func grace() {
    var search = WiFiSearch(at: 0)
    #expect(search.nextDeadline == Budget.wifiOpens)
    #expect(search.handle(.time(hasNetwork: false), at: Budget.wifiOpens - 1) == nil)
    #expect(search.handle(.saw(Self.code), at: 1) == nil)
    #expect(search.handle(.asked(isDone: true), at: 1) == nil)
    #expect(search.handle(.answered(answer(0, "joined")), at: 1) == nil)
    #expect(search.state == .waiting && !search.isOpen)
    #expect(search.handle(.time(hasNetwork: false), at: Budget.wifiOpens) == .look(milliseconds: Budget.wifiLook))
    #expect(search.state == .looking && search.isOpen && search.nextDeadline == nil)
  }

  @Test("an agent that starts later first learns which networks there are")
  func late() {
    var search = WiFiSearch(at: 200_000)
    // What is not known yet counts as a network.
    #expect(search.handle(.time(hasNetwork: true), at: 200_000) == nil)
    #expect(search.state == .waiting)
    #expect(search.handle(.time(hasNetwork: false), at: 200_000 + Budget.wifiSettle) != nil)
  }

  @Test("never with a network, and not again in this start")
  func network() {
    var search = WiFiSearch(at: 0)
    #expect(search.handle(.time(hasNetwork: true), at: Budget.wifiOpens) == nil)
    #expect(search.state == .over(.network) && search.nextDeadline == nil)
    #expect(search.handle(.time(hasNetwork: false), at: Budget.wifiOpens + 1) == nil)
    search = looking()
    #expect(search.handle(.time(hasNetwork: true), at: 70_000) == .endLook)
    #expect(search.state == .over(.network))
    // What the look has found meanwhile is too late.
    #expect(search.handle(.saw(Self.code), at: 70_001) == nil)
    #expect(search.state == .over(.network))
  }

  @Test("for ten minutes, the last look being as long as there is time")
  func window() {
    var search = looking()
    _ = search.handle(.sawNothing, at: 80_000)
    #expect(search.state == .resting(until: 80_000 + Budget.wifiPause) && search.isOpen)
    #expect(search.handle(.time(hasNetwork: false), at: 80_000 + Budget.wifiPause - 1) == nil)
    #expect(
      search.handle(.time(hasNetwork: false), at: Budget.wifiCloses - 1_500) == .look(milliseconds: 1_500))
    #expect(search.handle(.time(hasNetwork: false), at: Budget.wifiCloses) == .endLook)
    #expect(search.state == .over(.time))
    search = looking()
    _ = search.handle(.sawNothing, at: Budget.wifiCloses - 1)
    #expect(search.handle(.time(hasNetwork: false), at: Budget.wifiCloses) == nil)
    #expect(search.state == .over(.time))
    search = WiFiSearch(at: Budget.wifiCloses)
    #expect(search.handle(.time(hasNetwork: false), at: search.nextDeadline ?? 0) == nil)
    #expect(search.state == .over(.time))
  }

  @Test("not while a person holds it, and not after that", arguments: [0, 1, 2, 3])
  func held(stage: Int) {
    var search = WiFiSearch(at: 0)
    if stage == 1 { search = looking() }
    if stage == 2 { _ = search.handle(.sawNothing, at: 70_000) }
    if stage == 3 { search = joining(at: 70_000) }
    #expect(search.handle(.held, at: 70_000) == (stage == 1 ? .endLook : nil))
    #expect(search.state == .over(.held))
    #expect(search.handle(.time(hasNetwork: false), at: 90_000) == nil)
    #expect(search.handle(.held, at: 90_000) == nil)
  }

  @Test("a camera in trouble is tried again after a longer pause")
  func trouble() {
    var search = looking()
    _ = search.handle(.sawTrouble, at: 70_000)
    #expect(search.state == .resting(until: 70_000 + Budget.wifiTroublePause))
  }

  @Test("a code of no use is told, and the next one taken")
  func wrong() {
    var search = looking()
    #expect(search.handle(.sawWrong(.wep), at: 70_000) == nil)
    #expect(failure(search).hasPrefix("its network uses WEP"))
    #expect(search.handle(.time(hasNetwork: false), at: 70_000 + Budget.wifiPause) != nil)
    #expect(search.handle(.saw(Self.code), at: 72_000) == .ask(Self.code, id: 72_000))
    #expect(failure(search).isEmpty)
    #expect(search.handle(.sawWrong(.wep), at: 72_001) == nil)
    #expect(search.state == .asking && failure(search).isEmpty)
  }

  @Test("a request is handed over, and its answer looked for until it comes")
  func joins() {
    var search = joining(at: 70_000)
    #expect(!search.isOpen && search.nextDeadline == 70_000 + Budget.wifiAnswerPoll)
    #expect(search.handle(.time(hasNetwork: false), at: 70_000 + Budget.wifiAnswerPoll - 1) == nil)
    // That a network comes is what it waits for.
    #expect(search.handle(.time(hasNetwork: true), at: 73_000) == .readAnswer)
    #expect(search.nextDeadline == 73_000 + Budget.wifiAnswerPoll)
    // Answers to other requests are none, and it may take its time.
    let others: [(Int64, String)] = [(69_999, "joined"), (0, "waiting"), (70_000, "waiting"), (70_000, "working")]
    for (id, word) in others {
      #expect(search.handle(.answered(answer(id, word)), at: 74_000) == nil)
      guard case .joining = search.state else { return #expect(Bool(false), "\(id) \(word)") }
    }
    _ = search.handle(.answered(answer(70_000, "joined")), at: 80_000)
    #expect(search.state == .over(.joined) && failure(search).isEmpty)
  }

  @Test("a network that is not joined is told, and the board looks again")
  func fails() {
    var search = joining(at: 70_000)
    _ = search.handle(.answered(answer(70_000, "failed")), at: 140_000)
    #expect(failure(search) == "wrong passphrase")
    #expect(search.state == .resting(until: 140_000 + Budget.wifiTroublePause))
    search = joining(at: 70_000)
    let end = 70_000 + Budget.wifiAnswerMilliseconds
    #expect(search.handle(.time(hasNetwork: false), at: end) == nil)
    #expect(failure(search) == "the system does not answer")
    #expect(search.state == .resting(until: end + Budget.wifiTroublePause))
    search = looking()
    _ = search.handle(.saw(Self.code), at: 70_000)
    #expect(search.handle(.time(hasNetwork: false), at: Budget.wifiCloses) == nil)
    #expect(search.state == .asking)
    _ = search.handle(.asked(isDone: false), at: 71_000)
    #expect(search.state == .resting(until: 71_000 + Budget.wifiTroublePause))
  }

  @Test("five requests are all that a start has, each with a number of its own")
  func asks() {
    var search = looking()
    var (now, ids) = (Budget.wifiOpens, Set<Int64>())
    for _ in 0..<Budget.wifiRequests {
      guard case .ask(_, let id) = search.handle(.saw(Self.code), at: now) else { return #expect(Bool(false)) }
      ids.insert(id)
      _ = search.handle(.asked(isDone: false), at: now)
      now += Budget.wifiTroublePause
      _ = search.handle(.time(hasNetwork: false), at: now)
    }
    #expect(ids.count == Budget.wifiRequests)
    #expect(search.state == .over(.requests))
  }
}
