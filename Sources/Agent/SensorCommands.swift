import Codec
import Device
import Runtime

/// `device.info`, `device.status` and `device.health`, answered by the device room.
final class DeviceCommands: CommandHandler, DeviceDelegate {
  static let rows = [
    CommandRow("device.info", limit: Budget.runningInvokes),
    CommandRow("device.status", limit: Budget.runningInvokes),
    CommandRow("device.health", limit: Budget.runningInvokes),
  ]
  private static let commands: [DeviceCommand] = [.info, .status, .health]

  private let router: Router
  private let service: DeviceService
  private let hardware: () -> HardwareReport

  /// `hardware` tells what the other rooms know about their devices.
  init(service: DeviceService, router: Router, hardware: @escaping () -> HardwareReport) {
    self.service = service
    self.router = router
    self.hardware = hardware
    service.delegate = self
  }

  func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    do throws(DeviceError) {
      try service.request(token.number, Self.commands[command])
    } catch {
      router.fail(token, error)
    }
  }

  func cancel(_ token: InvokeToken) { service.cancel(token.number) }

  func deviceAnswered(_ token: Int, _ command: DeviceCommand) {
    router.succeed(InvokeToken(token)) { service.write(command, hardware: hardware(), to: &$0) }
  }
}

/// `system.notify`, shown by whatever the board has to show it with.
final class NotifyCommands: CommandHandler {
  static let rows = [CommandRow("system.notify", limit: Budget.runningInvokes, hasSideEffects: true)]

  private let router: Router
  private let reader = NotificationReader()
  private let notifier: any Notifier

  init(notifier: any Notifier, router: Router) {
    self.notifier = notifier
    self.router = router
  }

  func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    do throws(NotificationError) {
      try notifier.notify(reader.read(copy parameters))
      router.succeed(token) { writer in
        writer.beginObject()
        writer.key("ok")
        writer.bool(true)
        writer.endObject()
      }
    } catch {
      router.fail(token, error)
    }
  }

  /// Never runs longer than `begin`.
  func cancel(_ token: InvokeToken) {}
}
