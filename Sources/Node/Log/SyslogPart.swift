import Codec
import Gateway
import Runtime

/// Sends the agent's log to a syslog server over TLS. The ring of the log is the queue: lines that it no longer holds
/// when the server is back are counted, and the server is told how many are missing.
public final class SyslogPart: Part, TransportDelegate {
  private enum State { case idle, connecting, connected }

  private let server: GatewayURL
  private let lines: SyslogLine
  private let transport: any Transport
  private let clock: any Clock
  private let log: Log
  private let frame = FixedBuffer(capacity: Budget.syslogFrameBytes + 8)
  /// Bytes of the frame that were not sent yet.
  private var unsent = 0..<0
  /// The number of the next line.
  private var next: UInt64 = 0
  private var state = State.idle
  private var pauses = RetryPause(Budget.syslogPauses)
  private var isServing = false
  private var isHeld = false
  private var isTroubled = false
  /// The frame is a line of the log, and no notice of lost ones.
  private var isLine = false
  private var sent: UInt64 = 0
  private var lost: UInt64 = 0

  /// A part that connects to nothing before `start`. `host` is what the server knows the board by.
  @export(interface)
  public init(server: GatewayURL, host: String, transport: any Transport, clock: any Clock, log: Log) {
    self.server = server
    lines = SyslogLine(host: host)
    self.transport = transport
    self.clock = clock
    self.log = log
  }

  // MARK: Part

  public override func start() { isServing = true }

  public override func stop() {
    isServing = false
    close()
  }

  public override var isStopped: Bool { state == .idle }

  /// A held board talks with nobody.
  public override func hold() {
    isHeld = true
    close()
  }

  public override func letGo() { isHeld = false }

  public override func boardChanged(_ change: BoardChange) {
    if change == .network, state == .idle { pauses.succeeded() }
  }

  public override var nextDeadline: Int64? { state == .idle && isWorking && hasLines ? pauses.dueAt : nil }

  public override func advance(to now: Int64) {
    guard isWorking, hasLines || !unsent.isEmpty else { return }
    switch state {
    case .connected: send()
    case .connecting: break
    case .idle:
      if let due = pauses.dueAt, now < due { return }
      pauses.begin()
      state = .connecting
      transport.open(server, self)
    }
  }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("syslog")
    writer.beginObject()
    writer.key("state")
    writer.string(state == .connected ? "connected" : pauses.hasFailed ? "waiting" : "idle")
    writer.key("sent")
    writer.uint(sent)
    writer.key("lost")
    writer.uint(lost)
    writer.endObject()
  }

  private var isWorking: Bool { isServing && !isHeld }
  private var hasLines: Bool { next < log.written }

  private func close() {
    if state != .idle { transport.close() }
    leave()
  }

  /// The connection is gone, and with it what was sent in part: the server has seen its beginning.
  private func leave() {
    if !unsent.isEmpty, isLine { lost += 1 }
    (state, unsent) = (.idle, 0..<0)
  }

  // MARK: Sending

  private func send() {
    while true {
      if !unsent.isEmpty {
        let taken = transport.write(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(frame.bytes)[unsent]))
        unsent = unsent.lowerBound + taken..<unsent.upperBound
        guard unsent.isEmpty else { return }
        if isLine { sent += 1 }
      }
      guard state == .connected, fill() else { return }
    }
  }

  /// Takes the next line, or a line in place of those that are lost; false without one.
  private func fill() -> Bool {
    let oldest = log.oldest
    if next < oldest {
      let missing = oldest - next
      lost += missing
      next = oldest
      tellLost(missing)
      return true
    }
    guard let entry = log.entry(next) else { return false }
    next += 1
    isLine = true
    let count = lines.write(entry.level, entry.text, at: instant(entry.time), into: frame)
    unsent = 0..<count
    return true
  }

  private func tellLost(_ missing: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
      var line = LogLine(buffer)
      line.add("syslog: ")
      line.add(missing)
      line.add(" lines are missing: the server was away for too long")
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[..<line.count])
      unsent = 0..<lines.write(.warning, text, at: clock.wall, into: frame)
      isLine = false
    }
  }

  /// The date of a monotonic instant by the board's present clock.
  private func instant(_ time: Int64) -> Int64 { clock.wall - max(clock.monotonic - time, 0) }

  // MARK: TransportDelegate

  public func transportSecured(certificate: PeerCertificate?) {
    state = .connected
    pauses.succeeded()
    if isTroubled { log.write(.notice, "syslog", "the server takes the log again") }
    isTroubled = false
    send()
  }

  /// A server says nothing (RFC 5425 section 4): what it says all the same is not kept.
  public func transportReceived(_ bytes: Span<UInt8>) -> Int { bytes.count }

  public func transportWritable() { if state == .connected { send() } }

  public func transportFailed(_ failure: TransportFailure) {
    // A server may close a connection that it does not need; the next line opens another one.
    let wasConnected = state == .connected
    leave()
    pauses.failed(at: clock.monotonic)
    if wasConnected || isTroubled { return }
    isTroubled = true
    log.write(.warning, "syslog") { line in
      line.add("the log is not taken: ")
      Self.describe(failure, &line)
      line.add("; trying again")
    }
  }

  private static func describe(_ failure: TransportFailure, _ line: inout LogLine) {
    switch failure.kind {
    case .resolve: line.add("the server's name has no address")
    case .tls: line.add("TLS failed")
    default: line.add("could not connect")
    }
    if let detail = failure.detail {
      line.add(": ")
      line.add(cString: detail)
    }
    guard let reason = failure.reason else { return }
    line.add(": ")
    line.add(reason)
  }
}
