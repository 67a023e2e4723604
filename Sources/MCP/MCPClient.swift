import Codec
import Runtime

/// Gets what becomes of calls of one server.
public protocol MCPClientDelegate: AnyObject {
  /// A call has a result, an object that is valid during the call; `isError` may be among its members. A tag is
  /// answered exactly once, by this or by `callFailed`, and never after it was cancelled.
  func callSucceeded(_ client: MCPClient, _ tag: Int, _ result: borrowing JSONView)
  /// A call has failed.
  func callFailed(_ client: MCPClient, _ tag: Int, _ failure: MCPFailure)
  /// A call goes on: the server's words on one line, which may be none.
  func callProgressed(_ client: MCPClient, _ tag: Int, _ words: Span<UInt8>)
  /// The tools of the server are others than before.
  func toolsChanged(_ client: MCPClient)
  /// The server failed, and its tools with it for a while; `session.trouble` tells why. `words`: of the server or the
  /// service, on one line, which may be none.
  func serverFailed(_ client: MCPClient, _ words: Span<UInt8>)
  /// The server has written these words to its standard error, on one line.
  func serverComplained(_ client: MCPClient, _ words: Span<UInt8>)
  /// True when the board has a tool of this name, which no server's may hide.
  func isTaken(_ name: Span<UInt8>) -> Bool
}

/// What has happened with one server since the start.
public struct MCPCounts: Equatable, Sendable {
  /// Calls, and those that failed.
  public internal(set) var calls: UInt64 = 0
  public internal(set) var failures: UInt64 = 0
  /// Answers to nothing that was asked, or no more; lines that are no message; lines that were too long.
  public internal(set) var strangeAnswers: UInt64 = 0
  public internal(set) var strangeLines: UInt64 = 0
  public internal(set) var longLines: UInt64 = 0
  /// Requests of the server that were refused, and messages for a log, which nobody reads.
  public internal(set) var refusedRequests: UInt64 = 0
  public internal(set) var logMessages: UInt64 = 0
  /// Lines of its standard error that were not told, because there were too many in a minute.
  public internal(set) var errorLines: UInt64 = 0
}

/// The client of one server: its life (`MCPSession`), its tools, and its calls. Bytes of the link come in, lines go
/// out.
///
/// The server is hostile until proven otherwise: whatever it sends costs linear time, no number of its is used but to
/// find one of ours, and each call is answered exactly once.
public final class MCPClient: MCPLinkDelegate {
  /// A call from `begin` to its answer.
  struct Call {
    let tag: Int
    let id: Int64
    /// Bytes of its line, which stands at its slot's place in `lines`.
    let length: Int
    /// When nobody waits any more.
    let deadline: Int64
    /// When the server must have given a sign of it; nil until it is sent.
    var quietUntil: Int64?
    /// When the next sign of progress is passed on.
    var progressAt: Int64 = 0
  }

  /// Where the list of tools goes on.
  struct Page {
    /// The place of the next page, as JSON text.
    let cursor = FixedBuffer(capacity: Budget.mcpCursorBytes)
    var count = 0
    /// Pages that were asked for.
    var asked = 0
  }

  /// Ids of what was asked, beside calls. They go on when a server is begun again: an answer that an earlier one was
  /// asked for means nothing.
  struct Asked {
    var next: Int64 = 1
    var greeting: Int64?
    var list: Int64?
    var ping: Int64?
    /// When the ping must have its answer.
    var pingEnds: Int64 = 0
  }

  /// Its section of the configuration.
  public let settings: MCPSettings
  let link: any MCPLink
  let clock: any Clock
  private let version: String
  /// Lives as long as the client.
  public unowned(unsafe) var delegate: (any MCPClientDelegate)?
  public private(set) var session: MCPSession
  /// The tools that are known.
  public private(set) var tools: MCPToolList
  /// Those that are being told.
  var nextTools: MCPToolList
  private var reader: MCPLineReader
  var calls = Slots<Call>(capacity: Budget.mcpCalls)
  /// The line of each call.
  let lines: ReservedBuffer
  /// Any other line.
  private let line = FixedBuffer(capacity: Budget.mcpCursorBytes + 512)
  var page = Page()
  var asked = Asked()
  private var rate = MCPRate()
  /// Bytes of the line that is read, which nobody has counted yet.
  private var uncounted = 0
  private var errorRate = MCPErrorRate()
  /// The revision that was agreed on last.
  public internal(set) var revision: MCPVersion?
  /// What has happened since the start.
  public internal(set) var counts = MCPCounts()

