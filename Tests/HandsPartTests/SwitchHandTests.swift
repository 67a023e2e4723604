import Foundation
import Hands
import Node
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import HandsPart
@testable import ToolsPart

@Suite("Hands that switch")
struct SwitchHandTests {
  private let line = MemoryOutput()

  private func bench(_ change: @escaping (inout GPIOSettings) -> Void = { _ in }) throws -> AgentBench {
    try AgentBench(hands: { _ in [output("heater", self.line, change)] })
  }

  @Test("a command of the capability io is declared for it")
  func declared() throws {
    let bench = try bench()
    let params = try #require(bench.connect["params"] as? [String: Any])
    #expect((params["commands"] as? [String])?.contains("io.heater") == true)
    #expect((params["caps"] as? [String])?.contains("io") == true)
  }

  @Test("it is switched on and off, and every answer says what the line is")
  func switched() throws {
    let bench = try bench()
    #expect(line.isOpen && !line.level)
    #expect(try bench.call("heater", #"{"action":"on"}"#).payload["state"] as? String == "on")
    #expect(line.level)
    bench.pass(1_500)
    let read = try bench.call("heater").payload
    #expect(read["state"] as? String == "on" && read["forMs"] as? Int == 1_500)
    #expect(try bench.call("heater", #"{"action":"off"}"#).payload["state"] as? String == "off")
    #expect(!line.level)
  }

