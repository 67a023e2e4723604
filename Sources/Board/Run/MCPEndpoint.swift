import Codec
import Fetch
import Gateway
import MCP
import Runtime

/// The way to an MCP server at an address of this board ("Streamable HTTP" of 2025-03-26 and later): each line is a
/// request of its own, whose answer is a message or a stream of them. The stream that a server may open by itself is
/// not asked for: what it wants to say comes with the answers of calls.
///
/// Messages of several answers never mix: an answer that is in the middle of a message keeps the others waiting, and
/// they their servers.
public final class MCPEndpoint: MCPLink {
  private let url: WebURL
  private let clock: any Clock
  /// The first is for all but calls, one line after the other: a server need not take them in another order.
  private var lanes: [MCPLane] = []
  /// Lines that wait for the first lane.
  private let waiting = FixedBuffer(capacity: Budget.mcpShortBytes)
  private var waitingCount = 0
  /// The session that the server has given; empty before.
  private var session = InlineText<128>()
  /// The revision that was agreed on; nil before.
  private var revision: MCPVersion?
  /// When the delegate is to be told that lines may be sent.
  private var opensAt: Int64?
  /// Counts openings, for a delegate may close it within its call.
  private var connection: UInt64 = 0
  /// The lane in the middle of a message.
  private var speaker: Int?
  /// When the delegate is to be told the end of a message whose lane was forgotten; before any other message.
  private var endsMessageAt: Int64?
  /// Lives until `close`.
  private unowned(unsafe) var delegate: (any MCPLinkDelegate)?

  /// A way that is used later; nothing is opened before. `transport` makes a connection for each lane.
  @export(interface)
  public init(_ url: WebURL, clock: any Clock, transport: () -> any FetchTransport) throws(Errno) {
    self.url = url
    self.clock = clock
    for place in 0..<Budget.mcpLanes { lanes.append(try MCPLane(place, transport(), clock)) }
    for lane in lanes { lane.endpoint = self }
  }

  // MARK: MCPLink

  public func open(_ delegate: any MCPLinkDelegate) -> Bool {
    guard self.delegate == nil else { return false }
    self.delegate = delegate
    connection &+= 1
    session.clear()
    revision = nil
    opensAt = clock.monotonic
    return true
  }

  public func agreed(on revision: MCPVersion) { self.revision = revision }

  public func close() {
    connection &+= 1
    delegate = nil
    opensAt = nil
    speaker = nil
    endsMessageAt = nil
    waitingCount = 0
    for index in 0..<lanes.count { lanes[index].cancel() }
  }

  public func send(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard delegate != nil, !line.isEmpty else { return false }
    // Without its line feed.
    let message = UnsafeBufferPointer(rebasing: line[..<(line.count - 1)])
    let view = JSONView(Span(_unsafeElements: message))
    guard let method = view.member("method"), method.equals("tools/call") else {
      if let id = Self.cancelled(view) { forget(id) }
      return sendInTurn(message)
    }
    for index in 1..<lanes.count where !lanes[index].isBusy {
      return lanes[index].begin(message, request(), url, id: view.member("id")?.int64)
    }
    return false
  }

  /// The call that a line tells the server to stop.
  private static func cancelled(_ view: borrowing JSONView) -> Int64? {
    guard let method = view.member("method"), method.equals("notifications/cancelled") else { return nil }
    return view.member("params")?.member("requestId")?.int64
  }

  /// Nobody waits for the answer of a call: its lane is free for another one, for a server need not answer it at all.
  private func forget(_ id: Int64) {
    for index in 1..<lanes.count where lanes[index].isBusy && lanes[index].id == id {
      lanes[index].cancel()
      guard speaker == index else { return }
      // The delegate hears of nothing before `send` returns.
      speaker = nil
      endsMessageAt = clock.monotonic
    }
  }

  /// Ends the message that a lane was in the middle of when it was forgotten, so that the next one begins a line.
  private func endForgotten() {
    guard endsMessageAt != nil else { return }
    endsMessageAt = nil
    delegate?.linkReceived(("\n" as StaticString).bytes)
  }

