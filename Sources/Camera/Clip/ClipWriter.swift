import Runtime

/// A finished clip in its sink.
public struct Clip: Equatable, Sendable {
  /// Where in the sink the file stands.
  public let range: Range<Int>
  /// Length in microseconds: from the first picture to the end of the last.
  public let duration: Int64
  /// Whether there is a track of sound.
  public let hasSound: Bool
  /// Pictures.
  public let pictures: Int
  /// Pixels across and down, as shown.
  public let width, height: Int
}

/// Makes an MP4 file of H.264 pictures as they come. Pictures go to the sink at once, behind a place that is kept free
/// for the header; that is written last, right before them, so that the file is one piece and starts fast.
///
/// Whatever is refused changes nothing: what came before can still be finished. One clip at a time; made once.
public final class ClipWriter {
  /// What became of an access unit.
  public enum Taken: Equatable, Sendable {
    /// A picture was added.
    case picture(isKeyframe: Bool)
    /// It held only parameter sets, which are kept.
    case parameters
  }

  private var samples = SampleTable()
  private var sets = ParameterSets()
  private let header: ReservedBuffer
  private let sink: any ClipSink
  private var limit = 0
  private var display = ClipDisplay()
  private var lastStep: UInt32 = 0
  private var mediaBytes = 0
  /// True while only a key frame can go on.
  private var needsKeyframe = true
  /// Bytes that the file would have with the picture for which it was `.full`; 0 when it never was.
  private(set) var refusedBytes = 0

  /// Where pictures begin in the sink.
  private static let start = Budget.clipHeaderBytes

  /// A writer into `sink`. Takes memory for the tables; address space for the header.
  public init(sink: any ClipSink) throws(Errno) {
    self.sink = sink
    header = try ReservedBuffer(capacity: Budget.clipHeaderBytes)
  }

  /// Begins a clip, and forgets the one before.
  /// - Parameters:
  ///   - limit: bytes of the whole file; never more than `Budget.clipBytes` or the sink has room for.
  ///   - interval: microseconds that the last picture lasts: those of one picture at the camera's rate.
  ///   - display: how it shall be shown.
  ///   - soundBytes: of the file, what is kept free for its sound; see `SoundTrack.bytes`.
  public func begin(limit: Int, interval: Int64, _ display: ClipDisplay = ClipDisplay(), soundBytes: Int = 0) {
    self.display = display
    refusedBytes = 0
    self.limit = max(0, min(limit, Budget.clipBytes, sink.capacity - Self.start) - soundBytes)
    lastStep = Self.step(interval)
    mediaBytes = 0
    needsKeyframe = true
    samples.clear()
    sets.clear()
  }

  /// Bytes of the file, but for its sound, if it were finished now; 8 more where the last picture lasts longer than an interval.
  public var bytes: Int { mediaBytes + ClipHeader.bytes(rows: samples.bytes(last: lastStep), sets, display) }

  /// Bytes that the next picture may have, whatever its kind and time; 0 when there is no room for any.
  public var room: Int {
    guard samples.count < Budget.clipSamples else { return 0 }
    // A step that no other has costs most.
    return max(0, limit - total(mediaBytes, adding: .max, isKeyframe: true))
  }

  /// Pictures so far.
  public var pictures: Int { samples.count }

  /// Microseconds from the first picture to the last.
  public var elapsed: Int64 { samples.lastTime - samples.firstTime }

  /// Adds an access unit in Annex B form.
  /// - Parameter time: microseconds, on any clock that only goes up.
  public func add(_ unit: UnsafeBufferPointer<UInt8>, at time: Int64) throws(ClipError) -> Taken {
    let found = try AccessUnit(unit, &sets, mayChangeSets: samples.count == 0)
    guard found.hasPicture else { return .parameters }
    guard found.isKeyframe || !needsKeyframe else { throw .missingKeyframe }
    guard samples.count < Budget.clipSamples else { throw .tooManyPictures }
    let step = try samples.count == 0 ? 0 : samples.step(to: time)
    let media = mediaBytes + found.sampleBytes
    let whole = total(media, adding: step, isKeyframe: found.isKeyframe)
    guard whole <= limit else {
      refusedBytes = whole
      throw .full
    }
    try write(unit)
    samples.add(size: found.sampleBytes, time: time, step: step, isKeyframe: found.isKeyframe)
    mediaBytes = media
    needsKeyframe = false
    return .picture(isKeyframe: found.isKeyframe)
  }