  /// A client that does nothing before `start`. `version`: of this program.
  @export(interface)
  public init(_ settings: MCPSettings, link: any MCPLink, clock: any Clock, version: String) throws(Errno) {
    self.settings = settings
    self.link = link
    self.clock = clock
    self.version = version
    session = MCPSession(idle: settings.idle)
    tools = try MCPToolList()
    nextTools = try MCPToolList()
    reader = try MCPLineReader()
    lines = try ReservedBuffer(capacity: Budget.mcpCalls * Budget.mcpRequestBytes)
  }

  /// Lines that nobody waited for, and were not read.
  public var ignoredLines: UInt64 { rate.ignored }

  /// Calls under way.
  public var callsUnderWay: Int {
    var count = 0
    for index in calls.indices where calls[index] != nil { count += 1 }
    return count
  }

  // MARK: Life

  /// Learns the tools of the server.
  public func start() { handle(.wanted) }

  /// A person holds the board: the server is ended, and its calls fail.
  public func hold() { handle(.held) }

  /// The person has released the board.
  public func letGo() { handle(.released) }

  /// When `advance` is to be called, in milliseconds of `Clock.monotonic`.
  public var nextDeadline: Int64? {
    var next = session.nextDeadline
    next = earliest(next, link.nextDeadline)
    if asked.ping != nil { next = earliest(next, asked.pingEnds) }
    for index in calls.indices {
      guard let call = calls[index] else { continue }
      next = earliest(next, min(call.deadline, call.quietUntil ?? .max))
    }
    return next
  }

  /// Does what is due.
  public func advance(to now: Int64) {
    if let due = link.nextDeadline, due <= now { link.advance(to: now) }
    for index in calls.indices {
      guard let call = calls[index], now >= min(call.deadline, call.quietUntil ?? .max) else { continue }
      giveUp(index, call)
    }
    if asked.ping != nil, now >= asked.pingEnds { fail(.hung) }
    handle(.time)
  }

  /// Ends a call that had no answer in time, and asks whether the server lives.
  private func giveUp(_ index: Int, _ call: Call) {
    end(index, call, MCPFailure(.timedOut))
    guard call.quietUntil != nil, session.phase == .ready else { return }
    _ = sendLine { MCPWriter.cancel(call.id, to: &$0) }
    guard asked.ping == nil else { return }
    let id = newID()
    asked.ping = id
    asked.pingEnds = clock.monotonic + Budget.mcpPingMilliseconds
    _ = sendLine { MCPWriter.ping(id, to: &$0) }
  }

  /// Handles an event, and tells the delegate when the server failed by it. `words`: the server's, about that failure.
  func handle(_ event: MCPSession.Event, _ words: Span<UInt8> = Span()) {
    let wasRunning = session.phase.isRunning
    let effects = session.handle(event, at: clock.monotonic)
    let hasFailed = wasRunning && session.phase == .resting
    carryOut(effects)
    if hasFailed { delegate?.serverFailed(self, words) }
  }

  /// The server failed, for this reason.
  func fail(_ trouble: MCPSession.Trouble, _ words: Span<UInt8> = Span()) {
    if session.phase.isRunning { handle(.failed(trouble), words) }
  }

  private func carryOut(_ effects: MCPSession.Effects) {
    if effects.contains(.close) {
      (asked.greeting, asked.list, asked.ping) = (nil, nil, nil)
      link.close()
      reader.reset()
    }
    if effects.contains(.dropList) {
      nextTools.removeAll()
      asked.list = nil
    }
    if effects.contains(.failCalls) { failCalls() }
    if effects.contains(.open) {
      // What the last one left.
      reader.reset()
      if !link.open(self) { return fail(.noService) }
    }
    if effects.contains(.greet) {
      let id = newID()
      asked.greeting = id
      if !sendLine({ MCPWriter.greet(id, version: self.version, to: &$0) }) { return fail(.deaf) }
    }
    if effects.contains(.confirm), !sendLine({ MCPWriter.confirm(to: &$0) }) { return fail(.deaf) }
    if effects.contains(.list) {
      nextTools.removeAll()
      (page.count, page.asked) = (0, 0)
      askForPage()
    }
    if effects.contains(.listMore) { askForPage() }
    if effects.contains(.publish) { publish() }
    if effects.contains(.sendCalls) { sendCalls() }
  }

