import Board
import Programs
import Runtime
import TestSupport
import Testing

@testable import talon

/// `systemd/talon.service` says again what stands in the code.
@Suite struct ServiceUnitTests {
  private let lines: [String]

  init() throws { lines = try Self.lines(of: "talon.service") }

  private static func lines(of unit: String) throws -> [String] {
    let bytes = try TextFile.read(Repository.path("systemd/" + unit), limit: Budget.configurationBytes)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func value(_ key: String) throws -> String {
    let values = lines.filter { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
    #expect(values.count == 1)
    return try #require(values.first)
  }

  @Test("its memory is the share of the board's that the budget allows; a large board has room for all buffers at once")
  func memory() throws {
    #expect(try value("MemoryMax") == "\(Budget.serviceMemoryPercent)%")
    #expect(Budget.serviceMemoryBytes % (16 << 20) == 0)
    let handbook = try TextFile.read(Repository.path("docs/owners/install.md"), limit: 1 << 20)
    let text = String(decoding: handbook, as: UTF8.self)
    #expect(
      text.contains("The budget table adds up to \(Budget.serviceMemoryBytes >> 20) MiB"),
      "\(Budget.serviceMemoryBytes >> 20)")
    // What Linux has of the 512 MB of a Zero 2 W, and of 4 GB.
    #expect(Budget.serviceMemoryBytes(ofBoard: 436 << 20) == (436 << 20) / 100 * 75)
    #expect(Budget.serviceMemoryBytes(ofBoard: 4 << 30) == UInt64(Budget.serviceMemoryBytes))
  }

  @Test("neither it nor the console leaves a picture of its memory")
  func noCore() throws {
    #expect(try value("LimitCORE") == "0")
    let console = try Self.lines(of: "talon-console@.service")
    #expect(
      console.contains("LimitCORE=0")
        && console.contains("StateDirectory=\(PinLock.folder.split(separator: "/").last ?? "")"))
  }

  @Test("the service of programs has room for what the configuration allows, and more connections than runs")
  func programs() throws {
    let service = try Self.lines(of: "talon-run@.service"), socket = try Self.lines(of: "talon-run.socket")
    func number(_ key: String, _ lines: [String]) throws -> Int64 {
      let line = try #require(lines.first { $0.hasPrefix(key + "=") })
      return try #require(Int64(line.dropFirst(key.count + 1).prefix { $0.isNumber }))
    }
    #expect(try number("MemoryMax", service) >= Int64(Budget.runMegabytesRange.upperBound))
    #expect(try number("RuntimeMaxSec", service) > Budget.runSeconds.upperBound)
    #expect(try number("TasksMax", service) > Int64(Budget.runProcesses))
    #expect(try number("MaxConnections", socket) > Int64(Budget.runsAtOnce))
    #expect(socket.contains("ListenStream=\(ProgramSocket.usualPath)") && socket.contains("SocketUser=talon"))
    #expect(service.contains { $0.hasPrefix("TemporaryFileSystem=\(RunRequest.folder):") })
    #expect(service.contains("LimitCORE=0") && service.contains("CapabilityBoundingSet=CAP_SETUID CAP_SETGID"))
  }

  @Test("the service of MCP servers has room for those of the configuration, and for as many that are just ending")
  func servers() throws {
    let service = try Self.lines(of: "talon-mcp@.service"), socket = try Self.lines(of: "talon-mcp.socket")
    #expect(socket.contains("MaxConnections=\(2 * Budget.mcpServers)"))
    #expect(socket.contains("ListenStream=\(MCPSocket.usualPath)") && socket.contains("SocketUser=talon"))
    #expect(service.contains { $0.hasPrefix("TemporaryFileSystem=\(RunRequest.folder):") })
    #expect(service.contains("LimitCORE=0") && service.contains("CapabilityBoundingSet=CAP_SETUID CAP_SETGID"))
    // A server runs as long as it is called.
    #expect(!service.contains { $0.hasPrefix("RuntimeMaxSec=") })
  }

  @Test("its watchdog is fed several times before a job counts as hanging")
  func watchdog() throws {
    let seconds = try #require(Int64(try value("WatchdogSec")))
    #expect(Budget.workerTimeoutMilliseconds >= 5 * seconds * 1000)
  }

  @Test("it is not started again after what does not get better by itself")
  func exitCodes() throws {
    let codes = try value("RestartPreventExitStatus").split(separator: " ").compactMap { Int32($0) }
    #expect(codes == [ExitCode.usage.rawValue])
  }
}
