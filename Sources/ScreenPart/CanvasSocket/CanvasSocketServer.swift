import A2UI
import Canvas
import Codec
import Gateway
import Node
import Runtime

/// Lets another program on this board use the screen: the canvas of a node that has none of its own (canvas reference
/// 2.8). One line for each command, and one for each answer; presses are sent to the program on the same connection.
///
/// `{"id":"1","command":"canvas.present","paramsJSON":"{}"}` is answered
/// `{"id":"1","ok":true,"payloadJSON":"{\"ok\":true}"}` or `{"id":"1","error":{"code":"...","message":"..."}}`.
public final class CanvasSocketServer {
  private let server: any LineServer
  private let router: Router
  private let clock: any Clock
  private let random: any RandomSource
  private let log: Log
  /// A result as JSON, before it is quoted in a string.
  private let payload: ReservedBuffer
  /// The program that connected last.
  private var client: Int?
  private var pressID = InlineText<36>()
  private var isOfButton = false
  private var pressDeadline: Int64?
  /// Gets the states of presses. Lives as long as the server.
  unowned(unsafe) var delegate: (any PressQueueDelegate)?

  init(
    server: any LineServer, router: Router, clock: any Clock, random: any RandomSource, log: Log
  ) throws(Errno) {
    self.server = server
    self.router = router
    self.clock = clock
    self.random = random
    self.log = log
    payload = try ReservedBuffer(capacity: Budget.outboundMessageBytes)
  }

  /// True when a program is connected, and has sent a command.
  var isConnected: Bool { client != nil }

  // MARK: Presses

  /// Sends a press to the program.
  func press(_ tree: InstanceTree, _ index: Int) {
    guard tree.actionName(index) != nil else { return }
    post(ofButton: true) { writer in
      tree.writeAction(index, id: self.pressID.span, at: self.clock.wall, sendsObscured: false, into: &writer)
    }
  }

  /// Sends a script's action to the program, like a press. False when the action has no name.
  @discardableResult
  func act(_ action: borrowing JSONView, png: UnsafeBufferPointer<UInt8>? = nil) -> Bool {
    guard ActionLine.name(of: action) != nil else { return false }
    let text = action.rawText.withUnsafeBufferPointer { $0 }
    post(ofButton: false, png: png) { writer in
      ActionLine.writeObject(
        JSONView(Span(_unsafeElements: text)), id: self.pressID.span, at: self.clock.wall, into: &writer)
    }
    return true
  }

  private func post(
    ofButton: Bool, png: UnsafeBufferPointer<UInt8>? = nil, _ writeAction: (inout JSONWriter) -> Bool
  ) {
    guard let client else { return refuse("the program that shows this page is gone", ofButton) }
    guard pressDeadline == nil else { return refuse("the press before is on its way still", ofButton) }
    let id = UUIDText.make(random)
    pressID = InlineText(cutting: id.span)
    isOfButton = ofButton
    let isSent = server.send(to: client) { buffer in
      var writer = JSONWriter(into: buffer)
      writer.beginObject()
      writer.key("event")
      writer.string("a2ui-action")
      writer.key("id")
      writer.string(pressID.span)
      writer.key("action")
      guard writeAction(&writer) else { return nil }
      if let png {
        writer.key("png")
        writer.base64(png.span)
      }
      writer.endObject()
      return writer.isComplete ? writer.count : nil
    }
    guard isSent else { return refuse("the program that shows this page is gone", ofButton) }
    pressDeadline = clock.monotonic + Budget.canvasSocketPressTimeoutMilliseconds
  }

  private func pressEnded(_ event: borrowing JSONView) {
    guard pressDeadline != nil, let id = event.member("id"), id.equals(pressID.span) else { return }
    pressDeadline = nil
    if event.member("ok")?.bool == true {
      delegate?.pressArrived(ofButton: isOfButton)
      return
    }
    var reason = InlineText<96>()
    if let text = event.member("error"), text.kind == .string { reason.fill { text.copyString(into: $0) } }
    if reason.isEmpty { return fail("the message did not reach the agent") }
    delegate?.pressFailed(reason.span, ofButton: isOfButton, isLast: false)
  }

  private func fail(_ why: StaticString) {
    delegate?.pressFailed(why.utf8Bytes, ofButton: isOfButton, isLast: false)
  }

  private func refuse(_ why: StaticString, _ ofButton: Bool) {
    delegate?.pressFailed(why.utf8Bytes, ofButton: ofButton, isLast: true)
  }

  /// When `advance` is to be called.
  var nextDeadline: Int64? { pressDeadline }

  func advance(to now: Int64) {
    guard let deadline = pressDeadline, now >= deadline else { return }
    pressDeadline = nil
    fail("the program that shows this page does not answer")
  }
}

