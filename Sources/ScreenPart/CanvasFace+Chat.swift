import Canvas
import Runtime

/// Gets when the conversation is shown and hidden.
protocol ChatDelegate: AnyObject {
  func chatOpened()
  func chatClosed()
}

// The conversation among the other pages: a person opens and closes it, and the agent's pages are shown in front of it.
extension CanvasFace {
  /// What is shown, as one word.
  var showing: StaticString {
    if isHidden { return "nothing" }
    if overlay.coversAll { return "held" }
    switch view {
    case .home: return "home"
    case .documents: return "documents"
    case .page: return "page"
    case .chat: return "chat"
    }
  }

  /// A person opens the conversation. Does nothing without an operator connection in the configuration.
  func openChat() {
    guard let chat, let chatDelegate else { return }
    isChatWaiting = false
    if view != .chat { behindChat = view }
    setView(.chat)
    chat.open(at: clock.monotonic)
    chatDelegate.chatOpened()
    pump.request()
  }

  /// A person closes the conversation: the page behind it is shown again.
  func closeChat() {
    guard view == .chat else { return }
    chat?.close()
    chatDelegate?.chatClosed()
    setView(behindChat == .chat ? .home : behindChat)
    pump.request()
  }

  /// The agent's page is shown in front of it.
  func suspendChat() {
    chat?.close()
    isChatWaiting = true
  }
}

extension CanvasFace: HomeDelegate {
  func chatWanted() { openChat() }
}
