import Codec
import Device
import Gateway
import Node
import Runtime

/// `device.info`, `device.status`, `device.health` and `device.permissions`, answered from readings of the board, and
/// `node.host.stats`.
public final class DevicePart: Part, CommandHandler, DeviceDelegate {
  private static let rows = [
    CommandRow("device.info", limit: Budget.runningInvokes),
    CommandRow("device.status", limit: Budget.runningInvokes),
    CommandRow("device.health", limit: Budget.runningInvokes),
    CommandRow("device.permissions", limit: Budget.runningInvokes),
  ]

  private let router: Router
  private let service: DeviceService
  let stats: HostStats
  /// Why the board was last restarted, for the status; nil when that is not known.
  public var restart: RestartReading?
  /// All parts, for their hardware reports. The table owns this part and outlives it.
  private unowned(unsafe) let parts: PartTable

  /// A part that reads `readings` on a worker of `runner` for each command.
  @export(interface)
  public init(
    readings: any DeviceReadings, identity: DeviceIdentity, parts: PartTable, router: Router, runner: any JobRunner,
    clock: any Clock
  ) {
    service = DeviceService(readings: readings, identity: identity, runner: runner)
    stats = HostStats(device: service, clock: clock)
    self.parts = parts
    self.router = router
    super.init()
    service.delegate = self
  }

  // MARK: Part

  public override var declarationPlace: Int { 2 }

  public override func addCommands(to router: Router) { router.add(Self.rows, capability: "device", self) }

  public override var operations: [ControlRow] {
    [ControlRow("health") { (control, call, _) in self.readHealth(control, call) }]
  }

  public override func online(_ session: Session) { stats.online(session) }

  public override func offline() { stats.offline() }

  public override var nextDeadline: Int64? { stats.nextDeadline }

  public override func advance(to now: Int64) { stats.advance(to: now) }

  public override func writeStatus(to writer: inout JSONWriter) { restart?.write(to: &writer) }

  /// Has the board read for this delegate, once; false when no worker is free.
  public func read(for observer: any DeviceSnapshotDelegate) -> Bool { service.read(for: observer) }

  // MARK: CommandHandler

  public func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    do throws(DeviceError) {
      try service.request(token.number, try Self.command(command, copy parameters))
    } catch {
      router.fail(token, error)
    }
  }

  /// The command by its index in `rows`. Only `device.status` has a parameter.
  private static func command(_ number: Int, _ parameters: JSONView) throws(DeviceError) -> DeviceCommand {
    guard parameters.isNull || parameters.kind == .object else { throw .notAnObject }
    switch number {
    case 0: return .info
    case 1: return .status(try DeviceSections(parameters))
    case 2: return .health
    default: return .permissions
    }
  }

  public func cancel(_ token: InvokeToken) { service.cancel(token.number) }

  // MARK: The local socket

  /// The tag of the local socket's request: tokens of invokes are not negative. One at a time.
  private static let health = -1
  private var waiting: (control: Control, call: Int)?

  /// `health`: the result of `device.health`.
  private func readHealth(_ control: Control, _ call: Int) {
    let failure = DeskFailure("BUSY", "too many readings are under way; try again")
    guard waiting == nil else { return control.fail(call, failure) }
    do throws(DeviceError) { try service.request(Self.health, .health) } catch { return control.fail(call, failure) }
    waiting = (control, call)
  }

  public override func forget(_ control: Control, _ call: Int) {
    guard let (caller, waitingCall) = waiting, caller === control, waitingCall == call else { return }
    waiting = nil
    service.cancel(Self.health)
  }

  // MARK: DeviceDelegate

  public func deviceAnswered(_ token: Int, _ command: DeviceCommand) {
    let report = parts.report
    guard token == Self.health else {
      return router.succeed(InvokeToken(token)) { service.write(command, hardware: report, to: &$0) }
    }
    guard let (control, call) = waiting else { return }
    waiting = nil
    control.finish(call) { service.write(command, hardware: report, to: &$0) }
  }
}
