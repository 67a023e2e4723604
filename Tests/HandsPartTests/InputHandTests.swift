import Hands
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import HandsPart
@testable import Node

@Suite("Hands that read")
struct InputHandTests {
  /// An agent whose hand `door` reads `line`, and a channel that takes its events.
  private struct Door {
    let bench: AgentBench
    let line: MemoryInput
    let channel = FakeChannel()

    init(_ change: @escaping (inout GPIOSettings) -> Void = { _ in }) throws {
      var made: MemoryInput?
      bench = try AgentBench(hands: { clock in
        let line = MemoryInput(clock: clock)
        made = line
        let settings = settings("door", .gpio) {
          $0.about = "the front door"
          ($0.gpio.direction, $0.gpio.events, $0.gpio.onWord, $0.gpio.offWord) = (.input, .both, "open", "closed")
          change(&$0.gpio)
        }
        return [HandEntry(settings, .input(line))]
      })
      line = try #require(made)
      bench.replaceChannel(channel)
    }

    /// Titles of the events so far.
    var titles: [String] {
      while channel.waiting.contains(where: { $0.method == "node.event" }) { channel.answer() }
      return channel.asked("node.event").compactMap { $0.payload["title"] as? String }
    }

    func set(_ isOn: Bool, for milliseconds: Int64) {
      line.set(isOn)
      bench.pass(milliseconds)
      bench.runner.runAll()
    }
  }

  @Test("it says whether it is on in the owner's words, and for how long")
  func reads() throws {
    var made: MemoryInput?
    let bench = try AgentBench(hands: { clock in
      let line = MemoryInput(clock: clock, true)
      made = line
      let settings = settings("door", .gpio) { ($0.gpio.direction, $0.gpio.onWord) = (.input, "open") }
      return [HandEntry(settings, .input(line))]
    })
    #expect(try bench.call("door").payload["state"] as? String == "open")
    made?.set(false)
    bench.pass(500)
    let answer = try bench.call("door", id: "2").payload
    #expect(answer["state"] as? String == "off" && answer["forMs"] as? Int == 500 && answer["changes"] as? Int == 1)
    #expect(try #require(bench.agent.hands).tools.allSatisfy(\.isReadOnly))
  }

  @Test("the agent is told of its changes, in the owner's words")
  func events() throws {
    let door = try Door()
    door.set(true, for: 1_000)
    door.set(false, for: 1_000)
    #expect(door.titles == ["door is open", "door is closed"])
    let event = try #require(door.channel.asked("node.event").first)
    #expect(event.event == "notifications.changed")
    #expect(event.payload["key"] as? String == "talon.io.door" && event.payload["text"] as? String == "the front door")
  }

  @Test("only of those that the owner wants")
  func wanted() throws {
    for (events, titles) in [
      (GPIOSettings.Events.on, ["door is open"]), (.off, ["door is closed"]), (.none, []),
    ] {
      let door = try Door { $0.events = events }
      door.set(true, for: 1_000)
      door.set(false, for: 1_000)
      #expect(door.titles == titles)
    }
  }

  @Test("a contact that bounces changes once")
  func bounces() throws {
    let door = try Door()
    for step in 0..<9 { door.set(step % 2 == 0, for: 3) }
    door.bench.pass(100)
    #expect(door.titles == ["door is open"])
  }

  @Test("one that changes all the time is told of as often as the owner allows")
  func limited() throws {
    let door = try Door { $0.maxEventsPerHour = 3 }
    for step in 0..<20 { door.set(step % 2 == 0, for: 1_000) }
    #expect(door.titles.count == 3)
    door.bench.passAlive(3_600_000)
    door.set(true, for: 1_000)
    #expect(door.titles.count == 4)
  }

  @Test("edges that the kernel has lost are noticed when it is read")
  func missed() throws {
    let door = try Door()
    door.line.losesEdges = true
    door.set(true, for: 1_000)
    #expect(door.titles.isEmpty)
    #expect(try door.bench.status("door")["state"] as? String == "closed")
    door.line.catchUp()
    #expect(door.titles == ["door is open"])
  }

  @Test("nothing is told in panic")
  func panic() throws {
    let door = try Door()
    door.bench.agent.table.hold()
    door.set(true, for: 1_000)
    door.bench.agent.table.letGo()
    door.bench.agent.outbox.online(door.channel)
    #expect(door.titles.isEmpty)
    door.set(false, for: 1_000)
    #expect(door.titles == ["door is closed"])
  }

