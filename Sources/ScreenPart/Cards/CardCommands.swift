import A2UI
import Canvas
import Codec
import Node
import Runtime

/// The commands of the tools that show something: a card, and a question whose answer is a press.
final class CardCommands: CommandHandler {
  static let rows = [
    CommandRow("tool.show", limit: Budget.pushInvokes),
    CommandRow("tool.choose", limit: 1),
  ]

  private static let cardSurface: StaticString = "card"
  private static let questionSurface: StaticString = "question"

  private let page: CardPage
  private let router: Router
  private unowned(unsafe) let canvas: CanvasCommands
  /// The question that waits for a press, and its labels, JSON text.
  private var question: InvokeToken?
  private let labels = FixedBuffer(capacity: Budget.questionBytes)
  private var labelCount = 0
  private let removal = FixedBuffer(capacity: 128)
  /// A question has ended, and is still on the screen.
  private var mustRemove = false

  init(_ canvas: CanvasCommands, codes: any QREncoder, router: Router) throws(Errno) {
    self.canvas = canvas
    self.router = router
    page = try CardPage(codes: codes)
  }

  @export(interface)
  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    if canvas.isPushing { return router.fail(token, RouterError.busy) }
    do throws(CanvasError) {
      if command == 0 { try show(token, parameters) } else { try ask(token, parameters) }
    } catch {
      router.fail(token, error)
    }
  }

  /// Messages of A2UI, or what a card has; `buttons` reach the agent as actions do.
  private func show(_ token: InvokeToken, _ parameters: borrowing JSONView) throws(CanvasError) {
    if parameters.member("messages") != nil { return try canvas.push(token, in: parameters, .messages) }
    let messages = try page.messages(for: parameters, surface: Self.cardSurface, action: "answer")
    try canvas.push(token, JSONView(messages))
  }

  /// A card with `buttons`, answered by the press on one.
  private func ask(_ token: InvokeToken, _ parameters: borrowing JSONView) throws(CanvasError) {
    guard let list = parameters.member("buttons"), list.kind == .array, list.rawText.count <= labels.bytes.count else {
      throw .missing("a question needs buttons, an array of at most 6 short strings")
    }
    let messages = try page.messages(for: parameters, surface: Self.questionSurface, action: "answer")
    let raw = list.rawText
    for index in raw.indices { labels.bytes[index] = raw[index] }
    labelCount = raw.count
    try canvas.push(nil, JSONView(messages))
    canvas.face.documents.showEnd()
    question = token
  }

  /// Takes the press on a question's button; false when it is none.
  func take(_ tree: InstanceTree, _ index: Int) -> Bool {
    guard let token = question, let surface = tree.surface,
      surface == canvas.face.documents.store.surface(id: Self.questionSurface.utf8Bytes)
    else { return false }
    guard let number = CardPage.number(tree.id(index), of: UInt8(ascii: "b")) else { return false }
    var labels = JSONView(Span(_unsafeElements: UnsafeBufferPointer(self.labels.bytes).extracting(..<labelCount)))
      .elements()
    var place = 0
    while let label = labels.next() {
      if place == number {
        answer(token, label.rawText)
        return true
      }
      place += 1
    }
    return false
  }

  private func answer(_ token: InvokeToken, _ label: Span<UInt8>) {
    close()
    let text = label.withUnsafeBufferPointer { $0 }
    router.succeed(token) { writer in
      writer.beginObject()
      writer.key("answer")
      writer.raw(Span(_unsafeElements: text))
      writer.endObject()
    }
  }

  func cancel(_ token: InvokeToken) {
    if question == token { close() }
    canvas.cancel(token)
  }

  /// Ends the question.
  private func close() {
    question = nil
    mustRemove = true
    removeClosed()
  }

  /// Removes a question that has ended from the screen, unless a worker has the documents.
  func removeClosed() {
    guard mustRemove, !canvas.isPushing else { return }
    mustRemove = false
    var writer = JSONWriter(into: removal.bytes)
    writer.beginArray()
    CardPage.writeDeletion(of: Self.questionSurface, to: &writer)
    writer.endArray()
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(removal.bytes)[..<writer.count])
    canvas.remove(JSONView(Span(_unsafeElements: text)))
  }
}
