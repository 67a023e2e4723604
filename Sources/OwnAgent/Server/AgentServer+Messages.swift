import Codec
import Completion
import Fetch
import Runtime

/// Pages, searches, and messages to and from the owner.
extension AgentServer: PageDelegate, MailDelegate, TelegramDelegate {
  // MARK: Pages

  func callPages(_ tool: OwnTool, _ place: Int, _ arguments: borrowing JSONView) {
    let isSearch = tool == .webSearch
    guard means.pages != nil else { return finish(place, "this board reads no pages", isError: true) }
    guard string(isSearch ? arguments.member("query") : arguments.member("url"), at: place) != nil else {
      return finish(place, "a query and an address are texts of at most 2048 bytes", isError: true)
    }
    calls[place] = .pageLater(isSearch: isSearch)
    beginNextPage()
  }

  /// Pages are read one after the other.
  func beginNextPage() {
    guard let pages = means.pages, !pages.isBusy, let (place, isSearch) = calls.laterPage else { return }
    calls[place] = .page
    do throws(PageFailure) {
      if isSearch { try pages.find(calls.text(at: place)) } else { try pages.read(calls.text(at: place)) }
    } catch {
      let failure = error
      finish(place, isError: true) { failure.write(to: &$0) }
      beginNextPage()
    }
  }

  public func pageEnded(_ client: PageClient, _ failure: PageFailure?) {
    guard let place = calls.place(of: .page) else { return beginNextPage() }
    if let failure {
      finish(place, isError: true) { failure.write(to: &$0) }
    } else {
      calls[place] = .nothing
      let origin = calls.text(at: place)
      machine.toolEnded(place, Span(_unsafeElements: client.text), origin: Span(_unsafeElements: origin))
    }
    beginNextPage()
  }

  // MARK: Messages to the owner

  func sendMessage(_ place: Int, _ arguments: borrowing JSONView) {
    guard let text = string(arguments.member("text"), at: place) else {
      return finish(place, "text is a text of at most 2048 bytes", isError: true)
    }
    if settings.hasGatewayRoute, isGatewayThere, host.isConnected { return sendByGateway(place, text) }
    if let telegram = means.telegram, let chat = settings.telegramChat {
      do throws(TelegramFailure) {
        try telegram.send(text, to: chat)
        calls[place] = .telegram
      } catch {
        let failure = error
        finish(place, isError: true) { failure.write(to: &$0) }
      }
      return
    }
    mail(place, text, arguments)
  }

  private func sendByGateway(_ place: Int, _ text: UnsafeBufferPointer<UInt8>) {
    let number = calls.number()
    calls[place] = .board(number)
    host.send(.message) { writer in
      writer.littleEndian(UInt64(number), bytes: 4)
      writer.bytes(Span(_unsafeElements: text))
    }
  }

  private func mail(_ place: Int, _ text: UnsafeBufferPointer<UInt8>, _ arguments: borrowing JSONView) {
    guard let client = means.mail, let mail = settings.mail else {
      return finish(place, "this board has no way to send messages", isError: true)
    }
    var subject = InlineText<200>()
    if let words = arguments.member("subject") { subject.fill { words.copyString(into: $0) } }
    if subject.isEmpty { subject = InlineText(cutting: words.boardName.span) }
    subject.makeLine()
    let id = (
      UInt64(randomNumber(below: .max, random)) << 32 | UInt64(randomNumber(below: .max, random)),
      UInt64(bitPattern: clock.wall)
    )
    let failure = mail.sender.withBytes { sender in
      mail.recipient.withBytes { recipient in
        subject.span.withUnsafeBufferPointer { subject in
          let message = MailMessage(
            sender: sender, recipient: recipient, subject: subject, text: text, date: clock.wall, id: id)
          return Self.send(message, by: client)
        }
      }
    }
    guard let failure else { return calls[place] = .mail }
    finish(place, isError: true) { failure.write(to: &$0) }
  }

  private static func send(_ message: MailMessage, by client: MailClient) -> MailFailure? {
    do throws(MailFailure) {
      try client.send(message)
      return nil
    } catch {
      return error
    }
  }

  public func mailEnded(_ client: MailClient, _ failure: MailFailure?) {
    guard let place = calls.place(of: .mail) else { return }
    guard let failure else { return finish(place, "the message was sent by mail") }
    finish(place, isError: true) { failure.write(to: &$0) }
  }

  // MARK: Telegram

  /// Sends an answer to the owner; what cannot be sent is told in the log.
  func reply(_ text: UnsafeBufferPointer<UInt8>) {
    guard let telegram = means.telegram, let chat = settings.telegramChat, !text.isEmpty else { return }
    do throws(TelegramFailure) { try telegram.send(text, to: chat) } catch { noteLost() }
  }

  private func noteLost() { log.write(.warning, "agent", "an answer could not be sent by Telegram") }

  public func telegramReceived(_ client: TelegramClient, _ message: TelegramMessage) {
    telegramWaits = true
    takeTelegram()
  }

  /// Begins a turn with the message that waits, when no other runs.
  func takeTelegram() {
    guard telegramWaits, machine.state == .idle, !isGatewayThere, let telegram = means.telegram else { return }
    telegramWaits = false
    say(Span(_unsafeElements: telegram.text), for: .telegram)
    telegram.taken()
  }

  public func telegramOffsetMoved(_ client: TelegramClient) {
    keeper.telegramOffset = client.offset
    keeper.keep(.telegram)
  }

  public func telegramSent(_ client: TelegramClient, _ failure: TelegramFailure?) {
    guard let place = calls.place(of: .telegram) else {
      if failure != nil { noteLost() }
      return
    }
    guard let failure else { return finish(place, "the message was sent by Telegram") }
    finish(place, isError: true) { failure.write(to: &$0) }
  }
}
