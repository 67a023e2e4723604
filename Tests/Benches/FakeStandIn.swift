import Runtime
@testable import Node

/// Answers in the gateway's place as the test says.
final class FakeStandIn: ChatStandIn {
  var answersNow = true
  var answersAlways = false
  /// Why a message cannot be begun.
  var failure: DeskFailure?
  private(set) var messages: [String] = []
  private(set) var runs: [StandInRun] = []
  private(set) var cancelled: [StandInRun] = []
  private let desk: OperatorDesk

  /// Stands in at a desk, which it must outlive.
  init(_ desk: OperatorDesk) {
    self.desk = desk
    desk.standIn = self
  }

  func begin(_ message: UnsafeBufferPointer<UInt8>, for run: StandInRun) -> DeskFailure? {
    if let failure { return failure }
    messages.append(String(decoding: message, as: UTF8.self))
    runs.append(run)
    return nil
  }

  func cancel(_ run: StandInRun) { cancelled.append(run) }

  // MARK: What it says, of the last message unless another run is named

  func say(_ text: String, _ run: StandInRun? = nil) {
    guard let run = run ?? runs.last else { return }
    text.withBytes { desk.standInSaid(run, $0) }
  }

  func end(isAborted: Bool = false, _ run: StandInRun? = nil) {
    if let run = run ?? runs.last { desk.standInEnded(run, isAborted: isAborted) }
  }

  func step(_ name: String, _ state: ChatStep.State, _ run: StandInRun? = nil) {
    guard let run = run ?? runs.last else { return }
    var step = ChatStep(.tool, state)
    step.name = InlineText(cutting: name)
    desk.standInStepped(run, step)
  }
}
