import Device
import Runtime

/// Hands requests over to root's side as the file `recovery/request` of the state folder, which a path unit of systemd
/// watches.
public final class RecoveryRequestFile: RecoveryRequests {
  private let folder: Path
  private let file: Path
  private let fresh: Path

  /// Requests in the state folder; nothing is written before the first.
  @export(interface)
  public init(stateFolder: String) throws(Errno) {
    folder = try Path(stateFolder + "/recovery")
    file = try Path(stateFolder + "/recovery/request")
    fresh = try Path(stateFolder + "/recovery/request.new")
  }

  /// Replaces the request by this one, whole or not at all.
  public func send(_ request: UnsafeBufferPointer<UInt8>) throws(Errno) {
    do throws(Errno) { try Syscall.makeFolder(folder, permissions: 0o700) } catch {
      if error != .exists { throw error }
    }
    try TextFile.replace(file, temporary: fresh, UnsafeRawBufferPointer(request))
  }
}

/// What shows that this board hangs.
extension SystemReadings: RecoveryReadings {
  /// Written by root's side at its start: its file is there where it obeys requests.
  private static let restartFile: StaticString = "/run/talon-system/restart"

  /// True where root's side obeys requests.
  public static var hasRecovery: Bool {
    do throws(Errno) {
      let path = Path()
      try path.append(restartFile)
      _ = try Syscall.status(path)
      return true
    } catch {
      return false
    }
  }

  @export(interface)
  public func readRecovery() -> RecoveryReading {
    var snapshot = DeviceSnapshot()
    readNetwork(into: &snapshot)
    countAddresses(of: &snapshot.links)
    return RecoveryReading(
      links: snapshot.links, silent: silentInterface(),
      memory: tree.file("/proc/meminfo") { MemoryReading(meminfo: $0) })
  }

  /// The interface whose default router of IPv4 does not answer; empty when there is none, or when it does.
  private func silentInterface() -> DeviceName {
    var (name, router) = (DeviceName(), UInt32(0))
    _ = tree.file("/proc/net/route") { table in
      RoutingTable.forEachRouterIPv4(in: table) { interface, address in
        if router == 0 { (name, router) = (DeviceName(cutting: interface), address) }
      }
    }
    guard router != 0 else { return name }
    let isSilent = tree.file("/proc/net/arp") { NeighborTable.isSilent(router, on: name.span, in: $0) }
    return isSilent == true ? name : DeviceName()
  }

  /// Why the board was last restarted: by root's side, or by its watchdog where root's side is not there.
  func restart(_ watchdog: WatchdogReading?) -> RestartReading? {
    if let told = tree.file(Self.restartFile, { RestartReading($0) }) { return told }
    return watchdog?.hasReset == true ? RestartReading(.watchdog) : nil
  }
}
