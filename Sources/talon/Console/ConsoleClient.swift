import Codec
import Runtime

/// One request to the running agent over its local socket, or several where it stays open, for commands that only wait
/// for answers.
final class ConsoleClient: ControlConnectionDelegate, TimerHandler {
  /// The kind of request, by its answer.
  enum Kind {
    /// One line.
    case answer
    /// One line, when an action is done, which may take minutes.
    case action
    /// A reply in parts, which can be stopped.
    case chat
    /// Lines, until the end or for ever.
    case lines
  }

  /// Timeouts in milliseconds without a line from the agent: longer than the agent's own timeouts of the gateway.
  private static let timeout: Int64 = 90_000
  private static let replyTimeout: Int64 = 660_000
  /// Milliseconds for a restart of the agent, and between checks for it.
  private static let restartTimeout: Int64 = 5_000
  private static let restartPause: Int64 = 100
  private static let restartTimer = TimerID(1)
  private static let cutText = "the agent ended the connection; other consoles may be using it"

  private let clock = SystemClock()
  private let loop: Loop
  private var connection: ControlConnection?
  private var signals: Signals?
  /// True when the person at the console has pressed Ctrl-C.
  private(set) var isInterrupted = false
  /// True when tools and thoughts are shown with what they are about.
  var showsDetails = false
  /// True where another request follows the first: the connection is one of a few that the agent has.
  var staysOpen = false
  /// True when the last line of the output has not ended.
  private var isMidLine = false
  private var kind = Kind.answer
  private var showLine: (borrowing JSONView) -> Void = { _ in }
  private var answer: [UInt8]?
  private var failure: Failure?

  /// The agent's process, according to the kernel.
  var agent: Int32 { connection?.agent ?? 0 }

  /// Connects to the agent that runs with this folder.
  init(folder: String) throws(Failure) {
    do throws(Errno) {
      loop = try Loop(clock: clock)
      try connect(folder)
    } catch {
      throw Failure(.unavailable, Self.words(for: error))
    }
  }

