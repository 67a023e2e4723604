import Board
import Codec
import Fetch
import Gateway
import Runtime
import Updates

/// One connection of the field: asks for one board at a time, as `UpdatePart` does.
final class FieldLine: FetchDelegate {
  private enum Message { case base, attributes }

  private let fetcher: Fetcher
  private let body = FixedBuffer(capacity: 1024)
  private unowned(unsafe) let field: UpdateField
  private let server: WebURL
  private var url: WebURL
  private var message = Message.base
  /// The board that it asks for; nil: it is free.
  private(set) var board: Int?

  init(_ field: UpdateField, server: WebURL, loop: Loop, clock: any Clock) throws(Errno) {
    (self.field, self.server, url) = (field, server, server)
    let link = FetchLink(
      loop: loop, clock: clock, authorities: CertificateAuthorities(path: CertificateAuthorities.usualPath),
      proxy: nil, known: nil)
    fetcher = try Fetcher(link, clock: clock, bodyBytes: Budget.updateMessageBytes, requestBytes: 2048)
    fetcher.delegate = self
  }

  var nextDeadline: Int64? { fetcher.nextDeadline }

  func advance(to now: Int64) { fetcher.advance(to: now) }

  /// Asks the server what there is for a board.
  func ask(for board: Int) {
    self.board = board
    url = server.with(target: "\(server.target)/controller/v1/\(UpdateField.name(board))")
    send(.base, url, .get, 0)
  }

  private func send(_ message: Message, _ url: WebURL, _ method: FetchRequest.Method, _ count: Int) {
    self.message = message
    var request = FetchRequest()
    request.method = method
    request.accept = "application/hal+json, application/json"
    request.authorization = InlineText(cutting: "TargetToken secret-of-\(UpdateField.name(board ?? 0))")
    request.body = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(body.bytes)[..<count])
    request.totalMilliseconds = Budget.updateMessageMilliseconds
    request.idleMilliseconds = Budget.updateIdleMilliseconds
    fetcher.start(url, request)
  }

  private func end() {
    fetcher.release()
    board = nil
  }

  // MARK: FetchDelegate

  func fetched(_ fetcher: Fetcher) {
    guard let board else { return }
    guard message == .base else {
      field.registered(board)
      return end()
    }
    do throws(UpdateMessageError) {
      let base = try DDIBase(fetcher.body.span)
      field.answered(board, seconds: base.sleepSeconds)
      // A server that asks for nothing knows the board.
      if base.configData == nil { field.registered(board) }
      guard !field.isRegistered(board) else { return end() }
    } catch {
      field.failed(board, retryAfter: nil)
      return end()
    }
    fetcher.release()
    var attributes = BoardAttributes()
    (attributes.board, attributes.version) = (InlineText(cutting: "arm64"), InlineText(cutting: "1.0.0"))
    attributes.serial = InlineText(cutting: UpdateField.name(board))
    var writer = JSONWriter(into: body.bytes)
    attributes.write(to: &writer)
    send(.attributes, url.with(target: url.target + "/configData"), .put, writer.count)
  }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) {
    guard let board else { return }
    field.failed(board, retryAfter: fetcher.retryAfterSeconds)
    end()
  }

  func isGateway(_ certificate: PeerCertificate) -> Bool { false }
}
