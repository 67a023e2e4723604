import Codec
import Foundation
import Runtime
import TestSupport
import Testing

@testable import talon

private final class Deaf: AgentLinkDelegate {
  var changes = 0
  func agentChanged() { changes += 1 }
}

@Suite("The board's state on a screen") struct StatusViewTests {
  private let deaf = Deaf()

  /// A link that received these lines of an agent.
  private func link(_ lines: [String]) throws -> AgentLink {
    let clock = SystemClock()
    let link = try AgentLink(loop: try Loop(clock: clock), clock: clock, folder: "/nowhere", delegate: deaf)
    for line in lines {
      let bytes = Array(line.utf8)
      bytes.withUnsafeBufferPointer { link.controlLineReceived(JSONView(Span(_unsafeElements: $0)), $0) }
    }
    return link
  }

  private func rows(_ lines: [String], columns: Int = 80) throws -> [String] {
    StatusView.rows(try link(lines), columns: columns).map(\.text)
  }

  private static let node = String(repeating: "a1", count: 32)

  private func status(_ members: String) -> String {
    #"{"id":1,"type":"result","result":{"state":"awaiting-approval","explanation":"a person must approve this board","#
      + #""gateway":"wss://gateway.local:18789","nodeId":"\#(Self.node)"\#(members)}}"#
  }

  @Test("why the board restarted is shown where that is no usual thing")
  func restart() throws {
    let recovery = #","restart":{"cause":"recovery","reason":"the memory is full"},"recovery":{"restart":2}"#
    #expect(try rows([status(recovery)]).last == " restart  recovery: the memory is full (2 of 3 in a day)")
    #expect(try rows([status(#","restart":{"cause":"watchdog"}"#)]).last == " restart  watchdog")
    #expect(try !rows([status(#","restart":{"cause":"power"}"#)]).contains { $0.contains("restart") })
  }

