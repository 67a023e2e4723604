import Codec
import Foundation
import Runtime
import Testing
@testable import Benches
@testable import Node

@Suite("Which conversation a person has")
struct ChatSessionTests {
  private func text(_ key: SessionKey) -> String { NotingListener.text(key.span) }

  @Test("keys of agents and new conversations follow the main one's form")
  func keys() throws {
    let bench = try DeskBench()
    try bench.connect(mainSession: "agent:work:home")
    #expect(text(bench.desk.mainSession(of: InlineText(cutting: "garden"))) == "agent:garden:home")
    let new = text(bench.desk.newSession(of: InlineText()))
    #expect(new.hasPrefix("agent:work:board-") && new.utf8.count == "agent:work:board-".utf8.count + 8)
    #expect(text(bench.desk.newSession(of: InlineText())) != new)
    #expect(NotingListener.text(bench.desk.agent(of: InlineText(cutting: "agent:x:y:z")).span) == "x")
    #expect(NotingListener.text(bench.desk.agent(of: InlineText(cutting: "odd")).span) == "work")
    let plain = try DeskBench()
    try plain.connect(mainSession: nil)
    #expect(text(plain.desk.mainSession(of: InlineText(cutting: "garden"))) == "agent:garden:main")
    #expect(text(plain.desk.newSession(of: InlineText())).hasPrefix("agent:main:board-"))
  }

  @Test("the directory has the agents first, and their main conversations once")
  func directory() throws {
    let bench = try DeskBench()
    try bench.connect()
    let directory = bench.desk.makeDirectory()
    _ = try bench.requests()
    directory.refresh()
    let requests = try bench.requests()
    #expect(requests.map(\.method) == ["agents.list", "sessions.list"])
    // In any order.
    bench.answer(
      requests[1],
      #"{"sessions":[{"key":"agent:main:main"},{"key":"agent:main:telegram:1","label":"Anna"},{"key":""},7,{"key":"agent:garden:main"}]}"#
    )
    bench.answer(
      requests[0],
      #"{"defaultId":"main","agents":[{"id":"main"},{"id":"garden","identity":{"name":"Gardener"}},{"id":""},{}]}"#)
    directory.refresh()
    let again = try bench.requests()
    bench.answer(
      again[1], #"{"sessions":[{"key":"agent:main:main"},{"key":"agent:main:telegram:1","label":"Anna"}]}"#)
    let rows = (0..<directory.count).map { index in
      "\(directory[index].isAgent) \(text(directory[index].key)) \(NotingListener.text(directory[index].label.span))"
    }
    #expect(
      rows == [
        "true agent:main:main main", "true agent:garden:main Gardener", "false agent:main:telegram:1 Anna",
      ])
  }

  @Test("many agents and conversations leave room for each other")
  func bounds() throws {
    let bench = try DeskBench()
    try bench.connect()
    let directory = bench.desk.makeDirectory()
    _ = try bench.requests()
    directory.refresh()
    let requests = try bench.requests()
    let sessions = (0..<40).map { #"{"key":"agent:main:s\#($0)"}"# }.joined(separator: ",")
    let agents = (0..<40).map { #"{"id":"a\#($0)"}"# }.joined(separator: ",")
    bench.answer(requests[0], #"{"agents":[\#(agents)]}"#)
    bench.answer(requests[1], #"{"sessions":[\#(sessions)]}"#)
    #expect(directory.count == Budget.chatChoices - 1)
    #expect((0..<directory.count).count { directory[$0].isAgent } == Budget.chatAgents)
  }
}