  @Test("a pulse ends by itself, to the millisecond of the clock")
  func pulse() throws {
    let bench = try bench()
    let answer = try bench.call("heater", #"{"action":"pulse","seconds":0.25}"#).payload
    #expect(answer["state"] as? String == "on" && answer["endsInMs"] as? Int == 250)
    bench.pass(249)
    #expect(line.level)
    bench.pass(1)
    #expect(!line.level)
    #expect(try bench.status("heater")["state"] as? String == "off")
  }

  static let wrong: [(String, String)] = [
    (#"{"action":"toggle"}"#, "action must be read, on, off or pulse"),
    (#"{"action":7}"#, "action must be read, on, off or pulse"),
    (#"{"action":"pulse"}"#, "seconds must be a number above 0: how long the pulse is"),
    (#"{"action":"pulse","seconds":-1}"#, "seconds must be a number above 0: how long the pulse is"),
    (#"{"action":"pulse","seconds":1e300}"#, "seconds must be a number above 0: how long the pulse is"),
    (#"{"action":"pulse","seconds":61}"#, "seconds must be from 0.01 to 60"),
    (#"{"action":"pulse","seconds":0.001}"#, "seconds must be from 0.01 to 60"),
    ("[]", "the parameters must be an object"),
  ]

  @Test("what is wrong is said in a sentence, and nothing is switched", arguments: wrong)
  func refused(parameters: String, sentence: String) throws {
    let bench = try bench()
    let answer = try bench.call("heater", parameters)
    #expect(answer.message == "INVALID_REQUEST: heater: \(sentence)")
    #expect(line.writes == 0)
  }

  @Test("it is not switched on together with another, whichever of them names the other")
  func interlock() throws {
    let (fan, pump) = (MemoryOutput(), MemoryOutput())
    let bench = try AgentBench(hands: { _ in
      [output("heater", self.line) { $0.neverWith = ["fan"] }, output("fan", fan), output("pump", pump)]
    })
    #expect(try bench.call("fan", #"{"action":"on"}"#).isOK)
    let answer = try bench.call("heater", #"{"action":"on"}"#, id: "2")
    #expect(
      answer.message
        == "UNAVAILABLE: heater: the owner never has it on together with fan, which is on now: switch that off first")
    #expect(!line.level)
    #expect(try bench.call("fan", #"{"action":"off"}"#, id: "3").isOK)
    #expect(try bench.call("heater", #"{"action":"on"}"#, id: "4").isOK)
    #expect(try !bench.call("fan", #"{"action":"on"}"#, id: "5").isOK)
    #expect(try bench.call("pump", #"{"action":"on"}"#, id: "6").isOK)
  }

  @Test("a line that something else holds is reported")
  func held() throws {
    let bench = try bench()
    line.heldAt = false
    let answer = try bench.call("heater", #"{"action":"on"}"#)
    #expect(answer.message?.contains("it was switched on, but its line reads off") == true)
  }

  @Test("a line that fails is reported, tried again, and then in its safe state")
  func broken() throws {
    let bench = try bench()
    _ = try bench.call("heater", #"{"action":"on"}"#)
    line.fault = .noSuchDevice
    let answer = try bench.call("heater", id: "2")
    #expect(
      answer.message == "UNAVAILABLE: heater: its device does not work (its chip is no longer there): "
        + "tell the owner; it is tried again by itself")
    #expect(try bench.status("heater")["state"] as? String == "broken")
    #expect(try bench.status("heater")["trouble"] as? String == "its chip is no longer there")
    #expect(try bench.status("heater")["step"] as? String == "compare chip and line in the configuration with gpioinfo")
    line.fault = nil
    bench.pass(1_000)
    #expect(try bench.call("heater", id: "3").payload["state"] as? String == "off")
    #expect(!line.level)
  }

  @Test("one that is not there at the start is there later")
  func late() throws {
    line.fault = .noSuchFile
    let bench = try bench()
    #expect(try !bench.call("heater").isOK)
    line.fault = nil
    bench.passAlive(60_000)
    #expect(try bench.call("heater", id: "2").isOK)
  }

  @Test("in panic it goes to its safe state, least times or not, and calls are refused", arguments: [false, true])
  func panic(keeps: Bool) throws {
    let bench = try bench {
      $0.minOn = 60_000
      $0.safe = keeps ? .keep : .off
    }
    _ = try bench.call("heater", #"{"action":"on"}"#)
    bench.agent.table.hold()
    #expect(!line.level)
    bench.agent.table.letGo()
    bench.pass(10_000)
    #expect(!line.level)
  }

  @Test("at the end it is left in its safe state", arguments: [(SafeState.off, false), (.on, true), (.keep, true)])
  func end(safe: SafeState, isOn: Bool) throws {
    let bench = try bench { $0.safe = safe }
    _ = try bench.call("heater", #"{"action":"on"}"#)
    bench.agent.stop()
    #expect(line.level == isOn && !line.isOpen)
  }

  @Test(
    "at the start it is in its safe state from the first instant: what a killed run left on ends",
    arguments: [
      (SafeState.off, false), (.on, true), (.keep, true),
    ])
  func start(safe: SafeState, isOn: Bool) throws {
    let line = MemoryOutput(true)
    _ = try AgentBench(hands: { _ in [output("heater", line) { $0.safe = safe }] })
    #expect(line.level == isOn && line.writes == 0)
  }

  @Test("the limits of a day survive a restart")
  func restarted() throws {
    let store = MemoryStore()
    func bench() throws -> AgentBench {
      try AgentBench(handStore: store, hands: { _ in [output("heater", self.line) { $0.maxSwitchesPerDay = 1 }] })
    }
    let first = try bench()
    _ = try first.call("heater", #"{"action":"on"}"#)
    first.agent.stop()
    first.runner.runAll()
    let answer = try bench().call("heater", #"{"action":"on"}"#)
    #expect(answer.message?.contains("it was switched on as often as the owner allows in 24 hours") == true)
  }

  @Test("flash is written once a minute at most, however often it is switched")
  func wear() throws {
    let store = CountingStore()
    let bench = try AgentBench(
      handStore: store, hands: { _ in [output("heater", self.line) { $0.maxSwitchesPerDay = 1_000 }] })
    for step in 0..<60 {
      _ = try bench.call("heater", step % 2 == 0 ? #"{"action":"on"}"# : #"{"action":"off"}"#, id: "\(step)")
      bench.passAlive(1_000)
    }
    #expect(store.saves == 1)
    bench.passAlive(60_000)
    bench.runner.runAll()
    #expect(store.saves == 2)
  }

  @Test("more calls in a minute than the owner allows are refused")
  func tooMany() throws {
    let bench = try AgentBench(hands: { _ in
      let settings = settings("heater", .gpio) { ($0.gpio.direction, $0.callsPerMinute) = (.output, 2) }
      return [HandEntry(settings, .output(self.line))]
    })
    #expect(try bench.call("heater", id: "1").isOK && bench.call("heater", id: "2").isOK)
    #expect(
      try bench.call("heater", id: "3").message == "UNAVAILABLE: heater: it was called too often: try again in 60 s")
    bench.passAlive(60_000)
    #expect(try bench.call("heater", id: "4").isOK)
  }

  @Test("the status says what was switched last, and by whom")
  func journal() throws {
    let bench = try bench()
    _ = try bench.call("heater", #"{"action":"on"}"#)
    bench.pass(2_000)
    let last = try #require(try bench.status("heater")["last"] as? [String: Any])
    #expect(last["what"] as? String == "on" && last["by"] as? String == "the gateway" && last["ageMs"] as? Int == 2_000)
  }

  @Test("it is a tool of the agent under its own name, with the owner's words; safe tools only read")
  func tool() throws {
    let entries = [
      output("heater", line) { ($0.minOn, $0.neverWith) = (5_000, ["fan"]) }, output("fan", MemoryOutput()),
    ]
    let bench = try AgentBench(hands: { _ in entries })
    let tools = try #require(bench.agent.hands).tools
    #expect(tools.map(\.command) == ["io.heater", "io.fan"] && tools.allSatisfy { !$0.isReadOnly })
    #expect(tools[0].description.contains("It is never on together with fan. Once on, it stays on for 5 s."))
    for tool in tools {
      let schema = try JSONSerialization.jsonObject(with: Data(tool.parameters.utf8)) as? [String: Any]
      #expect(schema?["type"] as? String == "object")
    }
  }
}

/// Counts what is written.
final class CountingStore: RecordStore {
  private let store = MemoryStore()
  private(set) var saves = 0

  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? { try store.load(name, into: bytes) }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    saves += 1
    try store.save(name, bytes)
  }
}
