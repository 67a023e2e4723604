import Codec
import Gateway
import Node
import Runtime
import Testing
@testable import Benches
@testable import VoicePart

@Suite("The tool that listens")
struct ListenCommandTests {
  private let bench: VoiceBench

  init() throws {
    bench = try VoiceBench.connected { $0.toneVolume = 0 }
    bench.router.router.add(
      [CommandRow("listen", limit: 1)], capability: "test",
      ListenCommand(service: bench.service, router: bench.router.router))
  }

  private func listen(_ seconds: String, id: String = "1") {
    bench.router.invoke(id, "listen", key: nil, timeout: 60_000, params: #"{"seconds":\#(seconds)}"#)
  }

  @Test(
    "less than a second, more than thirty and what is no number are refused, and no microphone opens",
    arguments: ["0", "0.9", "30.1", "31", "-5", "1e300", #""12""#, "null", "[]"])
  func limits(_ seconds: String) {
    listen(seconds)
    #expect(bench.answers() == [#"1: "seconds" is a number from 1 to 30"#])
    #expect(!bench.microphone.isOpen)
  }

  @Test("both limits are taken, and it hears silence for as long as it was told", arguments: [1, 30])
  func duration(_ seconds: Int) throws {
    listen("\(seconds)")
    #expect(bench.microphone.isOpen && bench.answers().isEmpty)
    bench.say(0, silence: seconds * 1000 - 100)
    #expect(bench.microphone.isOpen && bench.answers().isEmpty)
    bench.say(0, silence: 200)
    #expect(!bench.microphone.isOpen)
  }
}
