import Device
import Runtime

/// What the kernel and the distribution tell of the board, from the texts of /proc, /sys and /etc.
///
/// Blocks: used on a worker, by one at a time. A file that is missing or malformed leaves its value unknown.
public final class SystemReadings: DeviceReadings {
  private let tree: SystemReadingsTree
  private let stateFolder: Path
  private let clock: any Clock

  /// Readings of the tree below `root`, which is empty for the real one; `stateFolder` is where room on flash counts.
  /// Throws when a path is too long.
  public init(root: String = "", stateFolder: String = "/", clock: any Clock) throws(Errno) {
    tree = try SystemReadingsTree(root: root)
    self.stateFolder = try Path(stateFolder)
    self.clock = clock
  }

  public func read(into snapshot: inout DeviceSnapshot) {
    snapshot.hostName = text("/proc/sys/kernel/hostname") ?? DeviceText()
    snapshot.model = text("/proc/device-tree/model") ?? text("/sys/class/dmi/id/product_name") ?? DeviceText()
    snapshot.systemVersion = systemVersion()
    snapshot.locale =
      tree.file("/proc/self/environ") { SystemTexts.locale(environment: $0) } ?? DeviceText(cutting: "und")
    snapshot.battery = battery()
    snapshot.temperature = hottest()
    snapshot.storage = storage()
    snapshot.network.interfaces = interfaces()
    snapshot.memory = tree.file("/proc/meminfo") { MemoryReading(meminfo: $0) }
    snapshot.processors = tree.file("/sys/devices/system/cpu/online") { SystemTexts.processors($0) } ?? 0
    snapshot.load = tree.file("/proc/loadavg") { SystemTexts.loadAverage($0) }
    snapshot.uptime = tree.file("/proc/uptime") { SystemTexts.uptime($0) } ?? Double(clock.monotonic) / 1000
  }

  // MARK: Names

  /// A file of one line; nil when it is missing or blank.
  private func text(_ path: StaticString) -> DeviceText? {
    tree.file(path) { text in text.trimmed.isEmpty ? nil : DeviceText(cutting: text.trimmed) }
  }

  private func systemVersion() -> DeviceText {
    if let name = tree.file("/etc/os-release", { SystemTexts.prettyName(osRelease: $0) }) { return name }
    return tree.file("/proc/sys/kernel/osrelease") { SystemTexts.kernelVersion($0) } ?? DeviceText()
  }

  // MARK: Power and heat

  /// The board's battery, and what charges it. Batteries of mice and keyboards have the scope "Device".
  private func battery() -> BatteryReading {
    var reading = BatteryReading()
    let folder: StaticString = "/sys/class/power_supply"
    tree.forEachObject(in: folder) { supply in
      let isBattery = tree.attribute(folder, supply, "type") { SystemTexts.says("Battery", $0) } ?? false
      let isForeign = tree.attribute(folder, supply, "scope") { SystemTexts.says("Device", $0) } ?? false
      if isForeign { return }
      if isBattery {
        readBattery(folder, supply, into: &reading)
      } else if number(folder, supply, "online") ?? 0 > 0 {
        let charger = tree.attribute(folder, supply, "type") { BatteryReading.Charger(type: $0) }
        reading.charger = charger ?? reading.charger
      }
    }
    return reading
  }

  /// Units as in the kernel document sysfs-class-power: percent, tenths of a degree, microamperes.
  private func readBattery(_ folder: StaticString, _ supply: Span<UInt8>, into reading: inout BatteryReading)
  {
    reading.state = tree.attribute(folder, supply, "status") { .init(status: $0) } ?? .unknown
    if let percent = number(folder, supply, "capacity"), (0...100).contains(percent) {
      reading.level = Double(percent) / 100
    }
    reading.temperature = number(folder, supply, "temp").map { Double($0) / 10 }
    reading.current = number(folder, supply, "current_now").map { Double($0) / 1000 }
  }

  private func hottest() -> Double? {
    var hottest: Double?
    let folder: StaticString = "/sys/class/thermal"
    tree.forEachObject(in: folder) { zone in
      guard let celsius = tree.attribute(folder, zone, "temp", { SystemTexts.celsius(millidegrees: $0) })
      else { return }
      hottest = max(hottest ?? celsius, celsius)
    }
    return hottest
  }

  private func number(_ folder: StaticString, _ object: Span<UInt8>, _ name: StaticString) -> Int64? {
    tree.attribute(folder, object, name) { SystemTexts.number($0) }
  }

  // MARK: Flash and network

  private func storage() -> StorageReading? {
    do throws(Errno) {
      let space = try Syscall.space(stateFolder)
      return StorageReading(totalBytes: space.total, freeBytes: space.free)
    } catch {
      return nil
    }
  }

  /// Kinds of the interfaces that have a default route.
  private func interfaces() -> InterfaceKinds {
    var kinds: InterfaceKinds = []
    _ = tree.file("/proc/net/route") { table in
      RoutingTable.forEachDefaultIPv4(in: table) { kinds.insert(kind(of: $0)) }
    }
    _ = tree.file("/proc/net/ipv6_route") { table in
      RoutingTable.forEachDefaultIPv6(in: table) { kinds.insert(kind(of: $0)) }
    }
    return kinds
  }

  private func kind(of interface: Span<UInt8>) -> InterfaceKinds {
    let folder: StaticString = "/sys/class/net"
    if let kind = tree.attribute(folder, interface, "uevent", { InterfaceKinds(uevent: $0) }) { return kind }
    if tree.exists(folder, interface, "wireless") { return .wifi }
    return tree.attribute(folder, interface, "type") { InterfaceKinds(type: $0) } ?? .other
  }
}
