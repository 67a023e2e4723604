import Runtime

/// How a player shows the pictures of a clip.
public struct ClipDisplay: Equatable, Sendable {
  /// The orientation, applied by the player.
  public var orientation = Orientation()
  /// The range of Y, Cb and Cr, as in `VideoFormat`, with the colors of JPEG; nil: described by the stream.
  public var isFullRange: Bool?

  /// Pictures; see the properties.
  public init(orientation: Orientation = Orientation(), isFullRange: Bool? = nil) {
    self.orientation = orientation
    self.isFullRange = isFullRange
  }
}

/// Everything before the pictures of a clip: `ftyp`, `moov` and the head of `mdat` (ISO/IEC 14496-12 and -15). It comes
/// first, so that a player can start before it has the whole file.
struct ClipHeader {
  /// Ticks of the last picture.
  let lastStep: UInt32
  /// Bytes of all pictures.
  let mediaBytes: Int
  /// The packets after them; nil: there is no sound.
  var sound: SoundHeader?
  let display: ClipDisplay

  /// Bytes of the boxes without the rows of their tables and the parameter sets.
  private static let fixedBytes = 618
  /// Additional bytes of `avcC` for the high profile.
  private static let highBytes = 4
  /// `colr`.
  private static let colorBytes = 19

  /// Bytes of a header whose rows take `rows`.
  static func bytes(rows: Int, _ sets: borrowing ParameterSets, _ display: ClipDisplay) -> Int {
    let high = sets.sequence?.profile == 100 ? highBytes : 0
    let color = display.isFullRange == nil ? 0 : colorBytes
    return fixedBytes + high + color + rows + sets.bytes + 2 * (sets.pictureSets + 1)
  }

  /// Writes the header for these pictures, which follow after its length, `bytes`, with the sound's track included.
  func write(
    to writer: inout BoxWriter, bytes: Int, _ samples: borrowing SampleTable, _ sets: borrowing ParameterSets,
    _ sequence: SequenceParameters
  ) {
    writeType(&writer)
    let movie = writer.begin("moov")
    writeMovie(&writer, samples)
    let track = writer.begin("trak")
    writeTrack(&writer, samples, sequence)
    let media = writer.begin("mdia")
    writeMedia(&writer, samples)
    let information = writer.begin("minf")
    writeInformation(&writer)
    let table = writer.begin("stbl")
    writeDescription(&writer, sets, sequence)
    writeSamples(&writer, samples, offset: UInt32(bytes))
    writer.end(table)
    writer.end(information)
    writer.end(media)
    writer.end(track)
    sound?.write(to: &writer, offset: UInt32(bytes + mediaBytes))
    writer.end(movie)
    writer.word(UInt32(8 + mediaBytes + (sound?.packets ?? 0) * Budget.clipPacketBytes))
    writer.code("mdat")
  }

  private func duration(_ samples: borrowing SampleTable) -> UInt32 { UInt32(samples.ticks) + lastStep }

  private func writeType(_ writer: inout BoxWriter) {
    let box = writer.begin("ftyp")
    writer.code("isom")
    writer.word(512)
    writer.code("isom")
    writer.code("iso2")
    writer.code("avc1")
    writer.code("mp41")
    writer.end(box)
  }

  private func writeMovie(_ writer: inout BoxWriter, _ samples: borrowing SampleTable) {
    let box = writer.beginFull("mvhd")
    writer.zeros(8)  // made and changed: a board may not know the date
    writer.word(UInt32(SampleTable.ticksPerSecond))
    writer.word(duration(samples))
    writer.word(0x0001_0000)  // rate 1
    writer.short(0x0100)  // volume 1
    writer.zeros(10)
    writer.plainMatrix()
    writer.zeros(24)
    writer.word(sound == nil ? 2 : 3)  // next track
    writer.end(box)
  }

  private func writeTrack(
    _ writer: inout BoxWriter, _ samples: borrowing SampleTable, _ sequence: SequenceParameters
  ) {
    let box = writer.beginFull("tkhd", flags: 3)  // enabled, in the movie
    writer.zeros(8)
    writer.word(1)
    writer.zeros(4)
    writer.word(duration(samples))
    writer.zeros(16)  // layer, group and volume of a picture: 0
    writeMatrix(&writer, display.orientation, width: sequence.width, height: sequence.height)
    writer.word(UInt32(sequence.width) << 16)
    writer.word(UInt32(sequence.height) << 16)
    writer.end(box)
  }

