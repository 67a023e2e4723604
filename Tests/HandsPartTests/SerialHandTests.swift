import Codec
import Hands
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import HandsPart

@Suite("Hands at a serial line")
struct SerialHandTests {
  private func bench(_ line: MemoryLine, _ change: @escaping (inout SerialSettings) -> Void) throws -> AgentBench {
    try AgentBench(hands: { _ in
      let settings = settings("meter", .serial) {
        $0.serial.device = "/dev/ttyUSB0"
        change(&$0.serial)
      }
      return [HandEntry(settings, .serial(line))]
    })
  }

  private func frame(_ bytes: [UInt8]) -> [UInt8] {
    let sum = ModbusFrame.checksum(bytes.span)
    return bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }

  /// A device with address 1 and registers that hold ten times their address.
  private func device() -> MemoryLine {
    MemoryLine { request in
      let address = Int(request[2]) << 8 | Int(request[3])
      switch request[1] {
      case 3 where address < 100:
        return self.frame([1, 3, 2, UInt8(10 * address >> 8), UInt8(10 * address & 0xFF)])
      case 6: return request
      default: return self.frame([1, request[1] | 0x80, 2])
      }
    }
  }

  private func modbus(_ settings: inout SerialSettings, _ registers: [String: String]) {
    settings.language = .modbus
    settings.address = 1
    settings.registers = registers.sorted { $0.key < $1.key }.compactMap {
      ModbusRegister.parse(name: $0.key, $0.value).register
    }
  }