  /// The agent's status; asked again when the agent was just restarting.
  static func status(folder: String) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try ConsoleClient(folder: folder).ask("status") { _ in }
    } catch {
      guard error.text == cutText else { throw error }
      return try ConsoleClient(folder: folder).ask("status") { _ in }
    }
  }

  /// While an agent restarts its socket file exists, and nobody accepts.
  private func connect(_ folder: String) throws(Errno) {
    let end = clock.monotonic + Self.restartTimeout
    while true {
      do throws(Errno) {
        connection = try Self.connect(loop, folder: folder, self)
        return
      } catch {
        guard error == .connectionRefused, Self.isSocket(folder), clock.monotonic < end else { throw error }
      }
      loop.setTimer(Self.restartTimer, of: self, at: clock.monotonic + Self.restartPause)
      try loop.run()
    }
  }

  /// True when there is a socket at the path; waiting for anything else is useless.
  private static func isSocket(_ folder: String) -> Bool {
    do throws(Errno) {
      let path = try Path(folder)
      try path.append("/control")
      return try Syscall.linkStatus(path).isSocket
    } catch {
      return false
    }
  }

  /// A connection to the agent that runs with this folder, for answers of any length.
  static func connect(_ loop: Loop, folder: String, _ delegate: any ControlConnectionDelegate) throws(Errno)
    -> ControlConnection
  {
    let connection = try ControlConnection(loop: loop, lineBytes: Budget.controlOutputBytes, delegate: delegate)
    try connection.open(folder: folder)
    return connection
  }

  static func words(for reason: Errno) -> String {
    switch reason {
    case .noSuchFile, .connectionRefused: "not running: no agent runs with this configuration"
    case .notPermitted: "not the agent: the folder belongs to another user than the program that listens there"
    case .wouldBlock: "the agent has more to do with other consoles; try again"
    default: "the agent cannot be reached: \(String(reason.text))"
    }
  }

  /// Sends a request, shows the parts of its answer, and returns the line that ends the call. `members` writes the
  /// request; `show` gets each line of `.lines`.
  func ask(
    _ operation: StaticString, as kind: Kind = .answer, _ members: (inout JSONWriter) -> Void,
    show: @escaping (borrowing JSONView) -> Void = { _ in }
  ) throws(Failure) -> [UInt8] {
    (self.kind, showLine) = (kind, show)
    (answer, failure) = (nil, nil)
    guard connection?.ask(operation, id: 1, members) == true else { throw Failure(.usage, "the request is too long") }
    try run()
    if let answer { return answer }
    throw failure ?? Failure(.temporary, Self.cutText)
  }

  private func run() throws(Failure) {
    do throws(Errno) {
      let relay = ConsoleRelay()
      signals = try Signals(loop: loop) { _ in relay.client?.interrupted() }
      relay.client = self
      setTimer()
      if answer == nil, connection?.isOpen == true { try loop.run() }
      relay.client = nil
    } catch {
      throw Failure(.system, "waiting for the agent failed: \(String(error.text))")
    }
    loop.cancelTimer(TimerID(0), of: self)
    if !staysOpen { connection?.close() }
    signals?.close()
  }

  private func setTimer() {
    if kind == .lines { return }
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + (kind == .answer ? Self.timeout : Self.replyTimeout))
  }

  private func end(_ failure: Failure? = nil) {
    self.failure = failure
    loop.stop()
  }

  func timerFired(_ id: TimerID) {
    if id == Self.restartTimer { return loop.stop() }
    end(Failure(.temporary, "the agent does not answer"))
  }

  /// The first Ctrl-C stops the reply at the gateway; the second ends the wait for that.
  fileprivate func interrupted() {
    let isAgain = isInterrupted
    isInterrupted = true
    guard kind == .chat, !isAgain else { return end(Failure(.temporary, "interrupted")) }
    _ = connection?.ask("chat-abort", id: 2) { writer in
      writer.key("chat")
      writer.int(1)
    }
  }

  func controlEnded() { end() }

  func controlLineReceived(_ root: borrowing JSONView, _ text: UnsafeBufferPointer<UInt8>) {
    setTimer()
    guard answer == nil, let id = root.member("id"), let type = root.member("type") else { return }
    // A line without our call's id concerns the connection.
    let number = id.int64 ?? 0
    if number > 1 { return }
    if type.equals("text") { return show(root, "") }
    if type.equals("replacement") { return show(root, "\n[the agent replaced its reply]\n") }
    if type.equals("step") { return showStep(root) }
    if type.equals("cut") { return Console.err("\n[a part of the reply was too long and is missing]") }
    if type.equals("started") { return }
    if type.equals("line") {
      showLine(root)
      // The reader of the output is gone.
      if Console.isGone { end(Failure(.temporary, "interrupted")) }
      return
    }
    answer = Array(text)
    end()
  }

  /// A tool or a thought, as a line of its own. On standard error, so that the output is the reply alone.
  private func showStep(_ line: borrowing JSONView) {
    let hasBegun = line.text("state") == "begun"
    if hasBegun, !showsDetails { return }
    if isMidLine { Console.out("") }
    isMidLine = false
    Console.err("\u{B7} \(line.text("text"))")
    // What a tool is given is known at its beginning, a thought at its end.
    guard showsDetails, hasBegun == (line.text("kind") == "tool"), !line.text("detail").isEmpty else { return }
    Console.err("    \(line.text("detail"))")
  }

  private func show(_ line: borrowing JSONView, _ before: String) {
    guard let member = line.member("text"), let length = member.stringLength else { return }
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: before.utf8.count + length)
    defer { text.deallocate() }
    var count = 0
    for byte in before.utf8 {
      text[count] = byte
      count += 1
    }
    _ = member.copyString(into: UnsafeMutableBufferPointer(rebasing: text[count...]))
    if let last = text.last { isMidLine = last != UInt8(ascii: "\n") }
    Console.piece(UnsafeBufferPointer(text))
  }
}

/// Breaks the reference cycle between the signals and the client.
private final class ConsoleRelay {
  var client: ConsoleClient?
}
