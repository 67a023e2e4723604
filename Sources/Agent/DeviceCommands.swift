import Codec
import Device
import Runtime

/// Told of the board's health.
protocol HealthListener: AnyObject {
  /// `write` gives the object of `device.health`, now and not later.
  func healthRead(_ tag: Int, _ write: (inout JSONWriter) -> Void)
}

/// `device.info`, `device.status`, `device.health` and `device.permissions`, answered by the device room.
final class DeviceCommands: CommandHandler, DeviceDelegate {
  static let rows = [
    CommandRow("device.info", limit: Budget.runningInvokes),
    CommandRow("device.status", limit: Budget.runningInvokes),
    CommandRow("device.health", limit: Budget.runningInvokes),
    CommandRow("device.permissions", limit: Budget.runningInvokes),
  ]

  private let router: Router
  private let service: DeviceService
  /// Knows what the other rooms know about their devices. It owns these commands and outlives them.
  unowned(unsafe) var agent: Agent! = nil

  init(service: DeviceService, router: Router) {
    self.service = service
    self.router = router
    service.delegate = self
  }

  func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    do throws(DeviceError) {
      try service.request(token.number, try Self.command(command, copy parameters))
    } catch {
      router.fail(token, error)
    }
  }

  /// The command by its place among `rows`. Only `device.status` has a parameter.
  private static func command(_ number: Int, _ parameters: JSONView) throws(DeviceError) -> DeviceCommand {
    guard parameters.isNull || parameters.kind == .object else { throw .notAnObject }
    switch number {
    case 0: return .info
    case 1: return .status(try DeviceSections(parameters))
    case 2: return .health
    default: return .permissions
    }
  }

  func cancel(_ token: InvokeToken) { service.cancel(token.number) }

  // MARK: For the board itself

  /// The number of such a request: those of invokes are not negative. One at a time.
  private static let health = -1
  private var listener: (any HealthListener)?
  private var tag = 0

  /// Reads for somebody at the board; false when too much is being read.
  func readHealth(_ listener: any HealthListener, _ tag: Int) -> Bool {
    guard self.listener == nil else { return false }
    do throws(DeviceError) { try service.request(Self.health, .health) } catch { return false }
    self.listener = listener
    self.tag = tag
    return true
  }

  /// Nobody listens any more.
  func forget(_ listener: any HealthListener, _ tag: Int) {
    guard self.listener === listener, self.tag == tag else { return }
    self.listener = nil
    service.cancel(Self.health)
  }

  func deviceAnswered(_ token: Int, _ command: DeviceCommand) {
    if token == Self.health {
      let listener = self.listener
      self.listener = nil
      listener?.healthRead(tag) { service.write(command, hardware: agent.hardware, to: &$0) }
      return
    }
    router.succeed(InvokeToken(token)) { service.write(command, hardware: agent.hardware, to: &$0) }
  }
}
