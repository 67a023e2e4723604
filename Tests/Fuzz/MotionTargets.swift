import Codec

@testable import Motion

/// Records of the motion history and of a sensor's calibration: what is taken is written as the same bytes, and every
/// window over it has an answer.
func checkMotionHistory(_ bytes: [UInt8]) {
  let day = MotionDay()
  bytes.withUnsafeBufferPointer { record in
    if day.decode(record) {
      checkAgain(day, bytes)
      checkAnswers(day)
    } else {
      expect(day.number == nil && day.spanCount == 0, "half a day is left of a bad record")
    }
    guard let calibration = MotionCalibration(record) else { return }
    var again = [UInt8](repeating: 0, count: MotionCalibration.encodedBytes)
    again.withUnsafeMutableBufferPointer { calibration.encode(into: $0) }
    expect(again == bytes, "a calibration changes when it is read")
  }
}

private func checkAgain(_ day: MotionDay, _ bytes: [UInt8]) {
  var again = [UInt8](repeating: 0, count: MotionDay.recordBytes)
  let count = again.withUnsafeMutableBufferPointer { day.encode(into: $0) }
  expect(Array(again[..<count]) == bytes, "a day changes when it is read")
}

private func checkAnswers(_ day: MotionDay) {
  let history = MotionHistory()
  var bytes = [UInt8](repeating: 0, count: MotionDay.recordBytes)
  let count = bytes.withUnsafeMutableBufferPointer { day.encode(into: $0) }
  bytes.withUnsafeBufferPointer { record in
    _ = history.days[3].decode(UnsafeBufferPointer(rebasing: record[..<count]))
  }
  let begin = day.number! * MotionDay.milliseconds
  let end = begin + MotionDay.milliseconds
  let steps = (0..<MotionDay.minutes).reduce(0) { $0 + day.minute($1).steps }
  expect(history.pedometer(begin, end).steps == steps, "steps are lost")
  let half = begin + MotionDay.milliseconds / 2
  let parts = history.pedometer(begin, half).steps + history.pedometer(half, end).steps
  expect(parts == steps, "\(parts) of \(steps) steps")
  var intervals = 0
  history.activities(begin, end, limit: 1000) { interval in
    expect(begin <= interval.start && interval.start < interval.end && interval.end <= end, "\(interval)")
    intervals += 1
  }
  expect(intervals <= day.spanCount, "\(intervals) of \(day.spanCount) activities")
  // Life goes on with what was read, whatever it was.
  let news = MotionUpdate(steps: 3, distance: 2, reading: ActivityReading(.walking, .high))
  for second in 0..<3 {
    history.add(news, wall: half + Int64(second) * 1000, monotonic: Int64(second) * 1000)
  }
  let room = steps + 9 <= 255 * MotionDay.minutes
  expect(!room || history.pedometer(begin, end).steps == steps + 9, "steps are lost behind a record")
}

/// Parameters of the motion commands: what is taken is a window of time.
func checkMotionWindow(_ bytes: [UInt8]) {
  guard (try? JSONValidator.check(bytes.span, depthLimit: 32)) != nil else { return }
  do throws(MotionError) {
    let window = try MotionWindow(JSONView(bytes.span), now: 1_782_909_296_789)
    expect(window.start <= window.end && (1...1000).contains(window.limit), "\(window)")
    let text = ISO8601(unixMilliseconds: window.start)
    expect(ISO8601.unixMilliseconds(in: text.text) == window.start, "a moment that cannot be written")
  } catch {
    expect("\(error.wire.code)" == "INVALID_REQUEST", "refused as \(error.wire.code)")
  }
}
