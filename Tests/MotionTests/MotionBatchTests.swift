import Motion
import Runtime
import Testing

@Suite struct MotionBatchTests {
  @Test func aSampleTooManyMakesAGap() {
    let batch = MotionBatch()
    let sample = MotionSample(acceleration: Vector3(0, 0, 1))
    for _ in 0..<Budget.motionBatchSamples { batch.append(sample) }
    #expect(!batch.hasGap)
    batch.append(sample)
    #expect(batch.hasGap)
    #expect(batch.count == Budget.motionBatchSamples)
    batch.clear()
    #expect(batch.count == 0)
    #expect(!batch.hasGap)
  }
}
