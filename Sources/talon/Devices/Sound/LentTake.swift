import Board
import Codec
import Runtime

/// One recording of somebody who says a phrase, in memory.
protocol TakeSource: AnyObject {
  /// Records one. `begin` is called when the microphone is open and has settled.
  func record(_ begin: () -> Void) throws(Failure)
  /// What was heard, 16 kHz, -1 to 1.
  var samples: [Float] { get }
}

/// Recordings that the running agent makes, which has the microphone: it lends it from the first one until `close`, and listens for no phrase meanwhile.
final class LentTake: TakeSource, ControlConnectionDelegate, TimerHandler {
  /// Milliseconds for an answer: a card that is opened, and a recording.
  private static let patience: Int64 = 30_000

  private let clock = SystemClock()
  private let loop: Loop
  private var connection: ControlConnection?
  private var calls: Int64 = 0
  private var hasBegun = false
  private var isOver = false
  private var failure: Failure?
  private(set) var samples: [Float] = []

  /// Recordings of the agent that runs with this folder; nil: none runs.
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

  /// The agent has its microphone back.
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

  /// Runs until that is so.
  private func run(until isSo: () -> Bool) throws(Failure) {
    do throws(Errno) {
      let relay = LentRelay()
      let signals = try Signals(loop: loop) { _ in relay.take?.end(Failure(.temporary, "interrupted")) }
      defer { signals.close() }
      relay.take = self
      loop.setTimer(TimerID(0), of: self, at: clock.monotonic + Self.patience)
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

  func controlSaid(_ line: borrowing JSONView, _ text: UnsafeBufferPointer<UInt8>) {
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
      ? Failure(.temporary, "the agent is of another release: start it anew")
      : Failure(.temporary, "the running agent has the microphone: \(line.text("message"))")
  }

  /// The samples of a recording; false: it is none.
  private func take(_ sound: borrowing JSONView) -> Bool {
    guard let length = sound.stringLength, length <= Base64.standard.encodedLength(of: 2 * Budget.enrolTakeSamples) else { return false }
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: length)
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Base64Decoder.decodedLengthMax(of: length))
    defer {
      text.deallocate()
      bytes.deallocate()
    }
    guard sound.copyString(into: text) == length else { return false }
    do throws(Base64Error) {
      let count = try Base64Decoder.decode(Span(_unsafeElements: UnsafeBufferPointer(text)), .standard, padding: .required, into: bytes)
      for place in stride(from: 0, to: count - 1, by: 2) {
        samples.append(Float(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)) / 32_768)
      }
    } catch {
      return false
    }
    return !samples.isEmpty
  }
}

/// Breaks the circle between the signals and the recording.
private final class LentRelay {
  var take: LentTake?
}