  /// Keeps the parameter sets of an access unit whose picture is not wanted; before the first picture alone.
  public func learn(_ unit: UnsafeBufferPointer<UInt8>) throws(ClipError) {
    guard samples.count == 0 else { return }
    _ = try AccessUnit(unit, &sets, mayChangeSets: true)
  }

  /// A picture was lost: what follows leans on it, up to the next key frame, and is refused.
  public func interrupt() { needsKeyframe = true }

  /// Writes the sound, and the header: the file is whole then. One without sound may still go on, and be finished again.
  /// - Parameters:
  ///   - lasting: microseconds that the last picture lasts; nil: an interval.
  ///   - sound: what was heard, within what was kept free for it; nil: there was no microphone.
  public func finish(lasting: Int64? = nil, _ sound: SoundTrack? = nil) throws(ClipError) -> Clip {
    guard samples.count > 0, let sequence = sets.sequence else { throw .noPictures }
    let lastStep = lasting.map { Self.step($0) } ?? self.lastStep
    let ticks = samples.ticks + Int64(lastStep)
    let duration = ticks * 1_000_000 / SampleTable.ticksPerSecond
    let pictures = ClipHeader.bytes(rows: samples.bytes(last: lastStep), sets, display)
    let heard = sound.flatMap { $0.finish(duration: duration) ? $0 : nil }
    let track = heard.map { SoundHeader(packets: $0.count, preSkip: $0.preSkip, duration: UInt32(ticks)) }
    let length = pictures + (track == nil ? 0 : SoundHeader.bytes)
    if let heard { try write(heard.bytes, at: Self.start + mediaBytes) }
    var writer = BoxWriter(into: header.bytes)
    ClipHeader(lastStep: lastStep, mediaBytes: mediaBytes, sound: track, display: display)
      .write(to: &writer, bytes: length, samples, sets, sequence)
    precondition(writer.count == length, "the header is not as long as was reckoned")
    let file = Self.start - length
    defer { header.release() }
    try write(UnsafeBufferPointer(rebasing: header.bytes[..<length]), at: file)
    let isTurned = display.orientation.isTransposed
    return Clip(
      range: file..<Self.start + mediaBytes + (heard?.bytes.count ?? 0), duration: duration, hasSound: heard != nil,
      pictures: samples.count, width: isTurned ? sequence.height : sequence.width,
      height: isTurned ? sequence.width : sequence.height)
  }

  /// Ticks of a picture that lasts so many microseconds.
  private static func step(_ microseconds: Int64) -> UInt32 {
    UInt32(max(1, SampleTable.ticks(min(max(microseconds, 0), Budget.clipGapMicroseconds))))
  }

  private func total(_ media: Int, adding step: UInt32, isKeyframe: Bool) -> Int {
    media + ClipHeader.bytes(rows: samples.bytes(adding: step, isKeyframe: isKeyframe), sets, display)
  }

  /// Writes the units of a picture, which was looked at before, each behind its length.
  private func write(_ unit: UnsafeBufferPointer<UInt8>) throws(ClipError) {
    var offset = Self.start + mediaBytes
    var reader = try UnitReader(unit)
    while let unit = try reader.next() {
      guard AccessUnit.isKept(unit) else { continue }
      var length = UInt32(unit.count).bigEndian
      try withUnsafeBytes(of: &length) { bytes throws(ClipError) in
        try write(bytes.assumingMemoryBound(to: UInt8.self), at: offset)
      }
      try write(unit, at: offset + 4)
      offset += 4 + unit.count
    }
  }

  private func write(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) throws(ClipError) {
    do throws(Errno) { try sink.write(bytes, at: offset) } catch { throw .sink(error) }
  }
}