extension CanvasSocketServer: LineServerDelegate {
  @export(interface)
  public func lineReceived(_ line: Span<UInt8>, from client: Int) {
    guard line.count <= Budget.canvasMessageBytes else { return refuse(line, from: client) }
    // A line that is not a command is ignored, as on the socket's other servers.
    do throws(JSONError) { try JSONValidator.check(line, depthLimit: Budget.jsonDepth) } catch { return }
    let message = JSONView(line)
    guard message.kind == .object else { return }
    if client != self.client {
      router.cancelLocal()
      self.client = client
    }
    if let event = message.member("event") {
      if event.equals("a2ui-action-result") { pressEnded(message) }
      return
    }
    router.beginLocal(message, timeout: Budget.canvasSocketTimeoutMilliseconds)
  }

  /// Answers a line that is longer than any command may be. The rest of it is not read, which would block the loop.
  private func refuse(_ line: Span<UInt8>, from client: Int) {
    let head = line.extracting(0..<min(line.count, Budget.canvasSocketHeadBytes))
    var id = InlineText<256>()
    id.fill { room in
      var scanner = JSONScanner(
        depthLimit: Budget.jsonDepth, paths: ["id"] as InlineArray<1, StaticString>, buffer: room)
      do throws(JSONError) { try scanner.feed(head) } catch { return nil }
      return scanner.string(0)?.count
    }
    guard !id.isEmpty else { return }
    if client != self.client {
      router.cancelLocal()
      self.client = client
    }
    var text = InlineText<96>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("INVALID_REQUEST: a command may have ")
      writer.decimal(Int64(Budget.canvasMessageBytes))
      writer.text(" bytes on its line")
      return writer.count
    }
    replyError(to: id.span, code: "INVALID_REQUEST", message: text.span)
  }

  /// Ends the connection, so that the program sees the error; which command it sent is unknown.
  public func lineTooLong(from client: Int) {
    log.write(.warning, "canvas") { line in
      line.add("the program that uses the screen sent a line of more than ")
      line.add(Budget.canvasSocketLineBytes)
      line.add(" bytes: its connection is closed")
    }
  }

  public func lineClientDisconnected(_ client: Int) {
    guard client == self.client else { return }
    self.client = nil
    router.cancelLocal()
    if pressDeadline != nil {
      pressDeadline = nil
      fail("the program that shows this page is gone")
    }
  }

  /// The program may send nothing for days.
  public func isAwaited(by client: Int) -> Bool { true }
}

extension CanvasSocketServer: ReplyChannel {
  public func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
    var writer = JSONWriter(into: payload.bytes)
    build(&writer)
    guard writer.isComplete else { return false }
    let json = UnsafeBufferPointer(payload.bytes).extracting(0..<writer.count)
    return answer(id) { $0.string(json.span) }
  }

  /// The result is a string within the answer, so what stands before and after the blob is escaped.
  public func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    var object = JSONWriter(into: payload.bytes)
    let split = build(&object)
    guard object.isComplete else { return false }
    let text = UnsafeBufferPointer(payload.bytes).extracting(0..<object.count)
    let isSent = answer(id) { writer in
      writer.beginString()
      writer.stringPiece(text.extracting(0..<split).span)
      blob.form == .base64 ? writer.base64Piece(blob.bytes.span) : writer.stringPiece(blob.bytes.span)
      writer.stringPiece(text.extracting(split...).span)
      writer.endString()
    }
    if isSent { blob.delegate?.blobReleased() }
    return isSent
  }

  public func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) {
    guard let client else { return }
    _ = server.send(to: client) { buffer in
      var writer = JSONWriter(into: buffer)
      writer.beginObject()
      writer.key("id")
      writer.string(id)
      writer.key("error")
      writer.beginObject()
      writer.key("code")
      writer.string(code)
      writer.key("message")
      writer.string(message.withoutCode(code))
      writer.endObject()
      writer.endObject()
      return writer.isComplete ? writer.count : nil
    }
  }

  public func replied() {}

  private func answer(_ id: Span<UInt8>, _ payload: (inout JSONWriter) -> Void) -> Bool {
    guard let client else { return false }
    return server.send(to: client) { buffer in
      var writer = JSONWriter(into: buffer)
      Self.begin(&writer, id)
      payload(&writer)
      writer.endObject()
      return writer.isComplete ? writer.count : nil
    }
  }

  private static func begin(_ writer: inout JSONWriter, _ id: Span<UInt8>) {
    writer.beginObject()
    writer.key("id")
    writer.string(id)
    writer.key("ok")
    writer.bool(true)
    writer.key("payloadJSON")
  }
}