  /// Sends a line after those before it.
  private func sendInTurn(_ message: UnsafeBufferPointer<UInt8>) -> Bool {
    if !lanes[0].isBusy, waitingCount == 0 { return lanes[0].begin(message, request(), url) }
    guard waitingCount + message.count < waiting.bytes.count else { return false }
    for index in 0..<message.count { waiting.bytes[waitingCount + index] = message[index] }
    waiting.bytes[waitingCount + message.count] = 0x0A
    waitingCount += message.count + 1
    return true
  }

  private func sendNext() {
    guard waitingCount > 0, !lanes[0].isBusy else { return }
    var end = 0
    while waiting.bytes[end] != 0x0A { end += 1 }
    let message = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(waiting.bytes)[..<end])
    let isSent = lanes[0].begin(message, request(), url)
    for index in (end + 1)..<max(waitingCount, end + 1) { waiting.bytes[index - end - 1] = waiting.bytes[index] }
    waitingCount -= end + 1
    if !isSent { lose(InlineText()) }
  }

  private func request() -> FetchRequest {
    var request = FetchRequest()
    request.method = .post
    request.accept = "application/json, text/event-stream"
    request.fields = Self.field(revision)
    request.session = session
    request.isPrompt = true
    // Of a stream all pieces together count.
    request.limit = Int(Int32.max)
    request.totalMilliseconds = Budget.mcpRequestMilliseconds
    request.idleMilliseconds = Budget.mcpSilenceMilliseconds
    return request
  }

  /// The header field of all requests but the greeting, which asks for a revision itself (spec, Transports).
  private static func field(_ revision: MCPVersion?) -> StaticString {
    switch revision {
    case nil: ""
    case .november2024: "MCP-Protocol-Version: 2024-11-05\r\n"
    case .march2025: "MCP-Protocol-Version: 2025-03-26\r\n"
    case .june2025: "MCP-Protocol-Version: 2025-06-18\r\n"
    case .november2025: "MCP-Protocol-Version: 2025-11-25\r\n"
    }
  }

  // MARK: Time

  public var nextDeadline: Int64? {
    var next = earliest(opensAt, endsMessageAt)
    for index in 0..<lanes.count { next = earliest(next, lanes[index].fetcher.nextDeadline) }
    return next
  }

  public func advance(to now: Int64) {
    if let due = opensAt, due <= now {
      opensAt = nil
      delegate?.linkOpened()
    }
    let connection = connection
    if let due = endsMessageAt, due <= now {
      endForgotten()
      if self.connection == connection { letOthersSpeak() }
    }
    for index in 0..<lanes.count where self.connection == connection {
      if let due = lanes[index].fetcher.nextDeadline, due <= now { lanes[index].fetcher.advance(to: now) }
    }
  }

  // MARK: Answers

  /// The header of an answer has come.
  fileprivate func began(_ lane: MCPLane) {
    let given = lane.fetcher.session
    if !given.isEmpty { session = given }
  }

  /// A piece of an answer has come, which is read when no other answer is in the middle of a message.
  fileprivate func receive(_ lane: MCPLane) {
    guard speaker == nil || speaker == lane.place else { return lane.hasPiece = true }
    lane.hasPiece = false
    let connection = connection
    endForgotten()
    guard self.connection == connection else { return }
    let request = lane.requests
    feed(lane)
    guard self.connection == connection, lane.requests == request else { return }
    lane.fetcher.pieceTaken()
    if self.connection == connection { letOthersSpeak() }
  }

  private func letOthersSpeak() {
    let connection = connection
    for index in 0..<lanes.count {
      guard self.connection == connection, speaker == nil else { return }
      if lanes[index].hasPiece { receive(lanes[index]) }
    }
  }

  private func feed(_ lane: MCPLane) {
    let bytes = lane.fetcher.body
    let (connection, request) = (connection, lane.requests)
    var index = 0
    while self.connection == connection, lane.requests == request, index < bytes.count {
      if lane.isStream {
        let piece = lane.events.next(bytes, at: &index)
        switch piece {
        case .text(let range): deliver(UnsafeBufferPointer(rebasing: bytes[range]), lane)
        case .end: endMessage(lane)
        case nil: return
        }
      } else {
        // Line ends stand between the parts of a message alone.
        let start = index
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        if index > start { deliver(UnsafeBufferPointer(rebasing: bytes[start..<index]), lane) }
        if index < bytes.count { index += 1 }
      }
    }
  }

  private func deliver(_ bytes: UnsafeBufferPointer<UInt8>, _ lane: MCPLane) {
    speaker = lane.place
    delegate?.linkReceived(bytes)
  }

  /// The message of a lane has ended, if it is in the middle of one.
  private func endMessage(_ lane: MCPLane) {
    guard speaker == lane.place else { return }
    speaker = nil
    delegate?.linkReceived(("\n" as StaticString).bytes)
  }

  /// An answer has ended: with all of it, or not at all.
  fileprivate func ended(_ lane: MCPLane, _ failure: FetchFailure?) {
    let connection = connection
    endMessage(lane)
    guard self.connection == connection else { return }
    lane.cancel()
    // Of a call that the server forgot its caller has been told.
    if let failure, lane.place == 0 || failure.kind != .timedOut { return lose(Self.words(failure)) }
    letOthersSpeak()
    if self.connection == connection, lane.place == 0 { sendNext() }
  }

  private static func words(_ failure: FetchFailure) -> InlineText<160> {
    var words = InlineText<160>()
    words.fill { room in
      var writer = ByteWriter(into: room)
      failure.write(to: &writer)
      return min(writer.count, room.count)
    }
    return words
  }

  private func lose(_ words: InlineText<160>) {
    // A copy that is not moved: Embedded Swift gave away another memory for the span of an argument.
    let words = words
    let delegate = delegate
    close()
    words.span.withUnsafeBufferPointer { delegate?.linkLost($0) }
  }
}

