import Runtime

/// The second track of a clip, of Opus packets of one size (Encapsulation of Opus in ISO Base Media File Format,
/// 0.6.8).
struct SoundHeader {
  /// Packets.
  let packets: Int
  /// Pre-skip: ticks of a 48,000th of a second that a decoder drops at the beginning.
  let preSkip: Int
  /// Ticks of the movie, which are `SampleTable.ticksPerSecond` a second.
  let duration: UInt32

  /// Bytes of the track's boxes, which are constant because all packets have one size.
  static let bytes = 494

  /// Packets to decode before sound is correct: 80 ms, as required by the encapsulation's section 4.3.6.2.
  private static let rollPackets = 4

  /// Writes the track; the packets are at `offset` in the file.
  func write(to writer: inout BoxWriter, offset: UInt32) {
    let track = writer.begin("trak")
    writeTrack(&writer)
    writeEdit(&writer)
    let media = writer.begin("mdia")
    writeMedia(&writer)
    let information = writer.begin("minf")
    let sound = writer.beginFull("smhd")
    writer.zeros(4)  // in the middle
    writer.end(sound)
    writer.dataReference()
    let table = writer.begin("stbl")
    writeDescription(&writer)
    writeSamples(&writer, offset)
    writeGroups(&writer)
    writer.end(table)
    writer.end(information)
    writer.end(media)
    writer.end(track)
  }

  private func writeTrack(_ writer: inout BoxWriter) {
    let box = writer.beginFull("tkhd", flags: 3)  // enabled, in the movie
    writer.zeros(8)
    writer.word(2)
    writer.zeros(4)
    writer.word(duration)
    writer.zeros(12)
    writer.short(0x0100)  // volume 1
    writer.zeros(2)
    writer.plainMatrix()
    writer.zeros(8)  // no picture
    writer.end(box)
  }

  /// The edit list skips the pre-skip.
  private func writeEdit(_ writer: inout BoxWriter) {
    let edits = writer.begin("edts")
    let list = writer.beginFull("elst")
    writer.word(1)
    writer.word(duration)
    writer.word(UInt32(preSkip))
    writer.word(0x0001_0000)  // rate 1
    writer.end(list)
    writer.end(edits)
  }

  private func writeMedia(_ writer: inout BoxWriter) {
    let head = writer.beginFull("mdhd")
    writer.zeros(8)
    writer.word(UInt32(ClipSound.ticksPerSecond))
    writer.word(UInt32(packets) * UInt32(ClipSound.packetTicks))
    writer.short(0x55C4)  // language "und"
    writer.short(0)
    writer.end(head)
    writer.handler("soun")
  }

  /// `stsd` with one `Opus` and its `dOps` (sections 4.3.1 and 4.3.2).
  private func writeDescription(_ writer: inout BoxWriter) {
    let description = writer.beginFull("stsd")
    writer.word(1)
    let entry = writer.begin("Opus")
    writer.zeros(6)
    writer.short(1)
    writer.zeros(8)
    writer.short(1)  // channel
    writer.short(16)  // bits
    writer.zeros(4)
    writer.word(UInt32(ClipSound.ticksPerSecond) << 16)
    let specific = writer.begin("dOps")
    writer.byte(0)  // version
    writer.byte(1)  // channel
    writer.short(preSkip)
    writer.word(UInt32(ClipSound.rate))
    writer.short(0)  // gain
    writer.byte(0)  // one channel, or two
    writer.end(specific)
    writer.end(entry)
    writer.end(description)
  }

  /// The tables. All packets are contiguous: one chunk.
  private func writeSamples(_ writer: inout BoxWriter, _ offset: UInt32) {
    let durations = writer.beginFull("stts")
    writer.word(1)
    writer.word(UInt32(packets))
    writer.word(UInt32(ClipSound.packetTicks))
    writer.end(durations)
    let chunks = writer.beginFull("stsc")
    writer.word(1)
    writer.word(1)
    writer.word(UInt32(packets))
    writer.word(1)
    writer.end(chunks)
    let sizes = writer.beginFull("stsz")
    writer.word(UInt32(Budget.clipPacketBytes))
    writer.word(UInt32(packets))
    writer.end(sizes)
    let offsets = writer.beginFull("stco")
    writer.word(1)
    writer.word(offset)
    writer.end(offsets)
  }

  /// `sgpd` and `sbgp`: how many packets earlier a player must start for correct sound.
  private func writeGroups(_ writer: inout BoxWriter) {
    let description = writer.begin("sgpd")
    writer.word(0x0100_0000)  // version 1
    writer.code("roll")
    writer.word(2)  // bytes of an entry
    writer.word(1)
    writer.short(-Self.rollPackets)
    writer.end(description)
    let groups = writer.beginFull("sbgp")
    writer.code("roll")
    writer.word(1)
    writer.word(UInt32(packets))
    writer.word(1)
    writer.end(groups)
  }
}
