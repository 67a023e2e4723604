import Codec
import Runtime

/// One question to the running agent over its local socket, for commands that have nothing else to do meanwhile.
final class ConsoleClient: ControlConnectionDelegate, TimerHandler {
  /// What is asked, by how it is answered.
  enum Kind {
    /// With one line.
    case answer
    /// With one line, when it is done; that may take minutes.
    case deed
    /// With a reply that comes in pieces, and can be stopped.
    case chat
    /// With lines, until the end or for ever.
    case lines
  }

  /// Milliseconds without a word until the agent is given up: longer than the agent itself waits for the gateway.
  private static let patience: Int64 = 90_000
  private static let replyPatience: Int64 = 660_000
  /// Milliseconds for an agent that starts over, and between looks whether it has.
  private static let restartPatience: Int64 = 5_000
  private static let restartPause: Int64 = 100
  private static let restartTimer = TimerID(1)
  private static let cutText = "the agent ended the connection; other consoles may be using it"

  private let clock = SystemClock()
  private let loop: Loop
  private var connection: ControlConnection?
  private var signals: Signals?
  /// The person at the console has had enough.
  private(set) var isInterrupted = false
  private var kind = Kind.answer
  private var showLine: (borrowing JSONView) -> Void = { _ in }
  private var answer: [UInt8]?
  private var failure: Failure?

  /// The agent's process, as the kernel knows it.
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

  /// The agent's state; asked once more when the agent began to start over just then.
  static func status(folder: String) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try ConsoleClient(folder: folder).ask("status") { _ in }
    } catch {
      guard error.text == cutText else { throw error }
      return try ConsoleClient(folder: folder).ask("status") { _ in }
    }
  }

  /// While an agent starts over its file is there, and nobody listens.
  private func connect(_ folder: String) throws(Errno) {
    let end = clock.monotonic + Self.restartPatience
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

  /// What stands in the socket's place is one; nobody listens at anything else, however long one waits.
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
  static func connect(_ loop: Loop, folder: String, _ delegate: any ControlConnectionDelegate) throws(Errno) -> ControlConnection {
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

  /// Asks, shows what comes in pieces, and returns the line that ends the call. `members` writes the request; `show` is
  /// given each line of `.lines`.
  func ask(
    _ operation: StaticString, as kind: Kind = .answer, _ members: (inout JSONWriter) -> Void,
    show: @escaping (borrowing JSONView) -> Void = { _ in }
  ) throws(Failure) -> [UInt8] {
    (self.kind, showLine) = (kind, show)
    guard connection?.ask(operation, id: 1, members) == true else { throw Failure(.usage, "that is too long") }
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
    connection?.close()
    signals?.close()
  }

  private func setTimer() {
    if kind == .lines { return }
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + (kind == .answer ? Self.patience : Self.replyPatience))
  }

  private func end(_ failure: Failure? = nil) {
    self.failure = failure
    loop.stop()
  }

  func timerFired(_ id: TimerID) {
    if id == Self.restartTimer { return loop.stop() }
    end(Failure(.temporary, "the agent does not answer"))
  }

  /// The first time a reply is stopped at the gateway; the second time nobody waits for that.
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

  func controlSaid(_ root: borrowing JSONView, _ text: UnsafeBufferPointer<UInt8>) {
    setTimer()
    guard answer == nil, let id = root.member("id"), let type = root.member("type") else { return }
    // A line without a call of ours is about the connection.
    let number = id.int64 ?? 0
    if number > 1 { return }
    if type.equals("text") { return show(root, "") }
    if type.equals("replacement") { return show(root, "\n[the agent began anew]\n") }
    if type.equals("cut") { return Console.err("\n[a part of the reply was too long and is missing]") }
    if type.equals("started") { return }
    if type.equals("line") {
      showLine(root)
      // Nobody reads any more.
      if Console.isGone { end(Failure(.temporary, "interrupted")) }
      return
    }
    answer = Array(text)
    end()
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
    Console.piece(UnsafeBufferPointer(text))
  }
}

/// Breaks the circle between the signals and the client.
private final class ConsoleRelay {
  var client: ConsoleClient?
}
