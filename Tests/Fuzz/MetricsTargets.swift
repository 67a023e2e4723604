import Codec
import Metrics
import Runtime

/// Samples that wait on flash: whatever is read there, what comes of it fits a request, and the queue goes on.
func checkSamples(_ bytes: [UInt8]) {
  guard let ring = try? SampleRing(), let batch = try? SampleBatch(), let snappy = try? SnappyEncoder() else { return }
  // The first byte says how the rest is cut into segments.
  let pieces = Int(bytes.first ?? 0) % 4 + 1
  let rest = Array(bytes.dropFirst())
  let size = max(rest.count / pieces, 1)
  for piece in 0..<pieces {
    let start = min(piece * size, rest.count)
    rest[start..<min(start + size, rest.count)].withUnsafeBufferPointer { ring.restore($0, at: piece) }
  }
  ring.begin(first: UInt64(bytes.last ?? 0) % 4, consumed: Int(bytes.first ?? 0))
  var values = MetricValues()
  values.set(.uptime, 1.0)
  ring.append(values, at: 1_800_000_000_000, isDated: true)
  expect(ring.count >= 1 || ring.dropped >= 1, "an interval is gone")
  let message = FixedBuffer(capacity: Budget.metricRequestBytes)
  let body = FixedBuffer(capacity: SnappyEncoder.bound(Budget.metricRequestBytes))
  var left = ring.count
  while batch.fill(from: ring) {
    var writer = ByteWriter(into: message.bytes)
    _ = WriteRequest(BoardLabels(), MetricTexts()).write(batch, to: &writer)
    expect(writer.isComplete, "a request of \(writer.count) bytes")
    let plain = UnsafeBufferPointer(message.bytes).extracting(0..<writer.count)
    expect(snappy.encode(plain, into: body.bytes) != nil, "no room after compression")
    ring.settle(isDone: true)
    expect(ring.count < left, "nothing was taken")
    left = ring.count
  }
}
