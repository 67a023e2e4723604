import Codec

/// A color by how people see it: lightness, and two axes from green to red and from blue to yellow (Björn Ottosson, "A
/// perceptual color space for image processing", 2020). Equal steps look equally large, so that tones of one color keep
/// its hue.
public struct Oklab: Equatable, Sendable {
  /// 0 for black to 1 for white.
  public var lightness: Float
  public var a: Float, b: Float

  /// A color; see the properties.
  public init(lightness: Float, a: Float, b: Float) { (self.lightness, self.a, self.b) = (lightness, a, b) }

  /// Of a color of the screen, whatever its opacity.
  public init(_ color: Color) {
    let (red, green, blue) = (Linear.light(color.red), Linear.light(color.green), Linear.light(color.blue))
    let l = Linear.cubeRoot(0.412_221_46 * red + 0.536_332_55 * green + 0.051_445_995 * blue)
    let m = Linear.cubeRoot(0.211_903_5 * red + 0.680_699_56 * green + 0.107_396_96 * blue)
    let s = Linear.cubeRoot(0.088_302_46 * red + 0.281_718_85 * green + 0.629_978_7 * blue)
    lightness = 0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s
    a = 1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s
    b = 0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s
  }

  /// How far from gray it is.
  public var chroma: Float { (a * a + b * b).squareRoot() }

  /// The same hue with another lightness and chroma; of gray, gray.
  public func tone(_ lightness: Float, chroma wanted: Float) -> Oklab {
    let scale = chroma > 0.000_1 ? wanted / chroma : 0
    return Oklab(lightness: lightness, a: a * scale, b: b * scale)
  }

  /// The color of the screen. Where no screen has it, it is as colorful as one can be.
  public var color: Color {
    let whole = linear
    if Linear.isOnScreen(whole) { return Linear.color(whole) }
    // Gray of this lightness is on every screen.
    var (least, most): (Float, Float) = (0, 1)
    for _ in 0..<12 {
      let middle = (least + most) / 2
      let tried = Oklab(lightness: lightness, a: a * middle, b: b * middle)
      if Linear.isOnScreen(tried.linear) { least = middle } else { most = middle }
    }
    return Linear.color(Oklab(lightness: lightness, a: a * least, b: b * least).linear)
  }

  private var linear: (red: Float, green: Float, blue: Float) {
    let l = lightness + 0.396_337_78 * a + 0.215_803_76 * b
    let m = lightness - 0.105_561_346 * a - 0.063_854_17 * b
    let s = lightness - 0.089_484_18 * a - 1.291_485_5 * b
    let (x, y, z) = (l * l * l, m * m * m, s * s * s)
    return (
      4.076_741_7 * x - 3.307_711_6 * y + 0.230_969_94 * z, -1.268_438 * x + 2.609_757_4 * y - 0.341_319_38 * z,
      -0.004_196_086_3 * x - 0.703_418_6 * y + 1.707_614_7 * z
    )
  }
}

extension Color {
  /// How much light it gives, 0...1 (WCAG 2.1, relative luminance).
  public var luminance: Float {
    0.2126 * Linear.light(red) + 0.7152 * Linear.light(green) + 0.0722 * Linear.light(blue)
  }

  /// How easily it is told from another one: 1 for the same to 21 for black and white (WCAG 2.1, contrast ratio).
  public func contrast(with other: Color) -> Float {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// What is seen of it on another, opaque color.
  public func over(_ ground: Color) -> Color {
    func mix(_ top: UInt8, _ bottom: UInt8) -> UInt32 {
      (UInt32(top) * UInt32(alpha) + UInt32(bottom) * (255 - UInt32(alpha)) + 127) / 255
    }
    return Color(mix(red, ground.red) << 16 | mix(green, ground.green) << 8 | mix(blue, ground.blue))
  }

  /// The nearest tone of the same hue that has at least this contrast with all of some grounds: lighter on dark ones,
  /// darker on light ones; black or white where no tone has it.
  public func legible(on grounds: Grounds, contrast wanted: Float) -> Color {
    if grounds.contrast(with: self) >= wanted { return self }
    let own = Oklab(self)
    var found: Color?
    var (near, far): (Float, Float) = (own.lightness, grounds.areDark ? 1 : 0)
    for _ in 0..<7 {
      let middle = (near + far) / 2
      let tone = own.tone(middle, chroma: own.chroma).color
      if grounds.contrast(with: tone) >= wanted { (far, found) = (middle, tone) } else { near = middle }
    }
    return found ?? (grounds.areDark ? .white : .black)
  }
}

/// Colors that something stands on: the darkest and the lightest of them say how well it is told from all.
public struct Grounds: Sendable {
  private var least: Float = 1, most: Float = 0

  /// Of no color yet.
  public init() {}

  /// Adds a color, whatever its opacity.
  public mutating func add(_ color: Color) {
    let luminance = color.luminance
    (least, most) = (min(least, luminance), max(most, luminance))
  }

  /// True where white is told from them more easily than black.
  public var areDark: Bool { (most + 0.05) * (least + 0.05) < 1.05 * 0.05 }

  /// The least contrast that a color has with one of them; 1 where it may be between two.
  public func contrast(with color: Color) -> Float {
    let luminance = color.luminance
    if luminance >= most { return (luminance + 0.05) / (most + 0.05) }
    return luminance <= least ? (least + 0.05) / (luminance + 0.05) : 1
  }
}

/// Light as it adds up: the transfer function of sRGB (IEC 61966-2-1), without the C library's powers.
private enum Linear {
  /// Of a channel of eight bits, 0...1.
  static func light(_ value: UInt8) -> Float {
    let share = Float(value) / 255
    if share <= 0.040_45 { return share / 12.92 }
    let base = (share + 0.055) / 1.055
    // To the power of 12/5.
    let root = fifthRoot(base)
    let square = root * root
    let fourth = square * square
    return fourth * fourth * fourth
  }

  private static func channel(_ light: Float) -> UInt32 {
    if light <= 0 { return 0 }
    if light >= 1 { return 255 }
    let share = light <= 0.003_130_8 ? light * 12.92 : 1.055 * power(light) - 0.055
    return UInt32(UInt8(clamping: (share * 255).rounded()))
  }

  /// To the power of 5/12.
  private static func power(_ value: Float) -> Float {
    let fifth = value * value * value * value * value
    return cubeRoot(fifth.squareRoot().squareRoot())
  }

  static func color(_ light: (red: Float, green: Float, blue: Float)) -> Color {
    Color(channel(light.red) << 16 | channel(light.green) << 8 | channel(light.blue))
  }

  /// With half a step of eight bits on both sides.
  static func isOnScreen(_ light: (red: Float, green: Float, blue: Float)) -> Bool {
    let least = min(light.red, light.green, light.blue)
    return least > -0.000_2 && max(light.red, light.green, light.blue) < 1.002
  }

  /// By Newton's method, from above.
  static func cubeRoot(_ value: Float) -> Float {
    guard value > 0 else { return 0 }
    var root: Float = value < 1 ? 1 : value
    for _ in 0..<40 {
      let next = (2 * root + value / (root * root)) / 3
      if next >= root { break }
      root = next
    }
    return root
  }

  private static func fifthRoot(_ value: Float) -> Float {
    guard value > 0 else { return 0 }
    var root: Float = 1
    for _ in 0..<60 {
      let square = root * root
      let next = (4 * root + value / (square * square)) / 5
      if next >= root { break }
      root = next
    }
    return root
  }
}