  @Test("a line that goes away is tried again")
  func lost() throws {
    let door = try Door()
    door.line.fail(.noSuchDevice)
    #expect(try door.bench.status("door")["state"] as? String == "broken")
    #expect(door.bench.agent.table.hasFault)
    door.line.fault = nil
    door.bench.pass(1_000)
    #expect(try door.bench.status("door")["state"] as? String == "closed")
  }
}

@Suite("Hands that count, and those that set a power")
struct CounterAndPWMTests {
  private let pwm = MemoryPWM(0.7)

  private func counting(_ store: any RecordStore) throws -> (AgentBench, MemoryInput) {
    var made: MemoryInput?
    let bench = try AgentBench(
      handStore: store,
      hands: { clock in
        let line = MemoryInput(clock: clock)
        made = line
        let settings = settings("water", .counter) { ($0.counter.scale, $0.counter.unit) = (0.5, "l") }
        return [HandEntry(settings, .counter(line))]
      })
    return (bench, try #require(made))
  }

  private func pulse(_ bench: AgentBench, _ line: MemoryInput, _ count: Int) {
    for _ in 0..<count {
      line.set(true)
      bench.pass(10)
      line.set(false)
      bench.pass(10)
    }
  }

  @Test("it tells the total and the rate in the owner's unit, also over a restart")
  func counts() throws {
    let store = MemoryStore()
    let (bench, line) = try counting(store)
    pulse(bench, line, 30)
    let answer = try bench.call("water").payload
    #expect(answer["total"] as? Double == 15 && answer["unit"] as? String == "l" && answer["pulses"] as? Int == 30)
    #expect((answer["rate"] as? Double ?? 0) > 0 && answer["ratePer"] as? String == "min")
    bench.agent.stop()
    bench.runner.runAll()
    let (second, other) = try counting(store)
    pulse(second, other, 2)
    #expect(try second.call("water").payload["total"] as? Double == 16)
  }

  @Test("flash has the total within ten minutes, and no more often than that")
  func saved() throws {
    let store = CountingStore()
    let (bench, line) = try counting(store)
    for _ in 0..<120 {
      pulse(bench, line, 1)
      bench.passAlive(30_000)
    }
    #expect((5...6).contains(store.saves))
  }

  private func fan(_ change: @escaping (inout PWMSettings) -> Void = { _ in }) throws -> AgentBench {
    try AgentBench(hands: { _ in [HandEntry(settings("fan", .pwm) { change(&$0.pwm) }, .pwm(self.pwm))] })
  }

  @Test("the power is set within the owner's bounds, and read back")
  func power() throws {
    let bench = try fan { ($0.minimum, $0.maximum) = (20, 80) }
    #expect(pwm.level == 0)
    #expect(try bench.call("fan", #"{"percent":35.5}"#).payload["percent"] as? Double == 35.5)
    #expect(pwm.level == 0.355)
    for percent in ["19.9", "80.1", "-5", "1e9"] {
      #expect(
        try bench.call("fan", #"{"percent":\#(percent)}"#, id: percent).message
          == "INVALID_REQUEST: fan: percent must be from 20 to 80")
    }
    #expect(try bench.call("fan", id: "r").payload["state"] as? String == "on")
    #expect(try bench.call("fan", #"{"percent":0}"#, id: "o").payload["state"] as? String == "off")
  }

  @Test("at the start, in panic and at the end it has its safe power")
  func safe() throws {
    let bench = try fan { $0.safe = 30 }
    #expect(pwm.level == 0.3)
    _ = try bench.call("fan", #"{"percent":100}"#)
    bench.agent.table.hold()
    #expect(pwm.level == 0.3)
    bench.agent.table.letGo()
    bench.agent.stop()
    #expect(pwm.level == 0.3 && !pwm.isOpen)
  }

  @Test("a power is an output like any other: it is never on together with its rivals")
  func rival() throws {
    let line = MemoryOutput()
    let bench = try AgentBench(hands: { _ in
      [HandEntry(settings("fan", .pwm) { $0.pwm.neverWith = ["heater"] }, .pwm(self.pwm)), output("heater", line)]
    })
    #expect(try bench.call("heater", #"{"action":"on"}"#).isOK)
    #expect(try !bench.call("fan", #"{"percent":5}"#, id: "2").isOK)
    #expect(try bench.call("fan", #"{"percent":0}"#, id: "3").isOK)
  }
}
