import Device
import Runtime

/// Simulated readings of a board with fixed values.
public final class FixedReadings: DeviceReadings {
  private let snapshot: DeviceSnapshot

  /// A board that is always in the state `snapshot`.
  @export(interface)
  public init(_ snapshot: DeviceSnapshot = FixedReadings.fieldBoard) { self.snapshot = snapshot }

  public func read(into snapshot: inout DeviceSnapshot) { snapshot = self.snapshot }

  /// A small board in a field: half a battery, a cellular modem, a day of uptime.
  public static var fieldBoard: DeviceSnapshot {
    var board = DeviceSnapshot()
    board.hostName = DeviceText(cutting: "talon")
    board.model = DeviceText(cutting: "Talon simulated board")
    board.serial = DeviceText(cutting: "1000000012345678")
    board.kernel = DeviceText(cutting: "6.12.0")
    board.systemVersion = DeviceText(cutting: "Talon simulation")
    board.locale = DeviceText(cutting: "en-US")
    board.battery.state = .unplugged
    board.battery.level = 0.5
    board.temperature = 41.5
    board.storage = StorageReading(totalBytes: 8_000_000_000, freeBytes: 6_000_000_000)
    board.network.interfaces = .cellular
    board.network.defaultInterface = DeviceName(cutting: "wwan0")
    board.memory = MemoryReading(totalBytes: 512 << 20, availableBytes: 384 << 20)
    board.processors = 4
    board.load = [0.25, 0.5, 1]
    board.uptime = 86_400
    board.clock.wall = Budget.earliestWall
    return board
  }
}
