import Board
import Device
import Runtime
import Simulated
import Testing

/// What all readings promise, whether the board is real or not.
@Suite struct ReadingsContractTests {
  enum Kind: CaseIterable { case system, fixed }

  private func snapshot(_ kind: Kind) throws -> DeviceSnapshot {
    let readings: any DeviceReadings =
      switch kind {
      case .system: try SystemReadings(clock: SystemClock())
      case .fixed: FixedReadings()
      }
    var snapshot = DeviceSnapshot()
    readings.read(into: &snapshot)
    return snapshot
  }

  @Test("a running system has a name, a version and a language", arguments: Kind.allCases)
  func names(kind: Kind) throws {
    let snapshot = try snapshot(kind)
    #expect(!snapshot.hostName.isEmpty)
    #expect(!snapshot.systemVersion.isEmpty)
    #expect(!snapshot.locale.isEmpty)
  }

  @Test("numbers are within their bounds", arguments: Kind.allCases)
  func numbers(kind: Kind) throws {
    let snapshot = try snapshot(kind)
    #expect(snapshot.uptime > 0)
    let storage = try #require(snapshot.storage)
    #expect(storage.totalBytes > 0 && storage.freeBytes <= storage.totalBytes)
    let memory = try #require(snapshot.memory)
    #expect(memory.totalBytes > 0 && memory.availableBytes <= memory.totalBytes)
    if let level = snapshot.battery.level { #expect((0...1).contains(level)) }
    if let temperature = snapshot.temperature { #expect((-100...200).contains(temperature)) }
  }

  @Test("a second reading replaces the first whole", arguments: Kind.allCases)
  func replaces(kind: Kind) throws {
    let fresh = try snapshot(kind)
    #expect(fresh.battery == (try snapshot(kind)).battery)
    #expect(fresh.network == (try snapshot(kind)).network)
  }
}
