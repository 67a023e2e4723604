/// What one access unit holds, checked before any of it is kept.
struct AccessUnit {
  /// Bytes as a sample of a file: each unit behind its length in 4 bytes (ISO/IEC 14496-15, clause 5.3).
  private(set) var sampleBytes = 0
  /// True when decoding can begin here (an IDR picture).
  private(set) var isKeyframe = false
  /// True when there is a picture at all.
  private(set) var hasPicture = false

  private var hasOtherSlices = false

  /// Walks over `bytes` in Annex B form; parameter sets among them are handed to `sets`.
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

  /// What stands in the file: slices, and what improves them. Parameter sets stand in the header, and delimiters and
  /// filling (table 7-1) are for streams.
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
