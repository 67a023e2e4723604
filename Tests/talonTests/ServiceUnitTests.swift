import Runtime
import Testing

@testable import talon

/// `systemd/talon.service` says again what stands in the code.
@Suite struct ServiceUnitTests {
  private let lines: [String]

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let bytes = try TextFile.read(root + "/systemd/talon.service", limit: Budget.configurationBytes)
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func value(_ key: String) throws -> String {
    let values = lines.filter { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
    #expect(values.count == 1)
    return try #require(values.first)
  }

  @Test("its memory is what the budget allows")
  func memory() throws {
    #expect(try value("MemoryMax") == "\(Budget.serviceMemoryBytes >> 20)M")
    #expect(Budget.serviceMemoryBytes % (16 << 20) == 0)
  }

  @Test("its watchdog is fed several times before a job counts as hanging")
  func watchdog() throws {
    let seconds = try #require(Int64(try value("WatchdogSec")))
    #expect(Budget.workerPatience >= 5 * seconds * 1000)
  }

  @Test("it is not started again after what does not get better by itself")
  func exitCodes() throws {
    let codes = try value("RestartPreventExitStatus").split(separator: " ").compactMap { Int32($0) }
    #expect(codes == [ExitCode.usage.rawValue, ExitCode.configuration.rawValue])
  }
}
