import Codec
import Runtime

/// A linear or radial gradient in units of the drawing.
struct VectorGradient {
  enum Kind {
    case linear
    /// From one circle to another.
    case radial
  }
  /// What is beyond its ends (SVG's `spreadMethod`).
  enum Spread { case pad, reflect, repeated }

  struct Stop {
    var offset: Double
    var color: Color
  }

  var kind = Kind.linear
  var spread = Spread.pad
  var (x0, y0, r0) = (0.0, 0.0, 0.0)
  var (x1, y1, r1) = (0.0, 0.0, 0.0)
  /// Between the gradient's own units and those of the drawing.
  var matrix = Matrix.identity

  /// It has no direction: nothing is painted with it (HTML, `createLinearGradient`, `createRadialGradient`).
  var isEmpty: Bool { x0 == x1 && y0 == y1 && (kind == .linear || r0 == r1) }
}

/// Colors along a gradient, and along rows of pixels.
struct GradientPainter {
  /// Colors of the table: more than the 256 levels of a channel, so that no step is seen.
  static let steps = 1024
  private let table: UnsafeMutableBufferPointer<UInt32>
  private var gradient = VectorGradient()
  private var inverse = Matrix.identity

  init() {
    table = .allocate(capacity: Self.steps)
    table.initialize(repeating: 0)
  }

  func free() { table.deallocate() }

  /// Takes a gradient. `matrix` brings the drawing's units into pixels. False when nothing can be painted with it.
  mutating func begin(
    _ gradient: VectorGradient, _ stops: UnsafeBufferPointer<VectorGradient.Stop>, _ matrix: Matrix, alpha: Double
  ) -> Bool {
    guard !gradient.isEmpty, stops.count > 0 else { return false }
    guard let inverse = matrix.applied(after: gradient.matrix).inverse else { return false }
    self.gradient = gradient
    self.inverse = inverse
    var next = 0
    for index in 0..<Self.steps {
      let place = (Double(index) + 0.5) / Double(Self.steps)
      while next < stops.count, stops[next].offset <= place { next += 1 }
      let color: UInt32
      if next == 0 {
        color = stops[0].color.argb
      } else if next == stops.count {
        color = stops[next - 1].color.argb
      } else {
        let (a, b) = (stops[next - 1], stops[next])
        color = Self.mix(a.color.argb, b.color.argb, (place - a.offset) / (b.offset - a.offset))
      }
      table[index] = Blend.premultiplied(Self.faded(color, alpha))
    }
    return true
  }

  private static func faded(_ color: UInt32, _ alpha: Double) -> UInt32 {
    let opacity = UInt32(UInt8(clamping: Double(color >> 24) * alpha + 0.5))
    return color & 0x00FF_FFFF | opacity << 24
  }

  private static func mix(_ from: UInt32, _ to: UInt32, _ share: Double) -> UInt32 {
    var result: UInt32 = 0
    for part in 0..<4 {
      let shift = UInt32(8 * part)
      let (a, b) = (Double((from >> shift) & 255), Double((to >> shift) & 255))
      result |= UInt32(UInt8(clamping: a + (b - a) * share + 0.5)) << shift
    }
    return result
  }

  /// The colors of pixels of a row.
  func row(_ y: Int32, _ x: Int32, into colors: UnsafeMutableBufferPointer<UInt32>) {
    let start = inverse.apply(Double(x) + 0.5, Double(y) + 0.5)
    if gradient.kind == .radial { return circles(start, colors) }
    let (dx, dy) = (gradient.x1 - gradient.x0, gradient.y1 - gradient.y0)
    let scale = 1 / (dx * dx + dy * dy)
    let first = ((start.x - gradient.x0) * dx + (start.y - gradient.y0) * dy) * scale
    let step = (inverse.a * dx + inverse.b * dy) * scale
    for index in 0..<colors.count { colors[index] = color(first + step * Double(index)) }
  }

  /// For each place the largest of the circles that run through it (HTML, step 3 of radial gradients).
  private func circles(_ start: Place, _ colors: UnsafeMutableBufferPointer<UInt32>) {
    let (dx, dy, dr) = (gradient.x1 - gradient.x0, gradient.y1 - gradient.y0, gradient.r1 - gradient.r0)
    let a = dx * dx + dy * dy - dr * dr
    let isFlat = abs(a) < 1e-9 * (dx * dx + dy * dy + dr * dr)
    for index in 0..<colors.count {
      let x = start.x + inverse.a * Double(index) - gradient.x0
      let y = start.y + inverse.b * Double(index) - gradient.y0
      let b = x * dx + y * dy + gradient.r0 * dr
      let c = x * x + y * y - gradient.r0 * gradient.r0
      var found: Double?
      if isFlat {
        if b != 0 { found = c / (2 * b) }
        if let place = found, gradient.r0 + place * dr < 0 { found = nil }
      } else {
        let inside = b * b - a * c
        if inside >= 0 {
          let root = inside.squareRoot()
          let (one, other) = ((b + root) / a, (b - root) / a)
          let (larger, smaller) = (max(one, other), min(one, other))
          if gradient.r0 + larger * dr >= 0 {
            found = larger
          } else if gradient.r0 + smaller * dr >= 0 {
            found = smaller
          }
        }
      }
      colors[index] = found.map { color($0) } ?? 0
    }
  }

  @inline(__always)
  private func color(_ place: Double) -> UInt32 {
    var place = place
    switch gradient.spread {
    case .pad: break
    case .repeated: place -= place.rounded(.down)
    case .reflect:
      place = abs(place.truncatingRemainder(dividingBy: 2))
      if place > 1 { place = 2 - place }
    }
    // No number, too, is the start.
    guard place > 0 else { return table[0] }
    return table[place < 1 ? Int(clamping: place * Double(Self.steps)) : Self.steps - 1]
  }
}
