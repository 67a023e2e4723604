import Board
import Codec
import Runtime

/// A source of recordings of a person who says a phrase.
protocol TakeSource: AnyObject {
  /// Makes one recording. `begin` is called when the microphone is open and has settled.
  func record(_ begin: () -> Void) throws(Failure)
  /// The samples, 16 kHz, -1 to 1.
  var samples: [Float] { get }
}

/// Recordings by the running agent, which has the microphone: it lends it from the first one until `close`, and detects
/// no wake phrases meanwhile.
final class LentTake: TakeSource, ControlConnectionDelegate, TimerHandler {
  /// Timeout in milliseconds: opening a card, and a recording.
  private static let timeout: Int64 = 30_000

  private let clock = SystemClock()
  private let loop: Loop
  private var connection: ControlConnection?
  private var calls: Int64 = 0
  private var hasBegun = false
  private var isOver = false
  private var failure: Failure?
  private(set) var samples: [Float] = []

  /// Recordings of the agent that runs with this folder; nil when none runs.
  static func connect(folder: String) throws(Failure) -> LentTake? {
    do throws(Errno) {
      return try LentTake(folder)
    } catch {
      if error == .noSuchFile || error == .connectionRefused { return nil }
      throw Failure(.unavailable, ConsoleClient.words(for: error))
    }
  }

  private init(_ folder: String) throws(Errno) {
    loop = try Loop(clock: clock)
    connection = try ConsoleClient.connect(loop, folder: folder, self)
    samples.reserveCapacity(Budget.enrolTakeSamples)
  }

  /// Gives the microphone back to the agent.
  func close() { connection?.close() }

  func record(_ begin: () -> Void) throws(Failure) {
    calls += 1
    (hasBegun, isOver, failure) = (false, false, nil)
    samples.removeAll(keepingCapacity: true)
    guard connection?.ask("take", id: calls) == true else { throw Self.lost }
    try run { hasBegun || isOver }
    if hasBegun { begin() }
    try run { isOver }
    if let failure { throw failure }
  }

  private static var lost: Failure { Failure(.temporary, "the agent ended the connection") }

  /// Runs the loop until the condition is true.
  private func run(until isSo: () -> Bool) throws(Failure) {
    do throws(Errno) {
      let relay = LentRelay()
      let signals = try Signals(loop: loop) { _ in relay.take?.end(Failure(.temporary, "interrupted")) }
      defer { signals.close() }
      relay.take = self
      loop.setTimer(TimerID(0), of: self, at: clock.monotonic + Self.timeout)
      if !isSo() { try loop.run() }
      loop.cancelTimer(TimerID(0), of: self)
      relay.take = nil
    } catch {
      throw Failure(.system, "waiting for the agent failed: \(String(error.text))")
    }
  }

  fileprivate func end(_ failure: Failure?) {
    self.failure = failure
    isOver = true
    loop.stop()
  }

  func timerFired(_ id: TimerID) { end(Failure(.temporary, "the agent does not answer")) }

  func controlEnded() { end(Self.lost) }

  func controlLineReceived(_ line: borrowing JSONView, _ text: UnsafeBufferPointer<UInt8>) {
    guard line.number("id") == calls, let type = line.member("type") else { return }
    if type.equals("started") {
      hasBegun = true
      return loop.stop()
    }
    guard type.equals("result") else { return end(Self.refusal(line)) }
    guard let result = line.member("result"), let sound = result.member("samples"), take(sound) else {
      return end(Failure(.temporary, "the agent's recording cannot be read"))
    }
    end(nil)
  }

  private static func refusal(_ line: borrowing JSONView) -> Failure {
    line.text("code") == "INVALID_REQUEST"
      ? Failure(.temporary, "the agent is of another release: restart it")
      : Failure(.temporary, "the running agent has the microphone: \(line.text("message"))")
  }

  /// Decodes the samples of a recording; false when they are not valid.
  private func take(_ sound: borrowing JSONView) -> Bool {
    guard let length = sound.stringLength, length <= Base64.standard.encodedLength(of: 2 * Budget.enrolTakeSamples)
    else { return false }
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: length)
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Base64Decoder.decodedLengthMax(of: length))
    defer {
      text.deallocate()
      bytes.deallocate()
    }
    guard sound.copyString(into: text) == length else { return false }
    do throws(Base64Error) {
      let count = try Base64Decoder.decode(
        Span(_unsafeElements: UnsafeBufferPointer(text)), .standard, padding: .required, into: bytes)
      for place in stride(from: 0, to: count - 1, by: 2) {
        samples.append(Float(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)) / 32_768)
      }
    } catch {
      return false
    }
    return !samples.isEmpty
  }
}

/// Breaks the reference cycle between the signals and the recording.
private final class LentRelay {
  var take: LentTake?
}
