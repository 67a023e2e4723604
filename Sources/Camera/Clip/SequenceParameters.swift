/// The sequence parameter set of a stream (ITU-T H.264 clause 7.3.2.1.1), as far as a file needs it. The part after the
/// picture's size (clause E.1) is not parsed: players read it in the set itself.
public struct SequenceParameters: Equatable, Sendable {
  /// `profile_idc`, the constraint flags and `level_idc`, as in the set.
  public private(set) var profile: UInt8 = 0, constraints: UInt8 = 0, level: UInt8 = 0
  /// Pixels of the picture across and down, cropping applied.
  public private(set) var width = 0, height = 0
  /// True when every picture is a whole frame; false when two fields may make one.
  public private(set) var isFramesOnly = true

  private static let baseline: UInt8 = 66, main: UInt8 = 77, high: UInt8 = 100
  /// Longest side of a picture in macroblocks: level 6.2 has 139,264 in all, and none longer than this (A.3.1).
  private static let sideBlocks: UInt32 = 1055

  /// Reads a unit of kind 7.
  init(_ unit: UnsafeBufferPointer<UInt8>) throws(ClipError) {
    guard unit.count >= 5, unit[0] & 31 == UnitKind.sequenceParameters else { throw .brokenParameters }
    (profile, constraints, level) = (unit[1], unit[2], unit[3])
    guard profile == Self.baseline || profile == Self.main || profile == Self.high else { throw .unsupportedProfile }
    var reader = BitReader(unit, from: 4)
    guard reader.unsigned() <= 31 else { throw .brokenParameters }
    if profile == Self.high { try Self.readHigh(&reader) }
    guard reader.unsigned() <= 12 else { throw .brokenParameters }  // log2_max_frame_num_minus4
    try Self.skipOrder(&reader)
    guard reader.unsigned() <= 16 else { throw .brokenParameters }  // max_num_ref_frames
    _ = reader.bit()  // gaps_in_frame_num_value_allowed_flag
    try readSize(&reader)
    guard !reader.isBroken else { throw .brokenParameters }
  }

  /// The chroma format of the high profile: only 4:2:0, because gray does not play everywhere.
  private static func readHigh(_ reader: inout BitReader) throws(ClipError) {
    let chroma = reader.unsigned()
    guard chroma == 1, reader.unsigned() == 0, reader.unsigned() == 0 else {
      throw reader.isBroken || chroma > 3 ? .brokenParameters : .unsupportedProfile
    }
    _ = reader.bit()  // qpprime_y_zero_transform_bypass_flag
    guard reader.bit() else { return }
    for list in 0..<8 where reader.bit() { skipScalingList(&reader, list < 6 ? 16 : 64) }
  }

  /// Clause 7.3.2.1.1.1.
  private static func skipScalingList(_ reader: inout BitReader, _ count: Int) {
    var (last, next): (Int64, Int64) = (8, 8)
    for _ in 0..<count where next != 0 {
      next = (last + reader.signed()) & 255
      if next != 0 { last = next }
    }
  }

  /// The three types of picture order count.
  private static func skipOrder(_ reader: inout BitReader) throws(ClipError) {
    switch reader.unsigned() {
    case 0:
      guard reader.unsigned() <= 12 else { throw .brokenParameters }
    case 1:
      _ = reader.bit()
      _ = reader.signed()
      _ = reader.signed()
      let count = reader.unsigned()
      guard count <= 255 else { throw .brokenParameters }
      for _ in 0..<count { _ = reader.signed() }
    case 2: break
    default: throw .brokenParameters
    }
  }

  private mutating func readSize(_ reader: inout BitReader) throws(ClipError) {
    let (across, down) = (reader.unsigned(), reader.unsigned())
    guard across < Self.sideBlocks, down < Self.sideBlocks else { throw .brokenParameters }
    isFramesOnly = reader.bit()
    if !isFramesOnly { _ = reader.bit() }  // mb_adaptive_frame_field_flag
    _ = reader.bit()  // direct_8x8_inference_flag
    let rows = isFramesOnly ? 1 : 2
    width = (Int(across) + 1) * 16
    height = (Int(down) + 1) * 16 * rows
    guard reader.bit() else { return }
    // Cropping counts chroma samples: pairs of pixels at 4:2:0 (equations 7-19 to 7-22).
    let horizontal = (Int64(reader.unsigned()) + Int64(reader.unsigned())) * 2
    let vertical = (Int64(reader.unsigned()) + Int64(reader.unsigned())) * 2 * Int64(rows)
    guard horizontal < Int64(width), vertical < Int64(height) else { throw .brokenParameters }
    width -= Int(horizontal)
    height -= Int(vertical)
  }
}
