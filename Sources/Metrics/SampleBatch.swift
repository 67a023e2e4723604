import Runtime

/// Some intervals' samples by series, on their way into one request: at most `Budget.metricBatch`.
public final class SampleBatch {
  private let memory: ReservedBuffer
  private let numbers: UnsafeMutableBufferPointer<Int64>
  /// Intervals in it.
  public private(set) var count = 0

  /// Reserves the memory; throws when the address space is full.
  @export(interface)
  public init() throws(Errno) {
    memory = try ReservedBuffer(capacity: Budget.metricBatch * (Budget.metricSeries + 1) * 8)
    numbers = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: Int64.self)
  }

  private func place(_ interval: Int) -> Int { interval * (Budget.metricSeries + 1) }

  /// Takes the oldest intervals of a ring; false when none has a date.
  public func fill(from ring: SampleRing) -> Bool {
    count = ring.lend(Budget.metricBatch) { interval, values, time in
      let start = place(interval)
      numbers[start] = time
      for index in 0..<Budget.metricSeries { numbers[start + 1 + index] = values[index] }
    }
    return count > 0
  }

  /// Forgets everything, and lets the memory go.
  public func release() {
    count = 0
    memory.release()
  }

  /// Milliseconds since 1970.
  func time(_ interval: Int) -> Int64 { numbers[place(interval)] }

  /// The value as it is sent; nil when it is absent.
  func value(_ metric: Metric, _ interval: Int) -> Double? {
    let fixed = numbers[place(interval) + 1 + metric.rawValue]
    return fixed == MetricValues.absent ? nil : Double(fixed) / MetricValues.parts(of: metric)
  }
}
