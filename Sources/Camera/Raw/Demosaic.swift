/// Demosaicing row by row, along the direction in which green changes least (Hamilton and Adams, US patent 5,629,734,
/// expired 2015), and by differences to green, which change slowly, for red and blue.
enum Demosaic {
  /// Samples beyond both ends of a row that the loops read.
  static let margin = 4

  /// A row and those above and below it.
  struct Neighbors {
    let up2, up, here, down, down2: UnsafePointer<UInt16>
  }

  /// Mirrors a row beyond its ends, keeping the color pattern.
  static func mirror(_ row: UnsafeMutablePointer<UInt16>, _ width: Int) {
    for distance in 1...2 {
      row[-distance] = row[distance]
      row[width - 1 + distance] = row[width - 1 - distance]
    }
  }

  /// Green of a row, and the difference of its other color to green. Red or blue are in columns `color`, `color` + 2
  /// and so on.
  static func separate(
    _ rows: Neighbors, color: Int, width: Int, green: UnsafeMutablePointer<Int16>,
    difference: UnsafeMutablePointer<Int16>
  ) {
    let (up2, up, here, down, down2) = (rows.up2, rows.up, rows.here, rows.down, rows.down2)
    for pair in 0..<(width - color + 1) / 2 {
      let x = color &+ 2 &* pair
      let twice = 2 &* Int32(here[x])
      let (left, right) = (Int32(here[x &- 1]), Int32(here[x &+ 1]))
      let (above, below) = (Int32(up[x]), Int32(down[x]))
      let bendAcross = twice &- Int32(here[x &- 2]) &- Int32(here[x &+ 2])
      let bendDown = twice &- Int32(up2[x]) &- Int32(down2[x])
      let changeAcross = abs(left &- right) &+ abs(bendAcross)
      let changeDown = abs(above &- below) &+ abs(bendDown)
      let across = 2 &* (left &+ right) &+ bendAcross
      let along = 2 &* (above &+ below) &+ bendDown
      let first = changeAcross <= changeDown ? across : along
      let second = changeDown <= changeAcross ? along : across
      let value = min(max((first &+ second &+ 4) &>> 3, 0), Int32(Mosaic.white))
      green[x] = Int16(truncatingIfNeeded: value)
      difference[x] = Int16(truncatingIfNeeded: Int32(here[x]) &- value)
    }
    // Extends beyond the ends, for the means below.
    difference[color - 2] = difference[color]
    let end = width + (width - color) % 2
    difference[end] = difference[end - 2]
    let other = 1 - color
    for pair in 0..<(width - other + 1) / 2 {
      let x = other &+ 2 &* pair
      green[x] = Int16(truncatingIfNeeded: here[x])
      difference[x] = (difference[x &- 1] &+ difference[x &+ 1]) &>> 1
    }
  }

  /// Adds a row's green to the differences of its own color, and to the means of those of the rows around it.
  static func join(
    green: UnsafePointer<Int16>, own: UnsafePointer<Int16>, above: UnsafePointer<Int16>,
    below: UnsafePointer<Int16>, width: Int, ownColor: UnsafeMutablePointer<Int16>,
    otherColor: UnsafeMutablePointer<Int16>
  ) {
    for x in 0..<width { ownColor[x] = green[x] &+ own[x] }
    for x in 0..<width { otherColor[x] = green[x] &+ (above[x] &+ below[x]) &>> 1 }
  }

  /// Half the size: each square of four pixels becomes one. Red or blue of the first row are in columns `color`,
  /// `color` + 2 and so on, those of the second row in the other ones.
  static func bin(
    _ first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>, color: Int, count: Int,
    firstColor: UnsafeMutablePointer<Int16>, green: UnsafeMutablePointer<Int16>,
    secondColor: UnsafeMutablePointer<Int16>
  ) {
    let (firstSamples, secondSamples) = (first + color, second + 1 - color)
    let (firstGreen, secondGreen) = (first + 1 - color, second + color)
    for x in 0..<count { firstColor[x] = Int16(truncatingIfNeeded: firstSamples[2 &* x]) }
    for x in 0..<count { secondColor[x] = Int16(truncatingIfNeeded: secondSamples[2 &* x]) }
    for x in 0..<count {
      green[x] = Int16(truncatingIfNeeded: (firstGreen[2 &* x] &+ secondGreen[2 &* x] &+ 1) &>> 1)
    }
  }
}
