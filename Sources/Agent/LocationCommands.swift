import Codec
import Location
import Runtime

/// `location.get`, answered by the location room.
final class LocationCommands: CommandHandler, LocationDelegate {
  static let rows = [CommandRow("location.get", limit: Budget.locationInvokes)]

  private let router: Router
  private let service: LocationService
  private let clock: any Clock

  init(service: LocationService, router: Router, clock: any Clock) {
    self.service = service
    self.router = router
    self.clock = clock
    service.delegate = self
  }

  func begin(
    _ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64
  ) {
    guard let answer = service.request(token.number, copy parameters, now: clock.monotonic) else {
      return router.progress(token, ("waiting for a fix" as StaticString).utf8Bytes)
    }
    locationAnswered(token.number, answer)
  }

  func cancel(_ token: InvokeToken) { service.cancel(token.number) }

  func locationAnswered(_ token: Int, _ answer: LocationAnswer) {
    switch answer {
    case .fix(let fix): router.succeed(InvokeToken(token)) { fix.write(to: &$0) }
    case .failed(let error):
      router.fail(InvokeToken(token), error)
    }
  }
}