  /// The transformation of a pixel of the coded picture, `width` x `height`: x = a x + c y + x0, y = b x + d y + y0, in
  /// the order a b 0 c d 0 x0 y0 1 (clause 8.3.2; fixed point with 16 bits after it, 30 for the last).
  private func writeMatrix(_ writer: inout BoxWriter, _ orientation: Orientation, width: Int, height: Int) {
    let one: UInt32 = 0x0001_0000, minusOne: UInt32 = 0xFFFF_0000
    let (across, down) = (orientation.isMirrored ? minusOne : one, orientation.isFlipped ? minusOne : one)
    let isTransposed = orientation.isTransposed
    let (shownWidth, shownHeight) = isTransposed ? (height, width) : (width, height)
    writer.word(isTransposed ? 0 : across)
    writer.word(isTransposed ? down : 0)
    writer.word(0)
    writer.word(isTransposed ? across : 0)
    writer.word(isTransposed ? 0 : down)
    writer.word(0)
    writer.word(orientation.isMirrored ? UInt32(shownWidth) << 16 : 0)
    writer.word(orientation.isFlipped ? UInt32(shownHeight) << 16 : 0)
    writer.word(0x4000_0000)
  }

  private func writeMedia(_ writer: inout BoxWriter, _ samples: borrowing SampleTable) {
    let head = writer.beginFull("mdhd")
    writer.zeros(8)
    writer.word(UInt32(SampleTable.ticksPerSecond))
    writer.word(duration(samples))
    writer.short(0x55C4)  // language "und"
    writer.short(0)
    writer.end(head)
    writer.handler("vide")
  }

  private func writeInformation(_ writer: inout BoxWriter) {
    let video = writer.beginFull("vmhd", flags: 1)
    writer.zeros(8)
    writer.end(video)
    writer.dataReference()
  }

  /// `stsd` with one `avc1` and its `avcC` (ISO/IEC 14496-15, clauses 5.3.3 and 5.4.2).
  private func writeDescription(
    _ writer: inout BoxWriter, _ sets: borrowing ParameterSets, _ sequence: SequenceParameters
  ) {
    let description = writer.beginFull("stsd")
    writer.word(1)
    let entry = writer.begin("avc1")
    writer.zeros(6)
    writer.short(1)
    writer.zeros(16)
    writer.short(sequence.width)
    writer.short(sequence.height)
    writer.word(0x0048_0000)  // 72 pixels an inch, both ways
    writer.word(0x0048_0000)
    writer.zeros(4)
    writer.short(1)
    writer.zeros(32)  // name of the encoder
    writer.short(24)
    writer.short(-1)
    let configuration = writer.begin("avcC")
    writer.byte(1)
    writer.byte(sequence.profile)
    writer.byte(sequence.constraints)
    writer.byte(sequence.level)
    writer.byte(0xFF)  // lengths of 4 bytes
    writer.byte(0xE1)
    writeSet(&writer, sets.set(0))
    writer.byte(UInt8(sets.pictureSets))
    for index in 0..<sets.pictureSets { writeSet(&writer, sets.set(index + 1)) }
    if sequence.profile == 100 { writer.word(0xFDF8_F800) }  // 4:2:0, 8 bits, no extension
    writer.end(configuration)
    if let isFullRange = display.isFullRange { writeColor(&writer, isFullRange) }
    writer.end(entry)
    writer.end(description)
  }

  /// `colr` (ISO/IEC 14496-12, clause 12.1.5), for encoders whose stream does not have it: primaries and curve of
  /// BT.709 as sRGB has them, the matrix of BT.601 as JPEG has it (ITU-T H.273).
  private func writeColor(_ writer: inout BoxWriter, _ isFullRange: Bool) {
    let color = writer.begin("colr")
    writer.code("nclx")
    writer.short(1)
    writer.short(1)
    writer.short(6)
    writer.byte(isFullRange ? 0x80 : 0)
    writer.end(color)
  }

  private func writeSet(_ writer: inout BoxWriter, _ set: UnsafeBufferPointer<UInt8>) {
    writer.short(set.count)
    writer.bytes(set)
  }

  /// The tables. All pictures are contiguous: one chunk.
  private func writeSamples(_ writer: inout BoxWriter, _ samples: borrowing SampleTable, offset: UInt32) {
    writeDurations(&writer, samples)
    let keyframes = writer.beginFull("stss")
    writer.word(UInt32(samples.keyframeCount))
    for index in 0..<samples.keyframeCount { writer.word(samples.keyframe(index)) }
    writer.end(keyframes)
    let chunks = writer.beginFull("stsc")
    writer.word(1)
    writer.word(1)
    writer.word(UInt32(samples.count))
    writer.word(1)
    writer.end(chunks)
    let sizes = writer.beginFull("stsz")
    writer.word(0)
    writer.word(UInt32(samples.count))
    for index in 0..<samples.count { writer.word(samples.size(index)) }
    writer.end(sizes)
    let offsets = writer.beginFull("stco")
    writer.word(1)
    writer.word(offset)
    writer.end(offsets)
  }

  private func writeDurations(_ writer: inout BoxWriter, _ samples: borrowing SampleTable) {
    let box = writer.beginFull("stts")
    writer.word(UInt32(samples.rows(last: lastStep)))
    var index = 0
    while index < samples.count {
      let pictures = samples.runLength(from: index, last: lastStep)
      writer.word(UInt32(pictures))
      writer.word(samples.duration(index, last: lastStep))
      index += pictures
    }
    writer.end(box)
  }
}
