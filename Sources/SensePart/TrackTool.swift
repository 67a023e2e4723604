import Codec
import Location
import Node
import Runtime

/// `tool.where_was`: the command of the tool `where_was`, which gateways do not see. It asks for the consent that
/// `location.get` asks for (`ConsentDemand`), and its answer is as exact as `[location] precision` allows.
final class TrackTool: CommandHandler {
  static let rows = [CommandRow("tool.where_was", limit: Budget.trackInvokes, queues: true)]

  private let track: Track
  private let precision: LocationPrecision
  private let router: Router
  /// Drops what has left the track's window; called before each answer.
  var prepare: () -> Void = {}

  init(_ track: Track, precision: LocationPrecision, router: Router) {
    self.track = track
    self.precision = precision
    self.router = router
  }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    prepare()
    do throws(TrackError) {
      try track.answer(try TrackRequest(copy parameters), precision) { router.succeed(token, $0) }
    } catch {
      router.fail(token, error)
    }
  }

  /// It has answered within `begin`.
  func cancel(_ token: InvokeToken) {}
}