  @Test("the search for a Wi-Fi code is shown while it goes on, and what came of it where that was nothing")
  func wifi() throws {
    #expect(try rows([status(#","wifi":{"state":"looking"}"#)]).contains(" wifi     show a Wi-Fi code to the camera"))
    let joining = try rows([status(#","wifi":{"state":"joining"}"#)])
    #expect(joining.contains(" wifi     a code was seen: its network is being joined"))
    let closed = try rows([status(#","wifi":{"state":"closed","failure":"no address","trouble":"no camera"}"#)])
    #expect(closed.contains(" wifi     by a code: closed") && closed.contains("          no address"))
    #expect(closed.contains("          no camera"))
    for state in ["waiting", "joined", "closed"] {
      #expect(try !rows([status(#","wifi":{"state":"\#(state)"}"#)]).contains { $0.contains("wifi") })
    }
  }

  @Test("what was wrong when the agent started stands near the top")
  func startTrouble() throws {
    let trouble = #","trouble":{"configuration":"t.conf:3: unknown key","storage":"/s cannot be written: full"}"#
    let rows = try rows([status(trouble)])
    #expect(rows[2] == " file     the last good one is used, for t.conf:3: unknown key")
    #expect(rows[3] == " flash    /s cannot be written: full")
  }

  @Test("how the metrics fare")
  func metrics() throws {
    let fine = #","metrics":{"waiting":0,"acceptedAgeMs":12300,"accepted":7,"dropped":0,"refused":0,"hasDate":true}"#
    #expect(try rows([status(fine)]).contains(" metrics  accepted 12 s ago"))
    let troubled =
      #","metrics":{"waiting":14,"accepted":0,"dropped":0,"refused":2,"hasDate":true,"#
      + #""trouble":{"text":"m.example.org answered with status 401","ageMs":31000,"isRefusal":true,"isCurrent":true}}"#
    let rows = try rows([status(troubled)])
    #expect(rows.contains(" metrics  none accepted yet, 14 wait, 2 refused"))
    #expect(rows.contains("          m.example.org answered with status 401 (31 s ago)"))
  }

  @Test("what a person must do stands before all that a person may want to know")
  func all() throws {
    let rows = try rows([
      status(
        #","approve":"openclaw devices approve 4e0a","pin":"\#(Self.node)","panic":true,"#
          + #""attention":{"level":"urgent","text":"water!","age":5},"network":{"state":"up","interface":"eth0","address":"10.0.0.2"},"#
          + #""hardware":[{"name":"camera","state":"ok"},{"name":"motion","state":"absent"},{"name":"receiver","state":"error","detail":"no receiver is heard"}],"#
          + #""invokes":{"answered":3,"refused":1},"outbox":{"waiting":2,"dropped":1,"refused":0},"#
          + #""memory":{"residentBytes":4900000,"limitBytes":10000000},"light":"waiting""#)
    ])
    #expect(
      rows == [
        " state    awaiting-approval", "          a person must approve this board",
        " panic    held still: camera and microphone are off. Let go with: panic release",
        " wants    urgent: water! (seen? acknowledge)", " approve  openclaw devices approve 4e0a",
        " gateway  wss://gateway.local:18789", " node     \(Self.node)", " pin      \(Self.node)",
        " network  up eth0 10.0.0.2",
        " hardware camera ok; no motion", "          receiver error: no receiver is heard", " light    waiting",
        " work     3 commands answered, 1 refused; 2 events waiting, 1 lost", " memory   4.9 of 10.0 MB (49 %)",
      ])
  }

  @Test("a request for approval shows its age, and when it is asked again")
  func approvalAge() throws {
    let waits = try rows([status(#","approve":"openclaw devices approve 4e0a","approveAge":12345,"approveNext":17001"#)]
    )
    #expect(waits.contains("          (asked 12 s ago, asks again in 18 s)"))
    let asks = try rows([status(#","approve":"openclaw devices approve 4e0a","approveAge":30000"#)])
    #expect(asks.contains("          (asked 30 s ago, asking again now)"))
  }

  @Test("the handbook shows this screen as the program writes it")
  func handbook() throws {
    let request = "caca0823-abf2-4747-97e0-524857360640"
    let link = try link([
      #"{"id":1,"type":"result","result":{"version":"\#(Version.number)","uptimeMs":9000,"state":"awaiting-approval","#
        + #""explanation":"this board waits for approval. On the gateway's machine run: openclaw devices approve \#(request)","#
        + #""approve":"openclaw devices approve \#(request)","approveAge":4000,"approveNext":26000,"#
        + #""gateway":"wss://10.0.2.2:37721","nodeId":"\#(Self.node)","pin":"\#(Self.node)","network":{"state":"up"},"#
        + #""hardware":[{"name":"camera","state":"ok"},{"name":"receiver","state":"absent"},{"name":"motion","state":"absent"},"#
        + #"{"name":"light","state":"absent"},{"name":"button","state":"absent"}],"invokes":{"answered":0,"refused":0},"#
        + #""outbox":{"waiting":0,"dropped":0,"refused":0},"memory":{"residentBytes":6900000,"limitBytes":201300000}}}"#
    ])
    let title = StatusView.title(link, clock: 1_763_783_580_000)
    let screen = ([title] + StatusView.rows(link, columns: 80).map(\.text)).joined(separator: "\n")
    let page = try Repository.text("docs/owners/console.md")
    #expect(page.contains("```\n\(screen)\n\n help lists the commands"), "the handbook should show:\n\(screen)")
  }

  @Test("what the agent sees of the board's tools, or what a person has to do so that it does")
  func tools() throws {
    func tools(_ state: String, _ more: String = "") throws -> [String] {
      try rows([status(#","tools":{"state":"\#(state)","published":["photo","health"]\#(more)}"#)])
    }
    #expect(try tools("accepted", #","accepted":2"#).contains(" tools    the agent sees 2: photo, health"))
    let waits = try tools("waiting")
    #expect(waits.contains(" tools    not approved: openclaw nodes pending"))
    let known = try rows([
      status(
        #","commands":{"explanation":"waits","steps":[],"approve":"openclaw nodes approve p-7"}"#
          + #","tools":{"state":"waiting","published":["photo"]}"#)
    ])
    #expect(known.contains(" tools    not approved: openclaw nodes approve p-7"))
    #expect(try tools("unsupported").contains(" tools    this gateway knows none: it is older than 2026.7"))
    let failed = try tools("accepted", #","accepted":2,"lastFailure":"no camera""#)
    #expect(failed.contains("          last failure: no camera"))
  }

  @Test("the operator's connection: no word twice, and the age of its own request")
  func operatorRow() throws {
    let online = try rows([status(#","console":{"state":"online","explanation":"online: connected to wss://g:1"}"#)])
    #expect(online.contains(" operator online: connected to wss://g:1"))
    let waits = try rows([
      status(
        #","console":{"state":"awaiting-approval","explanation":"run x","approve":"x","approveAge":2000,"approveNext":1}"#
      )
    ])
    let row = try #require(waits.firstIndex(of: " operator awaiting-approval: run x"))
    #expect(waits[row + 1] == "          (asked 2 s ago, asks again in 1 s)")
  }

  @Test("phrases: where what is not built in is from, what is being learned, and what cannot be heard")
  func phrases() throws {
    let rows = try rows([
      status(
        #","wake":{"phrases":["computer","hey bob","good board","my house"],"deaf":["привет"],"learning":["purple dragon","one two"],"#
          + #""retried":[],"learntPermille":437,"sources":["builtIn","recordings","spelling","file"]}"#)
    ])
    let first = try #require(rows.firstIndex { $0.hasPrefix(" wakes to") })
    #expect(
      Array(rows[first..<min(rows.count, first + 6)]) == [
        " wakes to computer, hey bob, good board, my house", "          from the file: my house",
        "          learned from recordings: hey bob",
        "          learned from spelling: good board",
        "          is being learned: purple dragon, one two (43 % of the first)",
        "          no vector for: привет",
      ])
  }

  @Test("in which language phrases are learned, or why in none")
  func language() throws {
    let known = try rows([
      status(
        #","wake":{"language":"German","phrases":["guten morgen"],"deaf":[],"learning":[],"sources":["spelling"]}"#)
    ])
    #expect(known.contains("          learns phrases in German"))
    let broken = try rows([
      status(
        #","wake":{"modelTrouble":"/m/model.conf: no such file","phrases":["computer"],"deaf":[],"learning":[],"sources":["builtIn"]}"#
      )
    ])
    #expect(broken.contains("          learns none: /m/model.conf: no such file"))
  }

  @Test("an agent of an older release tells less, and its log is not asked for again")
  func older() throws {
    let rows = try rows([
      status(""), #"{"id":2,"type":"error","code":"INVALID_REQUEST","message":"the operation in \"op\" is unknown"}"#,
    ])
    #expect(rows.count == 4)
  }

  @Test("the last errors of the log stand below, however long they are")
  func log() throws {
    let long = String(repeating: "word ", count: 60)
    let rows = try rows([
      status(""), #"{"id":2,"type":"line","level":"warning","age":1000,"text":"\#(long)"}"#,
      #"{"id":2,"type":"line","level":"error","age":10,"text":"last"}"#, #"{"id":2,"type":"end","state":"final"}"#,
    ])
    #expect(rows.count == 7 && rows[4].hasPrefix(" log ") && rows[6].hasSuffix("error last"))
    #expect(rows.allSatisfy { $0.utf8.count <= 80 })
  }

  @Test("without an agent it says what to look at")
  func absent() throws {
    #expect(try rows([])[0] == " state    not running")
    #expect(try rows([], columns: 40).allSatisfy { $0.utf8.count <= 40 })
  }

  @Test(
    "how long it runs",
    arguments: [
      (0, "0 min"), (59_000, "0 min"), (3_599_000, "59 min"), (3_600_000, "1 h 0 min"), (90_000_000, "1 d 1 h"),
    ] as [(Int64, String)])
  func duration(milliseconds: Int64, text: String) { #expect(StatusView.duration(milliseconds) == text) }
}