/// One request at a time, and its answer.
private final class MCPLane: FetchSink, FetchDelegate {
  let place: Int
  let fetcher: Fetcher
  /// What is sent.
  private let body: ReservedBuffer
  var events = MCPEventReader()
  /// The answer is a stream of events.
  private(set) var isStream = false
  private(set) var isBusy = false
  /// Counts beginnings and ends of requests: a delegate may cancel one within its call, and begin another.
  private(set) var requests: UInt64 = 0
  /// The call that it is busy with.
  private(set) var id: Int64?
  /// A piece waits for another answer.
  var hasPiece = false
  /// Outlives it.
  unowned(unsafe) var endpoint: MCPEndpoint?

  init(_ place: Int, _ transport: any FetchTransport, _ clock: any Clock) throws(Errno) {
    self.place = place
    fetcher = try Fetcher(transport, clock: clock, bodyBytes: Budget.mcpPieceBytes, requestBytes: 256)
    body = try ReservedBuffer(capacity: Budget.mcpRequestBytes)
    fetcher.delegate = self
    fetcher.sink = self
  }

  func begin(
    _ message: UnsafeBufferPointer<UInt8>, _ request: FetchRequest, _ url: WebURL, id: Int64? = nil
  ) -> Bool {
    guard message.count <= body.bytes.count, let from = message.baseAddress, let to = body.bytes.baseAddress else {
      return false
    }
    to.update(from: from, count: message.count)
    var request = request
    request.body = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(body.bytes)[..<message.count])
    (isBusy, isStream, hasPiece) = (true, false, false)
    requests &+= 1
    self.id = id
    events = MCPEventReader()
    fetcher.start(url, request)
    return true
  }

  /// Ends what it does.
  func cancel() {
    if isBusy { fetcher.cancel() }
    (isBusy, hasPiece) = (false, false)
    requests &+= 1
    body.release()
  }

  func fetchBegan(_ fetcher: Fetcher) -> Bool {
    isStream = fetcher.type.equals(("text/event-stream" as StaticString).utf8Bytes)
    endpoint?.began(self)
    return true
  }

  func fetchedPiece(_ fetcher: Fetcher) { endpoint?.receive(self) }

  func fetched(_ fetcher: Fetcher) { endpoint?.ended(self, nil) }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) { endpoint?.ended(self, failure) }

  func isGateway(_ certificate: PeerCertificate) -> Bool { false }
}
