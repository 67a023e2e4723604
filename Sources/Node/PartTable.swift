import Codec
import Consent
import Device
import Gateway
import Runtime

/// The parts of the running agent in their order. In this order they start, get the gateway's events, advance, and
/// stop.
public final class PartTable {
  /// The parts in their order. Complete before the first part starts.
  public private(set) var parts: [Part] = []

  /// A table without parts.
  @export(interface)
  public init() {}

  /// Adds a part at the end. Before `start`.
  public func add(_ part: Part) { parts.append(part) }

  /// By index: iterators of a collection allocate for each element in a debug build, and tests count allocations there.
  private func forEach(_ body: (Part) -> Void) { for index in 0..<parts.count { body(parts[index]) } }

  // MARK: What the parts add

  /// Has each part add its commands, in the order in which they are declared.
  public func addCommands(to router: Router) {
    var order = Array(parts.indices)
    order.sort { (parts[$0].declarationPlace, $0) < (parts[$1].declarationPlace, $1) }
    for index in order { parts[index].addCommands(to: router) }
  }

  /// The capabilities that parts declare in addition to those of their commands.
  public var capabilities: [StaticString] { parts.compactMap { $0.capability } }

  /// The permissions that parts declare.
  public var permissions: [(name: StaticString, isGranted: Bool)] { parts.compactMap { $0.permission } }

  /// The operations that parts add to the local socket.
  public var operations: [ControlRow] { parts.flatMap { $0.operations } }

  // MARK: Life

  public func start() { forEach { $0.start() } }

  /// Ends the work of all parts, then has each write to flash what is not stored yet.
  public func stop() {
    forEach { $0.stop() }
    forEach { $0.flush() }
  }

  public var isStopped: Bool {
    for index in 0..<parts.count where !parts[index].isStopped { return false }
    return true
  }

  public func hold() { forEach { $0.hold() } }

  public func letGo() { forEach { $0.letGo() } }

  public func grantsEnded(_ permissions: PermissionSet) { forEach { $0.grantsEnded(permissions) } }

  public func boardChanged(_ change: BoardChange) { forEach { $0.boardChanged(change) } }

  // MARK: The gateway

  public func online(_ session: Session) { forEach { $0.online(session) } }

  public func offline() { forEach { $0.offline() } }

  public func received(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    for index in 0..<parts.count { parts[index].received(event, payload) }
  }

  // MARK: Time

  /// The earliest deadline of all parts.
  public var nextDeadline: Int64? {
    var earliest = Int64.max
    forEach { part in
      if let instant = part.nextDeadline { earliest = min(earliest, instant) }
    }
    return earliest == .max ? nil : earliest
  }

  public func advance(to now: Int64) { forEach { $0.advance(to: now) } }

  // MARK: Reports

  public func writeStatus(to writer: inout JSONWriter) { forEach { $0.writeStatus(to: &writer) } }

  /// The state of the hardware and of the agent's work.
  public var report: HardwareReport {
    var report = HardwareReport()
    forEach { $0.report(to: &report) }
    return report
  }

  public var awaitsApproval: Bool {
    for index in 0..<parts.count where parts[index].awaitsApproval { return true }
    return false
  }

  public var hasFault: Bool {
    for index in 0..<parts.count where parts[index].hasFault { return true }
    return false
  }

  /// True while somebody waits for any part.
  public var isAwaited: Bool {
    for index in 0..<parts.count where parts[index].isAwaited { return true }
    return false
  }

  /// What any part has in use.
  public var live: LiveUse {
    var live: LiveUse = []
    forEach { live.formUnion($0.live) }
    return live
  }

  /// What the first part that wants something of a person wants.
  public var wanted: StaticString? {
    for index in 0..<parts.count {
      if let wanted = parts[index].wanted { return wanted }
    }
    return nil
  }

  // MARK: The local socket

  public func forget(_ control: Control, _ call: Int) { forEach { $0.forget(control, call) } }

  public func clientDisconnected(_ client: Int) { forEach { $0.clientDisconnected(client) } }
}

extension PartTable: OperatorDelegate {
  public func operatorOnline() { forEach { $0.operatorOnline() } }

  public func operatorOffline() { forEach { $0.operatorOffline() } }

  public func operatorReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    for index in 0..<parts.count { parts[index].operatorReceived(event, payload) }
  }

  public func wakePhrasesReceived(_ payload: borrowing JSONView) {
    for index in 0..<parts.count { parts[index].wakePhrasesReceived(payload) }
  }
}
