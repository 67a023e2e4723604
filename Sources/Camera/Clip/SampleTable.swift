import Runtime

/// Size, time and kind of every picture of a clip, and their bytes in the header.
struct SampleTable: ~Copyable {
  /// Ticks of a second: the usual clock of video, in which common picture rates have a whole number of ticks.
  static let ticksPerSecond: Int64 = 90_000

  private let sizes = UnsafeMutablePointer<UInt32>.allocate(capacity: Budget.clipSamples)
  /// Ticks from each picture to the next; of the last one not yet known.
  private let durations = UnsafeMutablePointer<UInt32>.allocate(capacity: Budget.clipSamples)
  /// Numbers of the key frames, the first picture being 1.
  private let keyframes = UnsafeMutablePointer<UInt32>.allocate(capacity: Budget.clipSamples)
  /// Pictures.
  private(set) var count = 0
  /// Key frames among them.
  private(set) var keyframeCount = 0
  /// Ticks from the first picture to the last.
  private(set) var ticks: Int64 = 0
  /// Runs of equal durations, the last picture left out.
  private var runs = 0
  /// Microseconds of the first picture and of the last.
  private(set) var firstTime: Int64 = 0
  private(set) var lastTime: Int64 = 0

  deinit {
    sizes.deallocate()
    durations.deallocate()
    keyframes.deallocate()
  }

  mutating func clear() { (count, keyframeCount, ticks, runs, firstTime, lastTime) = (0, 0, 0, 0, 0, 0) }

  /// Bytes of one picture.
  func size(_ index: Int) -> UInt32 { sizes[index] }

  /// The number of a key frame.
  func keyframe(_ index: Int) -> UInt32 { keyframes[index] }

  /// Ticks of a time span in microseconds, to the nearest.
  static func ticks(_ microseconds: Int64) -> Int64 { (microseconds * 9 + 50) / 100 }

  /// Ticks from the last picture to one at `time` microseconds; at least 1.
  func step(to time: Int64) throws(ClipError) -> UInt32 {
    guard time > lastTime else { throw .timestampNotIncreasing }
    let (gap, overflow) = time.subtractingReportingOverflow(lastTime)
    guard !overflow, gap <= Budget.clipGapMicroseconds else { throw .timestampGap }
    // Relative to the first picture, so that rounding errors do not add up.
    let step = Self.ticks(time - firstTime) - ticks
    guard step > 0 else { throw .timestampNotIncreasing }
    return UInt32(step)
  }

  /// Bytes of all rows. `last` are the ticks of the last picture.
  func bytes(last: UInt32) -> Int { 8 * rows(last: last) + 4 * count + 4 * keyframeCount }

  /// Bytes of all rows with one more picture, `step` ticks after the last one, of any duration.
  func bytes(adding step: UInt32, isKeyframe: Bool) -> Int {
    var rows = runs + 1
    if count > 0, count == 1 || durations[count - 2] != step { rows += 1 }
    return 8 * rows + 4 * (count + 1) + 4 * (keyframeCount + (isKeyframe ? 1 : 0))
  }

  /// Adds a picture of `size` bytes at `time` microseconds, which is `step` ticks after the last one. There must be
  /// room.
  mutating func add(size: Int, time: Int64, step: UInt32, isKeyframe: Bool) {
    if count == 0 {
      firstTime = time
    } else {
      if count == 1 || durations[count - 2] != step { runs += 1 }
      durations[count - 1] = step
      ticks += Int64(step)
    }
    lastTime = time
    sizes[count] = UInt32(size)
    count += 1
    if isKeyframe {
      keyframes[keyframeCount] = UInt32(count)
      keyframeCount += 1
    }
  }

  /// Ticks of one picture; `last` are those of the last one.
  func duration(_ index: Int, last: UInt32) -> UInt32 { index + 1 == count ? last : durations[index] }

  /// Number of pictures from `index` on with equal durations.
  func runLength(from index: Int, last: UInt32) -> Int {
    var end = index + 1
    while end < count, duration(end, last: last) == duration(index, last: last) { end += 1 }
    return end - index
  }

  /// Rows of the table of durations.
  func rows(last: UInt32) -> Int {
    guard count > 1 else { return count }
    return durations[count - 2] == last ? runs : runs + 1
  }
}
