import Motion
import Runtime

/// A sensor that lies still, as the test turns it, and has new samples each time.
final class StillSensor: MotionSource {
  var up = Vector3(0, 0, 1)
  var jitter: Float = 0

  func open(rate: Float) throws(MotionError) -> MotionFacts {
    MotionFacts(name: InlineText(cutting: "Test sensor"), rate: rate, hasGyroscope: true, memory: 1000)
  }
  func drain(into batch: MotionBatch) throws(MotionError) {
    for index in 0..<25 {
      let shake = index % 2 == 0 ? jitter : -jitter
      batch.append(MotionSample(acceleration: Vector3(up.x + shake, up.y, up.z + shake)))
    }
  }
  func close() {}
}

/// A sensor that feels what a test says.
final class ScriptedSensor: MotionSource {
  var waiting: [MotionSample] = []
  var failure: MotionError?

  func open(rate: Float) throws(MotionError) -> MotionFacts {
    if let failure { throw failure }
    return MotionFacts(name: InlineText(cutting: "Scripted"), rate: 50, hasGyroscope: false, memory: 2_000)
  }

  func drain(into batch: MotionBatch) throws(MotionError) {
    if let failure { throw failure }
    for sample in waiting { batch.append(sample) }
    waiting = []
  }

  func close() {}
}
