import Codec
import Node
import Runtime
import Talk

/// Waits for the results of push to talk.
protocol TalkWaiter: AnyObject {
  /// The microphone is open, or will not be; answers those that wait for that.
  func answerStarters(_ reply: TalkLoop.Reply)
  func answerWaiters(_ reply: TalkLoop.Reply)
}

/// `talk.ptt.start`, `.stop`, `.cancel` and `.once` (node-commands 7.4): keeps the invokes until the talk service has
/// their results.
final class TalkCommands: CommandHandler, TalkWaiter {
  static let rows = [
    CommandRow("talk.ptt.start", limit: Budget.talkInvokes, hasSideEffects: true),
    CommandRow("talk.ptt.stop", limit: Budget.talkInvokes, hasSideEffects: true),
    CommandRow("talk.ptt.cancel", limit: Budget.talkInvokes, hasSideEffects: true),
    CommandRow("talk.ptt.once", limit: Budget.talkInvokes, hasSideEffects: true),
  ]
  private static let events: [TalkLoop.Event] = [.start, .stop, .cancel, .once]

  private let router: Router
  private let service: TalkService
  /// Invokes that wait for the microphone to open, and for the end of the capture: no more than the router lets
  /// through.
  private var starters = InlineList<16, InvokeToken>()
  private var waiters = InlineList<16, InvokeToken>()
  /// The capture that an invoke began; empty before the first.
  private var begun = InlineText<64>()
  /// The waiting invoke of `once`.
  private var once: InvokeToken?

  init(service: TalkService, router: Router) {
    self.service = service
    self.router = router
    service.commands = self
  }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard service.settings.isEnabled else { return router.fail(token, TalkError.disabled) }
    guard parameters.isNull || parameters.kind == .object else { return router.fail(token, TalkError.notAnObject) }
    let event = Self.events[command]
    service.take(event) { reply in self.replied(reply, event, token) }
    let isBegin = event == .start || event == .once
    if isBegin, service.loop.phase.capture?.isPush == true { begun = service.captureID }
  }

  private func replied(_ reply: TalkLoop.Reply, _ event: TalkLoop.Event, _ token: InvokeToken) {
    guard reply == .later else { return answer(token, reply) }
    if event == .start {
      starters.append(token)
    } else {
      waiters.append(token)
      if event == .once { once = token }
    }
  }

  /// The microphone is open, or will not be.
  func answerStarters(_ reply: TalkLoop.Reply) {
    let tokens = starters
    starters.removeAll()
    for index in 0..<tokens.count { answer(tokens[index], reply) }
  }

  /// The capture is over.
  func answerWaiters(_ reply: TalkLoop.Reply) {
    let tokens = waiters
    waiters.removeAll()
    once = nil
    for index in 0..<tokens.count { answer(tokens[index], reply) }
  }

  private func answer(_ token: InvokeToken, _ reply: TalkLoop.Reply) {
    switch reply {
    case .none, .later: break
    case .failure(.microphone):
      if let failure = service.microphoneFailure {
        router.fail(token, failure)
      } else {
        router.fail(token, TalkError.noMicrophone)
      }
    case .failure(let failure): router.fail(token, TalkError(failure))
    case .isOpen: router.succeed(token) { service.writeCapture(nil, to: &$0) }
    case .status(let status): router.succeed(token) { service.writeCapture(status, to: &$0) }
    }
  }

  /// An invoke was canceled. The capture of a canceled `once` is dropped; other captures continue.
  func cancel(_ token: InvokeToken) {
    starters = without(token, starters)
    waiters = without(token, waiters)
    guard once == token else { return }
    once = nil
    if waiters.isEmpty { service.take(.cancel) { _ in } }
  }

  /// The microphone may not be used any more: what an invoke began ends. A person who holds the button goes on.
  func permissionEnded() {
    guard !begun.isEmpty, begun == service.captureID, service.loop.phase.capture?.isPush == true else { return }
    service.take(.cancel) { _ in }
  }

  private func without(_ token: InvokeToken, _ list: InlineList<16, InvokeToken>) -> InlineList<16, InvokeToken> {
    var rest = InlineList<16, InvokeToken>()
    for index in 0..<list.count where list[index] != token { rest.append(list[index]) }
    return rest
  }
}
