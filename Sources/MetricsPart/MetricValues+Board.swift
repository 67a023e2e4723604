import Device
import Metrics
import Runtime

extension MetricValues {
  /// Adds the board's readings.
  mutating func fill(_ board: borrowing DeviceSnapshot) {
    set(.boardUptime, board.uptime > 0 ? board.uptime : nil)
    set(.memorySize, board.memory?.totalBytes)
    set(.memoryAvailable, board.memory?.availableBytes)
    set(.memoryStall, board.stall.map { $0.some / 100 })
    if let load = board.load { set(.load, load[0]) }
    set(.storageSize, board.storage?.totalBytes)
    set(.storageFree, board.storage?.freeBytes)
    set(.storageReadOnly, board.storage?.isReadOnly)
    set(.storageWritten, board.wear.writtenBytes)
    set(.storageLife, board.wear.lifeUsed.map { Double($0) / 100 })
    set(.storageErrors, board.wear.errors)
    set(.temperature, board.temperature)
    fillPower(board)
    fillLink(board)
    set(.clockRight, board.clock.isSynchronized)
  }

  private mutating func fillPower(_ board: borrowing DeviceSnapshot) {
    if let throttling = board.throttling {
      set(.underVoltage, throttling.isNow(.underVoltage))
      set(.frequencyCapped, throttling.isNow(.frequencyCapped))
      set(.throttled, throttling.isNow(.throttled))
      set(.softLimit, throttling.isNow(.softTemperatureLimit))
    } else {
      set(.underVoltage, board.isUnderVoltage)
    }
    set(.charge, board.battery.level)
    set(.voltage, board.battery.voltage)
    if board.battery.state != .unknown { set(.external, board.battery.charger != .none) }
  }

  /// The link with the default route.
  private mutating func fillLink(_ board: borrowing DeviceSnapshot) {
    for index in 0..<board.links.count {
      let link = board.links[index]
      guard link.name == board.network.defaultInterface else { continue }
      set(.linkSignal, link.air?.signal.map { Double($0) })
      // Megabits of a cable, or of the air.
      set(.linkSpeed, (link.speed.map { Double($0) } ?? link.air?.bitrate).map { $0 * 125_000 })
    }
  }
}
