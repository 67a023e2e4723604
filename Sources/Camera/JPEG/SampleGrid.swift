/// One component of a picture, packed or planar, for reading.
struct SampleGrid {
  let base: UnsafePointer<UInt8>
  /// Bytes from one sample to the next.
  let step: Int
  /// Bytes from one row to the next.
  let rowBytes: Int
  /// Samples across and down.
  let width, height: Int
}
