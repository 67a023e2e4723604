import Runtime

/// A finished clip in its sink.
public struct Clip: Equatable, Sendable {
  /// The offset of the file in the sink.
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

/// Writes an MP4 file of H.264 pictures as they arrive. Pictures are written at once, after space reserved for the
/// header; the header is written last, right before them, so that the file is contiguous and starts fast.
///
/// A refused picture changes nothing: the clip can still be finished. One clip at a time; made once.
public final class ClipWriter {
  /// The result of adding an access unit.
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
  /// True while only a key frame is accepted.
  private var needsKeyframe = true
  /// Bytes of the file with the picture that was refused as `.full`; 0 when none was.
  private(set) var refusedBytes = 0

  /// The offset of the pictures in the sink.
  private static let start = Budget.clipHeaderBytes

  /// A writer into `sink`. Allocates memory for the tables, and reserves address space for the header.
  @export(interface)
  public init(sink: any ClipSink) throws(Errno) {
    self.sink = sink
    header = try ReservedBuffer(capacity: Budget.clipHeaderBytes)
  }

  /// Begins a clip, and drops the previous one.
  /// - Parameters:
  ///   - limit: bytes of the whole file; never more than `Budget.clipBytes` or the sink has room for.
  ///   - interval: duration of the last picture in microseconds: that of one picture at the camera's rate.
  ///   - display: how it is shown.
  ///   - soundBytes: bytes reserved for its sound; see `SoundTrack.bytes`.
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

  /// Bytes of the file without sound, if finished now; 8 more when the last picture is longer than an interval.
  public var bytes: Int { mediaBytes + ClipHeader.bytes(rows: samples.bytes(last: lastStep), sets, display) }

  /// Largest size of the next picture, whatever its kind and time; 0 when there is no room.
  public var room: Int {
    guard samples.count < Budget.clipSamples else { return 0 }
    // A unique duration needs the most bytes.
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

  /// Keeps only the parameter sets of an access unit; before the first picture only.
  public func learn(_ unit: UnsafeBufferPointer<UInt8>) throws(ClipError) {
    guard samples.count == 0 else { return }
    _ = try AccessUnit(unit, &sets, mayChangeSets: true)
  }

  /// A picture was lost: refuses the following ones up to the next key frame, because they depend on it.
  public func interrupt() { needsKeyframe = true }

  /// Writes the sound and the header, which completes the file. A clip without sound may be continued and finished
  /// again.
  /// - Parameters:
  ///   - lasting: duration of the last picture in microseconds; nil: an interval.
  ///   - sound: the sound, within the reserved bytes; nil: none.
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

  /// Ticks of a duration in microseconds.
  private static func step(_ microseconds: Int64) -> UInt32 {
    UInt32(max(1, SampleTable.ticks(min(max(microseconds, 0), Budget.clipGapMicroseconds))))
  }

  private func total(_ media: Int, adding step: UInt32, isKeyframe: Bool) -> Int {
    media + ClipHeader.bytes(rows: samples.bytes(adding: step, isKeyframe: isKeyframe), sets, display)
  }

  /// Writes the units of a checked picture, each after its length.
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
