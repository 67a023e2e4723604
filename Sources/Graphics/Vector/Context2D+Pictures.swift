import Codec
import Runtime

extension Context2D {
  /// Draws a part of a picture (premultiplied 0xAARRGGBB, rows without gaps) into a rectangle; a script that gives no
  /// part passes all of it, and the picture's own size when it gives no size.
  public func drawImage(
    _ picture: UnsafeBufferPointer<UInt32>, _ size: Size, _ sx: Double, _ sy: Double, _ sw: Double, _ sh: Double,
    _ dx: Double, _ dy: Double, _ dw: Double, _ dh: Double
  ) {
    guard sx.isFinite, sy.isFinite, sw.isFinite, sh.isFinite, dx.isFinite, dy.isFinite, dw.isFinite, dh.isFinite,
      sw != 0, sh != 0, dw != 0, dh != 0, size.width > 0, size.height > 0,
      picture.count >= Int(size.width) * Int(size.height), let pixels = picture.baseAddress
    else { return }
    // Turned the right way round, then cut off at the picture's edges, and what it is drawn into by the same share.
    let left = max(min(sx, sx + sw), 0), right = min(max(sx, sx + sw), Double(size.width))
    let top = max(min(sy, sy + sh), 0), bottom = min(max(sy, sy + sh), Double(size.height))
    guard left < right, top < bottom else { return }
    let map = Matrix(abs(dw) / abs(sw), 0, 0, abs(dh) / abs(sh), 0, 0)
    let x = min(dx, dx + dw) + (left - min(sx, sx + sw)) * map.a
    let y = min(dy, dy + dh) + (top - min(sy, sy + sh)) * map.d
    let place = Matrix(map.a, 0, 0, map.d, x - left * map.a, y - top * map.d)
    guard let inverse = state.matrix.applied(after: place).inverse else { return }
    sampler.begin(
      pixels, size, (left, top, right, bottom), inverse, alpha: state.alpha, isSmooth: state.isSmoothing)
    scratch.removeAll()
    add(rectangle: x, y, (right - left) * map.a, (bottom - top) * map.d, to: scratch)
    guard !begin(scratch.bounds()).isEmpty else { return }
    converter.add(scratch, count: scratch.count)
    finish(.row(.picture), evenOdd: false)
  }
}

/// Gives the colors of pixels from a picture that lies under them, turned and scaled.
struct PictureSampler {
  private var pixels: UnsafePointer<UInt32>?
  private var width = 0
  /// The part that may be seen: of its pixels, the first and the last.
  private var (left, top, right, bottom) = (0, 0, 0, 0)
  private var inverse = Matrix.identity
  /// Samples of one pixel, across and down: one that stands for several of the picture has their average.
  private var (across, down) = (1, 1)
  private var isSmooth = true
  private var isExact = false
  private var alpha: UInt32 = 255

  /// Takes a picture; `inverse` brings places of the drawing's pixels to those of the picture's.
  mutating func begin(
    _ pixels: UnsafePointer<UInt32>, _ size: Size, _ part: (left: Double, top: Double, right: Double, bottom: Double),
    _ inverse: Matrix, alpha: Double, isSmooth: Bool
  ) {
    self.pixels = pixels
    width = Int(size.width)
    (left, top) = (Int(clamping: part.left), Int(clamping: part.top))
    right = max(Int(clamping: part.right.rounded(.up)) - 1, left)
    bottom = max(Int(clamping: part.bottom.rounded(.up)) - 1, top)
    self.inverse = inverse
    self.alpha = UInt32(UInt8(clamping: alpha * 255 + 0.5))
    self.isSmooth = isSmooth
    isExact =
      inverse.a == 1 && inverse.b == 0 && inverse.c == 0 && inverse.d == 1 && inverse.e == inverse.e.rounded()
      && inverse.f == inverse.f.rounded()
    across = Self.samples(inverse.a, inverse.b)
    down = Self.samples(inverse.c, inverse.d)
  }

  private static func samples(_ x: Double, _ y: Double) -> Int {
    Int(clamping: ((x * x + y * y).squareRoot() - 0.01).rounded(.up).bounded(1, Double(Budget.pictureSamples)))
  }

  /// Pixels of the picture that are read for one of the drawing.
  var steps: Int { isSmooth ? max(across * down, 4) : 1 }

  func row(_ y: Int32, _ x: Int32, into colors: UnsafeMutableBufferPointer<UInt32>) {
    guard let pixels else { return }
    let isAverage = isSmooth && (across > 1 || down > 1)
    for index in 0..<colors.count {
      let (px, py) = (Double(x) + Double(index), Double(y))
      var color: UInt32
      if isAverage {
        color = average(pixels, px, py)
      } else {
        let place = inverse.apply(px + 0.5, py + 0.5)
        color = isSmooth && !isExact ? blend(pixels, place) : nearest(pixels, place)
      }
      if alpha != 255 { color = Blend.scaled(color, by: alpha) }
      colors[index] = color
    }
  }

  private func average(_ pixels: UnsafePointer<UInt32>, _ x: Double, _ y: Double) -> UInt32 {
    var (blue, green, red, opacity): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    for row in 0..<down {
      for column in 0..<across {
        let place = inverse.apply(
          x + (Double(column) + 0.5) / Double(across), y + (Double(row) + 0.5) / Double(down))
        let color = nearest(pixels, place)
        blue &+= color & 255
        green &+= color >> 8 & 255
        red &+= color >> 16 & 255
        opacity &+= color >> 24
      }
    }
    let count = UInt32(across * down)
    let half = count / 2
    let (low, middle) = ((blue + half) / count, (green + half) / count)
    return ((opacity + half) / count) << 24 | ((red + half) / count) << 16 | middle << 8 | low
  }

  private func nearest(_ pixels: UnsafePointer<UInt32>, _ place: Place) -> UInt32 {
    pixels[line(place.y) &* width &+ column(place.x)]
  }

  private func column(_ x: Double) -> Int { Int(clamping: x.bounded(Double(left), Double(right))) }
  private func line(_ y: Double) -> Int { Int(clamping: y.bounded(Double(top), Double(bottom))) }

  /// Between the four pixels around a place.
  private func blend(_ pixels: UnsafePointer<UInt32>, _ place: Place) -> UInt32 {
    let x = (place.x - 0.5).bounded(Double(left), Double(right))
    let y = (place.y - 0.5).bounded(Double(top), Double(bottom))
    let (x0, y0) = (Int(clamping: x), Int(clamping: y))
    let (x1, y1) = (min(x0 + 1, right), min(y0 + 1, bottom))
    let (sx, sy) = (UInt32(clamping: (x - Double(x0)) * 255 + 0.5), UInt32(clamping: (y - Double(y0)) * 255 + 0.5))
    let above = mix(pixels[y0 * width + x0], pixels[y0 * width + x1], sx)
    let below = mix(pixels[y1 * width + x0], pixels[y1 * width + x1], sx)
    return mix(above, below, sy)
  }

  @inline(__always)
  private func mix(_ a: UInt32, _ b: UInt32, _ share: UInt32) -> UInt32 {
    if a == b { return a }
    return Blend.scaled(a, by: 255 - share) &+ Blend.scaled(b, by: share)
  }
}
