import Codec
import Hands
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import HandsPart

@Suite("Hands that measure")
struct SensorHandTests {
  private let sensor = MemorySensor(.value(21.4))
  private let channel = FakeChannel()

  private func bench(_ change: @escaping (inout SensorSettings) -> Void = { _ in }) throws -> AgentBench {
    let bench = try AgentBench(hands: { _ in
      let settings = settings("greenhouse", .sensor) {
        $0.sensor.source = SensorSource.parse("hwmon lm75 temp1").source
        $0.sensor.label = "The greenhouse"
        change(&$0.sensor)
      }
      return [HandEntry(settings, .sensor(self.sensor))]
    })
    bench.replaceChannel(channel)
    pass(bench, 1)
    return bench
  }

  private func pass(_ bench: AgentBench, _ milliseconds: Int64) {
    bench.passAlive(milliseconds)
    bench.runner.runAll()
  }

  private func read(_ bench: AgentBench, _ value: Double) {
    sensor.outcome = .value(value)
    pass(bench, 10_000)
  }

  private var titles: [String] {
    while channel.waiting.contains(where: { $0.method == "node.event" }) { channel.answer() }
    return channel.asked("node.event").compactMap { $0.payload["title"] as? String }
  }

  @Test("it says how it is and how it was in a sentence, and in numbers")
  func says() throws {
    let bench = try bench()
    read(bench, 24.9)
    read(bench, 18.2)
    read(bench, 21.4)
    let answer = try bench.call("greenhouse").payload
    #expect(
      answer["text"] as? String == "The greenhouse is 21.4 °C now; between 18.2 and 24.9 in the last hour.")
    #expect(answer["value"] as? Double == 21.4 && answer["unit"] as? String == "°C")
    #expect(answer["minimum"] as? Double == 18.2 && answer["maximum"] as? Double == 24.9)
    #expect(try #require(bench.agent.hands).tools.allSatisfy { $0.isReadOnly && $0.sentence.isEmpty })
  }

  @Test("the first call waits for the first reading; later ones do not read again")
  func waits() throws {
    let bench = try AgentBench(hands: { _ in
      [
        HandEntry(
          settings("greenhouse", .sensor) { $0.sensor.source = SensorSource.parse("hwmon lm75 temp1").source },
          .sensor(self.sensor))
      ]
    })
    #expect(try bench.call("greenhouse").payload["text"] as? String == "greenhouse is 21.4 °C now.")
    let readings = sensor.readings
    #expect(try bench.call("greenhouse", id: "2").payload["value"] as? Double == 21.4)
    #expect(sensor.readings == readings)
  }

  @Test("its value is scaled, and told in the owner's unit")
  func scaled() throws {
    let bench = try bench { ($0.scale, $0.offset, $0.unit) = (-2, 100, "%") }
    let answer = try bench.call("greenhouse").payload
    #expect(answer["value"] as? Double == 57.2 && (answer["text"] as? String)?.contains("57.20 % now") == true)
  }

  @Test("the agent is told when it leaves its limits, and when it is back")
  func alarms() throws {
    let bench = try bench { ($0.above, $0.hysteresis) = (30, 1) }
    read(bench, 31)
    read(bench, 32)
    #expect(titles == ["The greenhouse is above 30.0 °C"])
    read(bench, 25)
    #expect(titles.count == 1)
    for _ in 0..<31 { read(bench, 25) }
    #expect(titles == ["The greenhouse is above 30.0 °C", "The greenhouse is within its limits again"])
  }

  @Test("a sensor that is absent is told with what was looked for and found, and comes back by itself")
  func absent() throws {
    let bench = try bench()
    sensor.outcome = .failed(SensorFailure(.noDevice, found: InlineText(cutting: "acpitz")))
    pass(bench, 10_000)
    let error = try bench.call("greenhouse").words
    #expect(error.contains("the board has no hwmon chip named lm75; it has acpitz; it was 21.4 °C 10 s ago"))
    #expect(try bench.status("greenhouse")["state"] as? String == "broken")
    read(bench, 20)
    #expect(try bench.call("greenhouse", id: "2").payload["value"] as? Double == 20)
  }

  @Test("a held board reads nothing")
  func held() throws {
    let bench = try bench()
    bench.agent.hands?.hold()
    let readings = sensor.readings
    pass(bench, 100_000)
    #expect(sensor.readings == readings)
    bench.agent.hands?.letGo()
    pass(bench, 1)
    #expect(sensor.readings == readings + 1)
  }
}
