import Codec
import Motion
import Runtime

/// A simulated motion sensor that replays a recording repeatedly, at the pace of a clock.
///
/// A recording has lines of comma-separated numbers: acceleration along x, y and z in g, and optionally rotation about
/// them in radians a second. With a seventh number, or a fourth without rotation, the first is the time in seconds;
/// then its times give the rate, else the requested one is used. Other lines are skipped.
public final class ReplayMotion: MotionSource {
  private let path: Path
  private let clock: any Clock
  private let window = FixedBuffer(capacity: Budget.replayWindowBytes)
  private var windowCount = 0
  private var file: Descriptor?
  /// Samples a second.
  private var rate: Double = 0
  /// Numbers in a line; 0 while unknown.
  private var columns = 0
  private var hasTime: Bool { columns == 4 || columns == 7 }
  private var hasRotation: Bool { columns >= 6 }
  private var started: Int64 = 0
  private var given: Int64 = 0

  /// A closed source. Throws when the path is too long.
  @export(interface)
  public init(path: String, clock: any Clock) throws(Errno) {
    self.path = try Path(path)
    self.clock = clock
  }

  /// Opens the recording. Throws `.absent` when it cannot be read, or has no samples.
  public func open(rate: Float) throws(MotionError) -> MotionFacts {
    close()
    do throws(Errno) {
      file = try Syscall.open(path, .read)
      self.rate = try recordedRate() ?? Double(rate)
      try rewind()
    } catch {
      close()
      throw .absent
    }
    (started, given) = (clock.monotonic, 0)
    return MotionFacts(
      name: InlineText(cutting: "replay" as StaticString), rate: Float(self.rate), hasGyroscope: hasRotation,
      memory: Int64(clamping: Double(Budget.motionBatchSamples) * 1000 / self.rate))
  }

  /// Adds the samples that are due since the last call. More than a batch holds are skipped, and set the gap.
  public func drain(into batch: MotionBatch) throws(MotionError) {
    guard file != nil else { throw .vanished }
    let now = clock.monotonic
    let due = Int64(clamping: Double(now - started) * rate / 1000)
    if due - given > Int64(Budget.motionBatchSamples) {
      given = due - Int64(Budget.motionBatchSamples)
      batch.hasGap = true
    }
    do throws(Errno) {
      while given < due {
        batch.append(try nextSample())
        given += 1
      }
    } catch {
      close()
      throw .io(error)
    }
    batch.end = started * 1000 + Int64(clamping: Double(given) * 1_000_000 / rate)
  }

  public func close() {
    file?.close()
    file = nil
    windowCount = 0
    columns = 0
  }

  // MARK: The recording

  private struct Line {
    var numbers = InlineArray<7, Double>(repeating: 0)
    var count = 0
  }

  /// Reads the first samples: the columns, and the rate from the times.
  private func recordedRate() throws(Errno) -> Double? {
    guard let first = try nextLine() else { throw .invalidArgument }
    columns = first.count
    guard hasTime else { return nil }
    var (steps, last) = (0, first)
    while steps < Budget.replayRateSamples, let line = try nextLine() {
      (steps, last) = (steps + 1, line)
    }
    let seconds = last.numbers[0] - first.numbers[0]
    guard steps > 0, seconds > 0 else { throw .invalidArgument }
    return Double(steps) / seconds
  }

  private func nextSample() throws(Errno) -> MotionSample {
    let line: Line
    if let next = try nextLine() {
      line = next
    } else {
      try rewind()
      guard let first = try nextLine() else { throw .invalidArgument }
      line = first
    }
    let at = hasTime ? 1 : 0
    return MotionSample(
      acceleration: vector(line, at), rotation: hasRotation ? vector(line, at + 3) : Vector3())
  }

  private func vector(_ line: Line, _ at: Int) -> Vector3 {
    Vector3(Float(line.numbers[at]), Float(line.numbers[at + 1]), Float(line.numbers[at + 2]))
  }

  private func rewind() throws(Errno) {
    file?.close()
    file = nil
    windowCount = 0
    file = try Syscall.open(path, .read)
  }

  /// The next line of numbers; nil at the end.
  private func nextLine() throws(Errno) -> Line? {
    while true {
      let text = UnsafeBufferPointer(rebasing: window.bytes[..<windowCount])
      if let end = Self.end(of: text) {
        let line = Self.parse(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[..<end])))
        take(min(end + 1, windowCount))
        if let line, columns == 0 || line.count == columns { return line }
      } else if try !fill() {
        guard windowCount > 0 else { return nil }
        // The last line may lack its end.
        let line = Self.parse(Span(_unsafeElements: text))
        take(windowCount)
        return columns == 0 || line?.count == columns ? line : nil
      }
    }
  }

  private static func end(of text: UnsafeBufferPointer<UInt8>) -> Int? {
    for index in 0..<text.count where text[index] == 0x0A { return index }
    return nil
  }

  private func take(_ count: Int) {
    let start = window.bytes.baseAddress!
    windowCount -= count
    start.update(from: start + count, count: windowCount)
  }

  /// Reads on; false at the end. A line that is longer than the window is skipped.
  private func fill() throws(Errno) -> Bool {
    guard let file else { return false }
    if windowCount == window.bytes.count { throw .invalidArgument }
    let free = UnsafeMutableBufferPointer(rebasing: window.bytes[windowCount...])
    let count = try Syscall.read(file, into: UnsafeMutableRawBufferPointer(free))
    windowCount += count
    return count > 0
  }

  /// 3, 4, 6 or 7 numbers; nil for anything else.
  private static func parse(_ text: Span<UInt8>) -> Line? {
    var line = Line()
    var start = 0
    for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: ",") {
      guard line.count < 7, let number = trimmed(text.extracting(start..<index)).decimalNumber else { return nil }
      line.numbers[line.count] = number
      line.count += 1
      start = index + 1
    }
    return line.count == 3 || line.count == 4 || line.count >= 6 ? line : nil
  }

  @_lifetime(copy text)
  private static func trimmed(_ text: Span<UInt8>) -> Span<UInt8> {
    var (start, end) = (0, text.count)
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    return text.extracting(start..<end)
  }
}
