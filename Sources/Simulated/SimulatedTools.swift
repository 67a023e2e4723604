import Hands
import Runtime

/// A simulated sensor, for tests.
public final class MemorySensor: SensorDevice {
  /// What reading it gives.
  public var outcome: SensorOutcome
  /// How often it was read.
  public private(set) var readings = 0

  /// A sensor that gives this.
  @export(interface)
  public init(_ outcome: SensorOutcome) { self.outcome = outcome }

  public func read() -> SensorOutcome {
    readings += 1
    return outcome
  }
}

/// A simulated serial line with a device at its end, for tests.
public final class MemoryLine: SerialLine {
  /// What the device answers to a request; empty: nothing.
  public var answer: ([UInt8]) -> [UInt8]
  /// Why calls fail; nil: they do not.
  public var fault: Errno?
  /// What was sent.
  public private(set) var requests: [[UInt8]] = []
  public private(set) var isOpen = false
  private var waiting: [UInt8] = []

  /// A line whose device answers so.
  @export(interface)
  public init(_ answer: @escaping ([UInt8]) -> [UInt8]) { self.answer = answer }

  public func send(_ bytes: UnsafeBufferPointer<UInt8>) throws(Errno) {
    if let fault { throw fault }
    isOpen = true
    requests.append(Array(bytes))
    waiting = answer(Array(bytes))
  }

  /// Silence is an error here: the time of a test does not pass by itself.
  public func receive(into bytes: UnsafeMutableBufferPointer<UInt8>, milliseconds: Int64) throws(Errno) -> Int {
    if let fault { throw fault }
    guard !waiting.isEmpty else { throw .timedOut }
    let count = min(waiting.count, bytes.count)
    for index in 0..<count { bytes[index] = waiting[index] }
    waiting.removeFirst(count)
    return count
  }

  public func close() { isOpen = false }
}

/// Simulated programs, for tests.
public final class MemoryProgram: ProgramRunner {
  public var refusal: StaticString?
  /// How a run ends, and what it writes.
  public var end = ProgramEnd(.exited(0))
  public var output: [UInt8] = []
  /// The words of each run.
  public private(set) var runs: [[String]] = []
  /// The time that the last run had.
  public private(set) var milliseconds: Int64 = 0

  /// Programs that end well and write nothing.
  @export(interface)
  public init() {}

  public func run(
    _ path: Path, _ words: ProgramWords, milliseconds: Int64, output: UnsafeMutableBufferPointer<UInt8>,
    errors: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) -> ProgramEnd {
    var run: [String] = []
    words.forEach { word in run.append(word.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }) }
    runs.append(run)
    self.milliseconds = milliseconds
    if cancellation.isRequested { return ProgramEnd(.cancelled) }
    var end = end
    end.outputBytes = min(self.output.count, output.count)
    end.isOutputCut = self.output.count > output.count
    for index in 0..<end.outputBytes { output[index] = self.output[index] }
    return end
  }
}
