import Canvas
import Runtime

/// Told when a person looks at the conversation, and when not any more.
protocol ChatOwner: AnyObject {
  func chatOpened()
  func chatClosed()
}

// The conversation among the other pages: a person opens and leaves it, and the agent's pages come before it.
extension CanvasFace {
  /// What is shown, in one word.
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

  /// A person wants to talk. Nothing happens where there is nobody to talk to ever.
  func openChat() {
    guard let chat, let chatOwner else { return }
    isChatWaiting = false
    if view != .chat { behindChat = view }
    setView(.chat)
    chat.open(at: clock.monotonic)
    chatOwner.chatOpened()
    pump.request()
  }

  /// They have done so: what was behind it comes back.
  func closeChat() {
    guard view == .chat else { return }
    chat?.close()
    chatOwner?.chatClosed()
    setView(behindChat == .chat ? .home : behindChat)
    pump.request()
  }

  /// The agent's page comes before it.
  func suspendChat() {
    chat?.close()
    isChatWaiting = true
  }
}

extension CanvasFace: HomeOwner {
  func chatWanted() { openChat() }
}