  private func failCalls() {
    var failure = MCPFailure(session.phase == .held ? .held : .lost)
    failure.trouble = session.trouble
    for index in calls.indices {
      guard let call = calls[index] else { continue }
      // One that was never sent was not carried out.
      if failure.kind == .lost, call.quietUntil == nil {
        end(index, call, resting)
      } else {
        end(index, call, failure)
      }
    }
  }

  /// Why nothing is begun now.
  var resting: MCPFailure {
    var failure = MCPFailure(.resting)
    failure.trouble = session.trouble
    failure.wait = max(session.restsUntil - clock.monotonic, 0)
    return failure
  }

  private func publish() {
    asked.list = nil
    if nextTools.isSame(as: tools) { return nextTools.removeAll() }
    (tools, nextTools) = (nextTools, tools)
    nextTools.removeAll()
    delegate?.toolsChanged(self)
  }

  private func askForPage() {
    let id = newID()
    asked.list = id
    page.asked += 1
    let place = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(page.cursor.bytes)[..<page.count])
    let isSent = sendLine { MCPWriter.list(id, cursor: Span(_unsafeElements: place), to: &$0) }
    if !isSent { fail(.deaf) }
  }

  func newID() -> Int64 {
    defer { asked.next &+= 1 }
    return asked.next
  }

  // MARK: Sending

  /// Sends a short line.
  func sendLine(_ write: (inout ByteWriter) -> Void) -> Bool {
    var writer = ByteWriter(into: line.bytes)
    write(&writer)
    guard writer.isComplete else { return false }
    return link.send(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(line.bytes)[..<writer.count]))
  }

  // MARK: Receiving

  public func linkOpened() { handle(.opened) }

  public func linkComplained(_ line: UnsafeBufferPointer<UInt8>) {
    let words = Self.line(line)
    if words.isEmpty { return }
    guard errorRate.receive(at: clock.monotonic) else { return counts.errorLines &+= 1 }
    delegate?.serverComplained(self, words.span)
  }

  public func linkLost(_ words: UnsafeBufferPointer<UInt8>) {
    let line = Self.line(words)
    fail(session.phase == .opening ? .notBegun : .died, line.span)
  }

  /// The beginning of words on one line.
  private static func line(_ words: UnsafeBufferPointer<UInt8>) -> InlineText<160> {
    var line = InlineText<160>()
    line.fill { room in
      var writer = ByteWriter(into: room)
      let most = Span(_unsafeElements: words).characters(in: room.count)
      MCPText.writeLine(UnsafeBufferPointer(rebasing: words[..<most]), to: &writer)
      return writer.count
    }
    return line
  }

  public func linkReceived(_ bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    // What a line does may end the server, and with it the rest of what it has sent.
    let starts = session.starts
    while session.phase.isRunning, session.starts == starts, let item = reader.next(bytes, at: &index) {
      receive(item)
    }
  }

  private func receive(_ item: MCPLineReader.Item) {
    uncounted = reader.bytes.count + reader.skipped
    switch item {
    case .endless: fail(.flood)
    case .blank: _ = isWelcome()
    case .broken:
      counts.strangeLines &+= 1
      _ = isWelcome()
    case .tooLong:
      counts.longLines &+= 1
      receiveBeginning(JSONView(Span(_unsafeElements: reader.bytes)))
    case .line:
      let message = JSONView(Span(_unsafeElements: reader.bytes))
      guard message.kind == .array else { return receive(message) }
      // Several at once, which the revision of 2025-03-26 has alone.
      let starts = session.starts
      var messages = message.elements()
      while session.phase.isRunning, session.starts == starts, let one = messages.next() { receive(one) }
    }
  }

  /// One more line that nobody waits for: true when it is to be read.
  func isWelcome() -> Bool {
    let bytes = uncounted
    uncounted = 0
    switch rate.receive(at: clock.monotonic, bytes: bytes) {
    case .read: return true
    case .ignored: return false
    case .flood:
      fail(.flood)
      return false
    }
  }
}
