import Codec
import Gateway
import Runtime

/// The connection to the gateway in the life of the agent.
extension Agent: SessionDelegate {
  /// After `hello-ok`: `channel` takes requests until `sessionLost`. `acceptsProgress`: the gateway advertises
  /// `node.invoke.progress` in `features.methods`.
  public func sessionOnline(_ channel: any RequestChannel, acceptsProgress: Bool) {
    router.online(channel, acceptsProgress: acceptsProgress)
    pending.online(channel, release: session.hello.serverVersion)
    beacon.online(channel)
    hostStats.online(channel)
    outbox.online(channel)
    screenOnline(channel)
  }

  // MARK: SessionDelegate

  public func sessionOpened() {
    camera.messageLimit = session.messageLimit
    sessionOnline(session, acceptsProgress: session.hello.features.hasInvokeProgress)
    canvas.online(session, session.hello, at: session.onlineURL)
    desk?.nodeOnline(at: session.onlineURL)
    saySilent()
  }

  /// A board whose commands are all held back looks like one that nobody needs, so it says once where to look.
  private func saySilent() {
    guard desk == nil, !hasSaidSilent, let advice, advice.finding == .silent else { return }
    hasSaidSilent = true
    log.write(.notice, "agent") { line in
      advice.writeSentence(to: &line)
      line.add(": talon status shows how")
    }
  }

  public func sessionReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    if event.equals("node.invoke.request") {
      payload.rawText.withUnsafeBufferPointer { router.begin($0) }
      session.noteInvoked()
      desk?.nodeInvoked()
    }
    if event.equals("node.invoke.cancel") { router.cancel(payload) }
    if event.equals("voicewake.changed") { learnPhrases(payload) }
    if event.equals("voicewake.routing.changed") { learnRoutes(payload) }
  }

  public func sessionLost() {
    router.cancelAll()
    pending.offline()
    outbox.offline()
    screenOffline()
    beacon.offline()
    hostStats.offline()
    canvas.offline()
    desk?.nodeLost()
  }

  public var repliesDue: Int { router.count }
}
