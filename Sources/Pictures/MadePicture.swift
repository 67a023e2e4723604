import Camera

/// Pictures of many kinds made by arithmetic, the same in every run, for tests and measurements: no photo has to be
/// kept.
public enum MadePicture: String, CaseIterable, Sendable {
  /// Smooth skies: nearly nothing to code.
  case gradient
  /// Every sample on its own: nothing can be foretold of it.
  case noise
  /// Dark lettering on paper.
  case text
  /// Fractal texture, as of leaves: detail at every size.
  case foliage
  /// Fractal texture of soft clouds above fractal ground.
  case landscape
  /// Almost black, with sensor noise and a few lights.
  case night
  /// Straight edges of walls and windows, in flat colors.
  case facade
  /// A smooth picture with sensor noise, as from a small camera indoors.
  case room
  /// Stripes that grow finer to one side.
  case stripes
  /// Half of it empty, half of it full of detail.
  case halves

  /// Y at a place, 0...255; `x` and `y` count pixels of a picture `width` across.
  private func luma(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Double {
    let (u, v) = (Double(x) / Double(width), Double(y) / Double(width))
    switch self {
    case .gradient: return 40 + 160 * u + 40 * v
    case .noise: return Double(Lattice.hash(x, y, 1) & 255)
    case .text: return Self.isInk(x, y) ? 28 : 236
    case .foliage: return 118 + 150 * Lattice.fractal(u * 24, v * 24, octaves: 7, gain: 0.72)
    case .landscape:
      let horizon = 0.3 + 0.08 * Lattice.fractal(u * 5, 3, octaves: 4, gain: 0.5)
      return v < horizon
        ? 190 + 50 * Lattice.fractal(u * 4, v * 9, octaves: 5, gain: 0.45)
        : 96 + 130 * Lattice.fractal(u * 30, v * 60, octaves: 6, gain: 0.62)
    case .night:
      let light = Lattice.hash(x / 24, y / 24, 5) % 97 == 0 ? 170.0 : 0
      return 14 + light + 7 * Lattice.grain(x, y, 2)
    case .facade:
      let isWindow = x % 120 > 36 && x % 120 < 92 && y % 160 > 40 && y % 160 < 128
      return (isWindow ? 50 : 172) + Double(Lattice.hash(x / 120, y / 160, 3) & 31)
    case .room:
      return 128 + 70 * Lattice.fractal(u * 3, v * 3, octaves: 4, gain: 0.5) + 5 * Lattice.grain(x, y, 4)
    case .stripes: return 128 + 100 * (Int(u * u * 300 * 2) % 2 == 0 ? 1 : -1)
    case .halves:
      return 2 * y < height ? 210 : 128 + 160 * Lattice.fractal(u * 60, v * 60, octaves: 6, gain: 0.8)
    }
  }

  /// Cb or Cr at a place.
  private func chroma(_ x: Int, _ y: Int, _ width: Int, _ seed: Int) -> Double {
    let (u, v) = (Double(x) / Double(width), Double(y) / Double(width))
    switch self {
    case .noise: return Double(Lattice.hash(x, y, seed) & 255)
    case .text: return 128
    case .night, .room: return 128 + 3 * Lattice.grain(x, y, seed) + 12 * (u - 0.5)
    case .facade: return 112 + Double(Lattice.hash(x / 120, y / 160, seed) & 31)
    default: return 128 + 50 * Lattice.fractal(u * 8, v * 8 + Double(seed), octaves: 4, gain: 0.5)
    }
  }

  /// Draws the picture into `image`.
  public func draw(into image: PlanarImage) {
    let (across, down) = image.chroma.ratio
    fill(image.luma) { self.luma($0, $1, image.width, image.height) }
    fill(image.blue) { self.chroma($0 * across, $1 * down, image.width, 11) }
    fill(image.red) { self.chroma($0 * across, $1 * down, image.width, 12) }
  }

  private func fill(_ plane: Plane, _ value: (Int, Int) -> Double) {
    for y in 0..<plane.height {
      let row = plane.base + y * plane.rowBytes
      for x in 0..<plane.width { row[x] = UInt8(min(max(value(x, y), 0), 255)) }
      for x in plane.width..<max(plane.rowBytes, plane.width) { row[x] = row[plane.width - 1] }
    }
  }

  /// Lines of made-up letters, eight pixels across and sixteen down.
  private static func isInk(_ x: Int, _ y: Int) -> Bool {
    let (column, line) = (x / 9, y / 20)
    let isBlank = line % 9 == 8 || Lattice.hash(column, line, 6) % 6 == 0 || column % 90 > 80
    guard !isBlank, x % 9 < 7, y % 20 < 14 else { return false }
    return Lattice.hash(column * 64 + x % 9 / 2, line * 64 + y % 20 / 3, 7) % 5 < 2
  }
}

/// Value noise on a lattice.
enum Lattice {
  /// A number that looks random and depends on the place alone.
  static func hash(_ x: Int, _ y: Int, _ seed: Int) -> UInt32 {
    var value = UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
    value ^= UInt32(truncatingIfNeeded: seed) &* 0xC2B2_AE3D
    value = (value ^ value >> 15) &* 0x2C1B_3C6D
    value = (value ^ value >> 12) &* 0x297A_2D39
    return value ^ value >> 15
  }

  /// Noise about 0 with a bell's shape and a spread of about 1.
  static func grain(_ x: Int, _ y: Int, _ seed: Int) -> Double {
    let bits = hash(x, y, seed)
    let sum = (bits & 255) + (bits >> 8 & 255) + (bits >> 16 & 255) + bits >> 24
    return (Double(sum) - 510) / 148
  }

  /// Octaves of noise on each other, each twice as fine and weaker by `gain`; about -0.7...0.7.
  static func fractal(_ x: Double, _ y: Double, octaves: Int, gain: Double) -> Double {
    var (sum, weight, scale, total) = (0.0, 1.0, 1.0, 0.0)
    for octave in 0..<octaves {
      sum += weight * smooth(x * scale, y * scale, octave)
      total += weight
      weight *= gain
      scale *= 2
    }
    return sum / total * 1.6
  }

  private static func smooth(_ x: Double, _ y: Double, _ seed: Int) -> Double {
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (u, v) = (ease(x - Double(left)), ease(y - Double(top)))
    func corner(_ dx: Int, _ dy: Int) -> Double { Double(hash(left + dx, top + dy, seed) & 0xFFFF) / 65535 - 0.5 }
    let upper = corner(0, 0) * (1 - u) + corner(1, 0) * u
    let lower = corner(0, 1) * (1 - u) + corner(1, 1) * u
    return upper * (1 - v) + lower * v
  }

  private static func ease(_ part: Double) -> Double { part * part * (3 - 2 * part) }
}
