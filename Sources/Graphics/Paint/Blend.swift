/// Rows of pixels over others. Colors that are laid on are premultiplied 0xAARRGGBB; what they are laid on is opaque.
enum Blend {
  /// A color with its opacity multiplied in.
  @inline(__always)
  static func premultiplied(_ argb: UInt32) -> UInt32 {
    let alpha = argb >> 24
    guard alpha != 255 else { return argb }
    return scaled(argb & 0x00FF_FFFF, by: alpha) & 0x00FF_FFFF | alpha << 24
  }

  /// All four bytes times `factor` / 255, rounded.
  @inline(__always)
  static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
    var low = (pixel & 0x00FF_00FF) &* factor &+ 0x0080_0080
    low = ((low &+ ((low >> 8) & 0x00FF_00FF)) >> 8) & 0x00FF_00FF
    var high = ((pixel >> 8) & 0x00FF_00FF) &* factor &+ 0x0080_0080
    high = (high &+ ((high >> 8) & 0x00FF_00FF)) & 0xFF00_FF00
    return low | high
  }

  /// One over the other.
  @inline(__always)
  static func over(_ source: UInt32, _ target: UInt32) -> UInt32 {
    source &+ scaled(target, by: 255 &- source >> 24)
  }

  // Counts are compared once for a row, in firmware too; the loops then go over plain memory.

  /// One color over a row.
  static func fill(_ row: UnsafeMutableBufferPointer<UInt32>, _ color: UInt32) {
    if color >> 24 == 255 { return row.update(repeating: color) }
    guard color >> 24 != 0 else { return }
    for index in 0..<row.count { row[index] = over(color, row[index]) }
  }

  /// One color over a row, where it is covered.
  static func fill(_ row: UnsafeMutableBufferPointer<UInt32>, _ color: UInt32, _ coverage: UnsafeBufferPointer<UInt8>) {
    precondition(coverage.count >= row.count)
    let isOpaque = color >> 24 == 255
    for index in 0..<row.count {
      let cover = UInt32(coverage[index])
      if cover == 0 { continue }
      if cover == 255, isOpaque {
        row[index] = color
      } else {
        row[index] = over(scaled(color, by: cover), row[index])
      }
    }
  }

  /// A row of colors times `opacity` / 255.
  static func fade(_ colors: UnsafeMutableBufferPointer<UInt32>, _ opacity: UInt32) {
    for index in 0..<colors.count { colors[index] = scaled(colors[index], by: opacity) }
  }

  /// A row of colors over another.
  static func copy(_ row: UnsafeMutableBufferPointer<UInt32>, _ colors: UnsafeBufferPointer<UInt32>) {
    precondition(colors.count >= row.count)
    for index in 0..<row.count { row[index] = over(colors[index], row[index]) }
  }

  /// A row of colors over another, where it is covered.
  static func copy(
    _ row: UnsafeMutableBufferPointer<UInt32>, _ colors: UnsafeBufferPointer<UInt32>,
    _ coverage: UnsafeBufferPointer<UInt8>
  ) {
    precondition(colors.count >= row.count && coverage.count >= row.count)
    for index in 0..<row.count {
      let cover = UInt32(coverage[index])
      if cover == 0 { continue }
      row[index] = over(scaled(colors[index], by: cover), row[index])
    }
  }
}
