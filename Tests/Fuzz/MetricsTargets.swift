import Codec
import Metrics
import Runtime

/// A segment as flash has it.
private let segment: [UInt8] = {
  guard let ring = try? SampleRing() else { return [] }
  for interval in 0..<20 {
    var values = MetricValues()
    values.set(.uptime, Double(interval) * 60)
    values.set(.wakeups, UInt64(interval * 37))
    if interval % 3 != 0 { values.set(.roundTrip, 0.02) }
    ring.append(values, at: 1_800_000_000_000 + Int64(interval) * 60_000, isDated: true)
  }
  let buffer = FixedBuffer(capacity: Budget.metricSegmentBytes)
  return ring.copy(1, into: buffer.bytes).map { Array(buffer.bytes[..<$0]) } ?? []
}()

/// Samples that wait on flash, damaged by the input after what names their format: what comes of them fits a request,
/// and the queue goes on.
func checkSamples(_ bytes: [UInt8]) {
  guard let ring = try? SampleRing(), let batch = try? SampleBatch(), let snappy = try? SnappyEncoder() else { return }
  var damaged = segment
  // Three bytes of input change one: its place, and its value.
  for index in stride(from: 0, to: bytes.count - 2, by: 3) {
    let place = 6 + (Int(bytes[index]) << 8 | Int(bytes[index + 1])) % (damaged.count - 6)
    damaged[place] = bytes[index + 2]
  }
  damaged.withUnsafeBufferPointer { ring.restore($0, at: 1) }
  ring.begin(first: UInt64(bytes.last ?? 0) % 4, consumed: Int(bytes.first ?? 0))
  var values = MetricValues()
  values.set(.uptime, 1.0)
  let isTaken = ring.append(values, at: 1_900_000_000_000, isDated: true)
  expect(ring.count >= 1 || !isTaken, "an interval is gone")
  let message = FixedBuffer(capacity: Budget.metricRequestBytes)
  let body = FixedBuffer(capacity: SnappyEncoder.bound(Budget.metricRequestBytes))
  var left = ring.count
  while batch.fill(from: ring) {
    var writer = ByteWriter(into: message.bytes)
    _ = WriteRequest(BoardLabels(), MetricTexts()).write(batch, to: &writer)
    let count = writer.count
    expect(count <= message.bytes.count, "a request of \(count) bytes")
    let plain = UnsafeBufferPointer(message.bytes).extracting(0..<count)
    expect(snappy.encode(plain, into: body.bytes) != nil, "no room after compression")
    ring.settle(isDone: true)
    expect(ring.count < left, "nothing was taken")
    left = ring.count
  }
}