  @Test("a fixed request takes nothing from the agent, and its answer is safe text")
  func fixed() throws {
    let line = MemoryLine { _ in Array("a\u{1B}[2J\r\n".utf8) }
    let bench = try bench(line) { $0.request = Array("MEAS?".utf8) }
    let answer = try bench.call("meter", #"{"request":"other"}"#).payload
    #expect(answer["answer"] as? String == "a?[2J?")
    #expect(line.requests == [Array("MEAS?\n".utf8)])
  }

  @Test("the agent sends what the pattern allows, between prefix and terminator")
  func allowed() throws {
    let line = MemoryLine { _ in Array("OK\r\n".utf8) }
    let bench = try bench(line) {
      $0.allowed = TextPattern("VOLT [0-9]{1,2}".utf8.span)
      $0.allowedText = "VOLT [0-9]{1,2}"
      ($0.prefix, $0.terminator, $0.answerEnd) = (Array("@1 ".utf8), [0x0D], [0x0D, 0x0A])
    }
    #expect(try bench.call("meter", #"{"request":"VOLT 12"}"#).payload["text"] as? String == "The device answered: OK")
    #expect(line.requests == [Array("@1 VOLT 12\r".utf8)])
    let wrong = ["{}", #"{"request":"VOLT 123"}"#, #"{"request":"VOLT 12\n"}"#, #"{"request":7}"#]
    for (index, wrong) in wrong.enumerated() {
      #expect(try bench.call("meter", wrong, id: "wrong\(index)").words.contains("must match"))
    }
    #expect(line.requests.count == 1)
  }

  @Test("a line that is not there is told, and the agent what to do")
  func broken() throws {
    let line = MemoryLine { _ in [] }
    line.fault = .noSuchFile
    let bench = try bench(line) { $0.request = [0x3F] }
    #expect(try bench.call("meter").words.contains("/dev/ttyUSB0 does not work (it is not there): plug it in"))
    #expect(try bench.status("meter")["state"] as? String == "broken")
  }

  @Test("all registers come back in a sentence and as numbers, and those that fail are told")
  func registers() throws {
    let bench = try bench(device()) {
      self.modbus(&$0, ["flow": "holding 12 u16 scale 0.1 unit l/min", "far": "holding 999 u16"])
    }
    let answer = try bench.call("meter").payload
    let text = try #require(answer["text"] as? String)
    #expect(text.hasPrefix("far not read: the device has no register at this address (exception 2), flow 12 l/min."))
    #expect((answer["values"] as? [String: Double]) == ["flow": 12])
    #expect(try bench.call("meter", #"{"register":"far"}"#, id: "2").words.contains("exception 2"))
    #expect(try bench.call("meter", #"{"register":"near"}"#, id: "3").words.contains("no such register"))
  }

  @Test("what the owner does not allow is not written")
  func writing() throws {
    let line = device()
    let bench = try bench(line) {
      self.modbus(&$0, ["set": "holding 2 i16 writable -5..30", "read": "holding 3 u16"])
    }
    #expect(try bench.call("meter", #"{"set":"set","value":20}"#).payload["values"] as? [String: Double] == ["set": 20])
    #expect(line.requests.first == frame([1, 6, 0, 2, 0, 20]))
    let count = line.requests.count
    for (index, (wrong, words)) in [
      (#"{"set":"set","value":31}"#, "from -5 to 30"), (#"{"set":"set"}"#, "from -5 to 30"),
      (#"{"set":"read","value":1}"#, "does not allow"), (#"{"set":7,"value":1}"#, "must be names"),
    ].enumerated() { #expect(try bench.call("meter", wrong, id: "wrong\(index)").words.contains(words)) }
    #expect(line.requests.count == count)
    #expect(try #require(bench.agent.hands).tools.allSatisfy { !$0.isReadOnly })
  }
}

@Suite("Hands that run programs")
struct ProgramHandTests {
  private let program = MemoryProgram()

  private func bench(_ run: String = "/bin/valve {zone number 1..8} {mode choice open shut}") throws -> AgentBench {
    try AgentBench(hands: { _ in
      [
        HandEntry(
          settings("valve", .program) { $0.program.template = ProgramTemplate.parse(run).template },
          .program(self.program))
      ]
    })
  }

  @Test("the program gets the agent's values, and its output comes back")
  func runs() throws {
    let bench = try bench()
    program.output = Array("opened\n\u{7}".utf8)
    let answer = try bench.call("valve", #"{"zone":3,"mode":"open"}"#).payload
    #expect(program.runs == [["/bin/valve", "3", "open"]])
    #expect(answer["text"] as? String == "The program ended well. It wrote:\nopened\n?")
    #expect(answer["exitStatus"] as? Int == 0)
    #expect(program.milliseconds <= Budget.programMilliseconds)
  }

  @Test("each end is told in a sentence")
  func ends() throws {
    let bench = try bench("/bin/valve")
    for (end, words) in [
      (ProgramEnd.Outcome.exited(3), "failed with exit status 3"), (.signal(9), "ended by signal 9"),
      (.timedOut, "was killed"),
    ] {
      program.end = ProgramEnd(end)
      #expect((try bench.call("valve", id: words).payload["text"] as? String)?.contains(words) == true)
    }
    program.end = ProgramEnd(.failed(.noSuchFile))
    #expect(try bench.call("valve", id: "9").words.contains("does not start (no such file or directory)"))
  }

  @Test("what the owner does not allow does not run")
  func refuses() throws {
    let bench = try bench()
    for (index, (wrong, words)) in [
      (#"{"zone":9,"mode":"open"}"#, "zone must be a whole number from 1 to 8"),
      (#"{"zone":1,"mode":"x"}"#, "mode must be one of open, shut"), ("{}", "zone must be"),
    ].enumerated() { #expect(try bench.call("valve", wrong, id: "wrong\(index)").words.contains(words)) }
    program.refusal = "nothing runs here"
    #expect(try bench.call("valve", #"{"zone":1,"mode":"open"}"#, id: "x").words.contains("nothing runs here"))
    #expect(program.runs.isEmpty)
  }

  @Test("its schema has the types and limits of its values")
  func schema() throws {
    let tool = try #require(try bench().agent.hands?.tools.first)
    #expect(
      tool.parameters
        == #"{"type":"object","properties":{"zone":{"type":"integer","minimum":1,"maximum":8},"#
        + #""mode":{"type":"string","enum":["open","shut"]}},"required":["zone","mode"]}"#)
    #expect(!tool.isReadOnly)
  }
}

extension Answer {
  /// The message of an error; empty for a result.
  var words: String { message ?? "" }
}
