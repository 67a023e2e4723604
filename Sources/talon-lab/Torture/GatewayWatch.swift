import Foundation

/// Watches a gateway for all boards of a torture run, and approves them.
final class GatewayWatch: @unchecked Sendable {
  /// Seconds between two looks.
  private static let pause = 0.1

  private let gateway: GatewayControl
  private let lock = NSLock()
  /// Pending approvals, by the name of the board.
  private var devices: [String: String] = [:]
  /// Identities of runs that are over, whose requests are not looked at any more.
  private var retired: Set<String> = []
  /// When a node connected, in the gateway's milliseconds, by device.
  private var connections: [String: Int] = [:]
  /// Devices whose second connection, for people at the board, is open.
  private var consoles: Set<String> = []
  private var looks = 0
  private var trouble: (any Error)?
  private var isOver = false

  init(stateFolder: String) throws { gateway = try GatewayControl(stateFolder: stateFolder) }

  /// Looks from now on, until `stop`.
  func start() {
    Thread.detachNewThread { [self] in
      while !lock.withLock({ isOver }) {
        do {
          try look()
        } catch {
          return lock.withLock { trouble = error }
        }
        Thread.sleep(forTimeInterval: Self.pause)
      }
    }
  }

  func stop() { lock.withLock { isOver = true } }

  /// The identity with which the board of that name asked for approval; nil before it did.
  func device(of board: String) throws -> String? {
    try lock.withLock {
      if let trouble { throw trouble }
      return devices[board]
    }
  }

  /// When a node connected, in the gateway's milliseconds; nil when it is not connected.
  func connectedAt(_ device: String) throws -> Int? {
    try lock.withLock {
      if let trouble { throw trouble }
      return connections[device]
    }
  }

  /// How often it has looked.
  var count: Int { lock.withLock { looks } }

  /// Whether the device's second connection is open, seen by the look of this number or a later one.
  func hasConsole(_ device: String, by look: Int) throws -> Bool {
    try lock.withLock {
      if let trouble { throw trouble }
      return looks >= look && consoles.contains(device)
    }
  }

  /// The board of that name makes itself another identity.
  func forget(_ board: String) {
    lock.withLock {
      guard let device = devices.removeValue(forKey: board) else { return }
      retired.insert(device)
    }
  }

  private func look() throws {
    let devices = try gateway.call("devices.list")
    for request in devices["pending"] as? [[String: Any]] ?? [] {
      guard let device = request["deviceId"] as? String, let name = request["displayName"] as? String else { continue }
      let isKnown = lock.withLock {
        if retired.contains(device) { return false }
        self.devices[name] = device
        return true
      }
      // One that was withdrawn meanwhile needs no approval.
      if isKnown { _ = try? gateway.call("devices.approve", ["requestId": request["requestId"] ?? ""]) }
    }
    let nodes = try gateway.call("nodes.status")["nodes"] as? [[String: Any]] ?? []
    let connected = nodes.filter { $0["connected"] as? Bool == true }.compactMap { row -> (String, Int)? in
      guard let id = row["nodeId"] as? String, let since = row["connectedAtMs"] as? Int else { return nil }
      return (id, since)
    }
    let paired = devices["paired"] as? [[String: Any]] ?? []
    let open = paired.filter { $0["operatorConnected"] as? Bool == true }.compactMap { $0["deviceId"] as? String }
    lock.withLock {
      connections = Dictionary(connected, uniquingKeysWith: max)
      consoles = Set(open)
      looks += 1
    }
  }
}
