import Codec
import Gateway
import Node
import Programs
import Runtime

/// One run of a program at a time: what it writes, its progress, its events and its answer.
final class RunSlot: ProgramDelegate, BlobDelegate {
  private enum State { case idle, running, sending }

  private let link: any ProgramLink
  private let router: Router
  private let events: RunEvents
  private let clock: any Clock
  private let limit: Int
  private let output: ProgramText
  private let errors: ProgramText
  /// The answer, which may be larger than a message beside its blob.
  private let json: ReservedBuffer
  private var state = State.idle
  private var token = InvokeToken(0)
  private var origin = RunOrigin()
  private var command = InlineText<256>()
  private var refusal = InlineText<96>()
  private var isCut = false
  private var beganAt: Int64 = 0
  /// When the gateway is told that it still runs; nil before the first progress, after which a gateway may count
  /// silence.
  private(set) var beatAt: Int64?

  init(
    _ link: any ProgramLink, limit: Int, router: Router, events: RunEvents, clock: any Clock
  ) throws(Errno) {
    self.link = link
    self.router = router
    self.events = events
    self.clock = clock
    self.limit = limit
    output = try ProgramText(capacity: limit)
    errors = try ProgramText(capacity: limit)
    // Each byte may be escaped; the members around the texts are few.
    json = try ReservedBuffer(capacity: 2 * (limit + 32) + 1024)
  }

  var isIdle: Bool { state == .idle }
  var isRunning: Bool { state == .running }

  /// Begins a run; false when there is no service.
  func begin(_ token: InvokeToken, _ words: CommandWords, _ origin: RunOrigin, milliseconds: Int64) -> Bool {
    output.clear()
    errors.clear()
    refusal.clear()
    (isCut, beatAt) = (false, nil)
    guard link.begin(words.bytes, milliseconds: milliseconds, self) else { return false }
    state = .running
    self.token = token
    self.origin = origin
    command = InlineText(cutting: Span(_unsafeElements: words.text))
    beganAt = clock.monotonic
    events.started(origin, command)
    return true
  }

  /// Ends the run of a token, if this is it.
  func cancel(_ token: InvokeToken) {
    guard isRunning, self.token == token else { return }
    link.cancel()
    end()
    events.finished(origin, command, nil, isTimedOut: false, tail())
  }

  /// Ends whatever runs.
  func stop() { if isRunning { cancel(token) } }

  func beat(at now: Int64) {
    guard let due = beatAt, due <= now, isRunning else { return }
    router.beat(token)
    beatAt = now + Budget.runBeatMilliseconds
  }

  private func end() {
    state = .idle
    beatAt = nil
  }

  // MARK: ProgramDelegate

  func programWrote(_ bytes: UnsafeBufferPointer<UInt8>, isError: Bool) {
    if isError { return errors.append(bytes, limit: limit - output.count) }
    let before = output.count
    output.append(bytes, limit: limit - errors.count)
    guard output.count > before else { return }
    router.progress(token, Span(_unsafeElements: UnsafeBufferPointer(rebasing: output.bytes[before...])))
    beatAt = clock.monotonic + Budget.runBeatMilliseconds
  }

  func programCut() { isCut = true }

  func programRefused(_ sentence: UnsafeBufferPointer<UInt8>) {
    refusal = InlineText(cutting: Span(_unsafeElements: sentence))
  }

  func programEnded(_ verdict: ProgramVerdict) {
    guard isRunning else { return }
    end()
    output.finish(limit: limit - errors.count)
    errors.finish(limit: limit - output.count)
    switch verdict {
    case .refused:
      let reason = refusal.span.withUnsafeBufferPointer { RunRefusal(.serviceRefused, $0) }
      events.denied(origin, command, reason)
      router.fail(token, reason)
    case .lost:
      events.finished(origin, command, nil, isTimedOut: false, tail())
      router.fail(token, RunRefusal(.serviceLost))
    default: answer(verdict)
    }
  }

  // MARK: The answer

  private func answer(_ verdict: ProgramVerdict) {
    events.finished(origin, command, verdict, isTimedOut: verdict == .timedOut, tail())
    var writer = JSONWriter(into: json.bytes)
    write(verdict, to: &writer)
    guard writer.isComplete else { return router.fail(token, RunRefusal(.serviceLost)) }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(json.bytes)[..<writer.count])
    state = .sending
    if !router.succeed(token, json: text, delegate: self) { blobReleased() }
  }

  func blobRead(upTo count: Int) {}

  func blobReleased() {
    if state == .sending { state = .idle }
    json.release()
  }

  private func write(_ verdict: ProgramVerdict, to writer: inout JSONWriter) {
    writer.beginObject()
    if case .exited(let status) = verdict {
      writer.key("exitCode")
      writer.int(Int64(status))
    }
    writer.key("timedOut")
    writer.bool(verdict == .timedOut)
    writer.key("success")
    writer.bool(verdict == .exited(0))
    writer.key("stdout")
    writer.string(Span(_unsafeElements: output.bytes))
    writer.key("stderr")
    writer.string(Span(_unsafeElements: errors.bytes))
    writer.key("error")
    writeError(verdict, to: &writer)
    writer.key("truncated")
    writer.bool(isCut || output.isCut || errors.isCut)
    writer.key("durationMs")
    writer.int(max(clock.monotonic - beganAt, 0))
    writer.endObject()
  }

  private func writeError(_ verdict: ProgramVerdict, to writer: inout JSONWriter) {
    switch verdict {
    case .signal(let number):
      var room = InlineArray<128, UInt8>(repeating: 0)
      var span = room.mutableSpan
      let count = span.withUnsafeMutableBufferPointer { bytes in
        var line = ByteWriter(into: bytes)
        line.text("the program was ended by signal ")
        line.decimal(Int64(number))
        line.text(": it crashed, or used more memory or time than it may")
        return min(line.count, bytes.count)
      }
      writer.string(room.span.extracting(..<count))
    case .timedOut: writer.string("the program took too long, and was killed with all that it had begun")
    default: writer.null()
    }
  }

  /// The end of what it wrote, for the event: errors where there is no output.
  private func tail() -> UnsafeBufferPointer<UInt8> {
    let text = output.count > 0 ? output.bytes : errors.bytes
    var start = max(text.count - Budget.runTailBytes, 0)
    while start < text.count, text[start] & 0xC0 == 0x80 { start += 1 }
    return UnsafeBufferPointer(rebasing: text[start...])
  }
}
