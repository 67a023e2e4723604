/// The contents of one access unit, checked before any of it is kept.
struct AccessUnit {
  /// Bytes as a sample of a file: each unit after its length in 4 bytes (ISO/IEC 14496-15, clause 5.3).
  private(set) var sampleBytes = 0
  /// True when decoding can begin here (an IDR picture).
  private(set) var isKeyframe = false
  /// True when there is a picture at all.
  private(set) var hasPicture = false

  private var hasOtherSlices = false

  /// Parses `bytes` in Annex B format; passes parameter sets to `sets`.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, _ sets: inout ParameterSets, mayChangeSets: Bool
  ) throws(ClipError) {
    var reader = try UnitReader(bytes)
    var hasSets = false
    while let unit = try reader.next() {
      switch unit[0] & 31 {
      case UnitKind.sequenceParameters:
        try sets.takeSequence(unit, mayChange: mayChangeSets)
        hasSets = true
      case UnitKind.pictureParameters:
        try sets.takePicture(unit, mayChange: mayChangeSets)
        hasSets = true
      case UnitKind.slice, UnitKind.keySlice: try takeSlice(unit, sets)
      case UnitKind.partitions: throw .unsupportedProfile
      default: break
      }
      if Self.isKept(unit) { sampleBytes += 4 + unit.count }
    }
    guard hasPicture || hasSets else { throw .emptyUnit }
    guard !isKeyframe || !hasOtherSlices else { throw .brokenUnit }
  }

  /// The units of the file: slices and supplemental information. Parameter sets are in the header; delimiters and
  /// filler (table 7-1) are only for streams.
  static func isKept(_ unit: UnsafeBufferPointer<UInt8>) -> Bool {
    let kind = unit[0] & 31
    return kind == UnitKind.slice || kind == UnitKind.keySlice || kind == UnitKind.enhancement
  }

  /// Clause 7.3.3: where the slice begins, its type, and its picture parameter set.
  private mutating func takeSlice(_ unit: UnsafeBufferPointer<UInt8>, _ sets: borrowing ParameterSets) throws(ClipError)
  {
    var reader = BitReader(unit, from: 1)
    let (first, type, set) = (reader.unsigned(), reader.unsigned(), reader.unsigned())
    guard !reader.isBroken, type <= 9, set <= 255 else { throw .brokenUnit }
    guard let sequence = sets.sequence, sets.hasPictureSet(set) else { throw .missingParameters }
    if type % 5 == 1 { throw .reordered }
    if first == 0 {
      // The second field of a frame begins at 0 as well.
      guard !hasPicture || !sequence.isFramesOnly else { throw .severalPictures }
    } else if !hasPicture {
      throw .brokenUnit
    }
    hasPicture = true
    if unit[0] & 31 == UnitKind.keySlice { isKeyframe = true } else { hasOtherSlices = true }
  }
}
