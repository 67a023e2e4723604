import Codec
import Device
import Gateway
import Runtime

/// The node connection as a part of the agent. It connects between `start` and `stop`, except while a person holds the
/// board. What is known of the gateway is kept on flash for both connections.
public final class GatewayConnection: Part {
  let session: Session
  private let keeper: RecordKeeper
  /// True between `start` and `stop`.
  private var isServing = false
  private var isHeld = false

  /// The connection of `session`, whose record `keeper` keeps.
  @export(interface)
  public init(_ session: Session, keeper: RecordKeeper) {
    self.session = session
    self.keeper = keeper
  }

  public override func start() {
    isServing = true
    connectAgain()
  }

  public override func stop() {
    isServing = false
    session.stop()
  }

  public override func flush() { keeper.flush() }

  public override var isStopped: Bool { session.state == .stopped && keeper.isSettled }

  public override func hold() {
    isHeld = true
    session.stop(HoldError.reason, HoldError.sentence)
  }

  public override func letGo() { isHeld = false }

  public override func boardChanged(_ change: BoardChange) { if change == .network { session.networkChanged() } }

  public override var nextDeadline: Int64? { earliest(session.deadline, keeper.nextDeadline) }

  public override func advance(to now: Int64) {
    session.advance(to: now)
    keeper.advance(to: now)
    connectAgain()
  }

  /// Connects if allowed, after the last session has ended.
  private func connectAgain() {
    if isServing, !isHeld, session.state == .stopped { session.start() }
  }

  public override func report(to report: inout HardwareReport) {
    report.services.gateway = HardwareState(session.state == .online ? .ok : .error, detail: session.state.word)
    report.services.connections = session.connections
  }
}
