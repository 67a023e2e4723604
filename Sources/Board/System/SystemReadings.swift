import Codec
import Device
import Runtime

/// Device readings from /proc, /sys and /etc, the firmware's mailbox and netlink.
///
/// Blocks: for one worker at a time. A file that is missing or malformed leaves its value unknown.
public final class SystemReadings: DeviceReadings {
  let tree: SystemReadingsTree
  let stateFolder: Path
  private let questions: NetlinkRequests?
  private let clock: any Clock
  private let keeping: ClockKeeping

  /// Readings of the tree below `root`, which is empty for the real one; `stateFolder` selects the file system for
  /// storage readings. The network is queried only for the real tree. Throws when a path is too long.
  @export(interface)
  public convenience init(root: String = "", stateFolder: String = "/", clock: any Clock) throws(Errno) {
    try self.init(
      root: root, stateFolder: stateFolder, questions: root.isEmpty ? NetlinkRequests() : nil, clock: clock)
  }

  /// The same with other netlink sockets.
  init(root: String, stateFolder: String, questions: NetlinkRequests?, clock: any Clock) throws(Errno) {
    tree = try SystemReadingsTree(root: root)
    self.stateFolder = try Path(stateFolder)
    self.questions = questions
    self.clock = clock
    keeping = ClockKeeping(root: root)
  }

  @export(interface)
  public func read(into snapshot: inout DeviceSnapshot) {
    snapshot.hostName = text("/proc/sys/kernel/hostname") ?? DeviceText()
    snapshot.model = text("/proc/device-tree/model") ?? text("/sys/class/dmi/id/product_name") ?? DeviceText()
    snapshot.serial =
      text("/proc/device-tree/serial-number") ?? text("/sys/class/dmi/id/product_serial") ?? DeviceText()
    snapshot.kernel = text("/proc/sys/kernel/osrelease") ?? DeviceText()
    snapshot.systemVersion = systemVersion()
    snapshot.locale =
      tree.file("/proc/self/environ") { SystemTexts.locale(environment: $0) } ?? DeviceText(cutting: "und")
    readPower(into: &snapshot)
    readHeat(into: &snapshot)
    readStorage(into: &snapshot)
    readNetwork(into: &snapshot)
    questions?.countAddresses(of: &snapshot.links)
    questions?.listen(for: &snapshot.links)
    readAir(into: &snapshot.links)
    snapshot.memory = tree.file("/proc/meminfo") { MemoryReading(meminfo: $0) }
    snapshot.stall = tree.file("/proc/pressure/memory") { StallReading(pressure: $0) }
    snapshot.processors = tree.file("/sys/devices/system/cpu/online") { SystemTexts.processors($0) } ?? 0
    snapshot.load = tree.file("/proc/loadavg") { SystemTexts.loadAverage($0) }
    snapshot.uptime = tree.file("/proc/uptime") { SystemTexts.uptime($0) } ?? Double(clock.monotonic) / 1000
    snapshot.clock = clockReading()
    snapshot.watchdog = watchdog()
    snapshot.restart = restart(snapshot.watchdog)
    snapshot.access = access()
  }

  /// Counts the addresses of links, where this is the real board.
  func countAddresses(of links: inout DeviceLinks) { questions?.countAddresses(of: &links) }

  // MARK: Names

  /// A file of one line; nil when it is missing or blank.
  private func text(_ path: StaticString) -> DeviceText? {
    tree.file(path) { text in text.trimmed.isEmpty ? nil : DeviceText(cutting: text.trimmed) }
  }

  private func systemVersion() -> DeviceText {
    if let name = tree.file("/etc/os-release", { SystemTexts.prettyName(osRelease: $0) }) { return name }
    return tree.file("/proc/sys/kernel/osrelease") { SystemTexts.kernelVersion($0) } ?? DeviceText()
  }

  /// An attribute as a name; empty when it is missing.
  func name(_ folder: StaticString, _ object: Span<UInt8>, _ attribute: StaticString) -> DeviceName {
    tree.attribute(folder, object, attribute) { DeviceName(cutting: $0.trimmed) } ?? DeviceName()
  }

  /// An attribute as a whole number.
  func number(_ folder: StaticString, _ object: Span<UInt8>, _ attribute: StaticString) -> Int64? {
    tree.attribute(folder, object, attribute) { SystemTexts.number($0) }
  }

  // MARK: Clock, watchdog, rights

  private func clockReading() -> ClockReading {
    var reading = ClockReading()
    reading.isSynchronized = keeping.isAtWork
    var hasHardwareClock = false
    tree.forEachObject(in: "/sys/class/rtc") { _ in hasHardwareClock = true }
    reading.hasHardwareClock = hasHardwareClock
    reading.wall = clock.wall
    return reading
  }

  private func watchdog() -> WatchdogReading? {
    let folder: StaticString = "/sys/class/watchdog"
    let first = Span(_unsafeElements: ("watchdog0" as StaticString).bytes)
    guard tree.exists(folder, first, "identity") else { return nil }
    var reading = WatchdogReading()
    reading.identity = name(folder, first, "identity")
    reading.isActive = tree.attribute(folder, first, "state") { SystemTexts.says("active", $0) } ?? false
    reading.timeout = number(folder, first, "timeout").flatMap { Int(exactly: $0) }
    // WDIOF_CARDRESET of <linux/watchdog.h>
    reading.hasReset = (number(folder, first, "bootstatus") ?? 0) & 0x20 != 0
    return reading
  }

  private func access() -> AccessReading {
    var reading = AccessReading()
    tree.forEachObject(in: "/dev", limit: Budget.deviceFiles) { name in
      reading.add(name) { tree.isOpen("/dev", name) }
    }
    return reading
  }
}
