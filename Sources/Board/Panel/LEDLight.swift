import Panel
import Runtime

/// A status light of the kernel's LED class (kernel document leds-class): one LED, of one color or of several
/// (leds-class-multicolor), or one LED for each of two or three colors. The kernel does the blinking where it has the
/// triggers "timer" and "pattern".
public final class LEDLight: Light {
  /// Which LEDs, by their names below /sys/class/leds.
  public enum Names: Equatable, Sendable {
    case one(String)
    /// One for each color; nil: no LED.
    case colors(red: String?, green: String?, blue: String?)
  }

  private struct Part {
    let led: LED
    /// Its colors; all for an LED that is lit with any color.
    let colors: LEDColors
  }

  private let parts: [Part]

  /// A closed light.
  /// - Parameters:
  ///   - brightness: percent of the highest level, 1 to 100.
  ///   - isInverted: it is lit at level 0, and the kernel is not configured for that.
  /// - Throws: `.invalidArgument` for a name that is empty or leads elsewhere, or when there is none, `ENAMETOOLONG`.
  @export(interface)
  public init(_ names: Names, brightness: Int = 100, isInverted: Bool = false, root: String = "/sys/class/leds")
    throws(Errno)
  {
    func led(_ name: String) throws(Errno) -> LED {
      try LED(name: name, brightness: Int64(brightness), isInverted: isInverted, root: root)
    }
    var parts: [Part] = []
    switch names {
    case .one(let name): parts.append(Part(led: try led(name), colors: .all))
    case .colors(let red, let green, let blue):
      if let red { parts.append(Part(led: try led(red), colors: .red)) }
      if let green { parts.append(Part(led: try led(green), colors: .green)) }
      if let blue { parts.append(Part(led: try led(blue), colors: .blue)) }
    }
    guard !parts.isEmpty else { throw .invalidArgument }
    self.parts = parts
  }

  public func open() throws(Errno) {
    for index in parts.indices {
      do throws(Errno) {
        try parts[index].led.open()
      } catch {
        for opened in 0..<index { parts[opened].led.close() }
        throw error
      }
    }
  }

  public func close() {
    for part in parts { part.led.close() }
  }

  public func show(_ color: LightColor) throws(Errno) {
    let colors = available(color)
    // LEDs are switched off before others are switched on, so that no mixed color flashes.
    for part in parts where part.colors.isDisjoint(with: colors) { try part.led.set(false) }
    for part in parts where !part.colors.isDisjoint(with: colors) {
      try part.led.setColors(colors)
      try part.led.set(true)
    }
  }

  /// The kernel's timers of two LEDs drift apart, so they are used only where one LED is lit in one color.
  public func play(_ pattern: LightPattern) throws(Errno) -> Bool {
    guard let color = onlyColor(pattern) else { return false }
    let colors = available(color)
    var playing: Part?
    for part in parts where !part.colors.isDisjoint(with: colors) {
      guard playing == nil else { return false }
      playing = part
    }
    guard let playing else { return false }
    for part in parts where part.colors.isDisjoint(with: colors) { try part.led.set(false) }
    try playing.led.setColors(colors)
    let steps = pattern.steps
    if steps.count == 2, steps[0].color != .dark,
      try playing.led.blink(lit: steps[0].duration, dark: steps[1].duration)
    {
      return true
    }
    return try playing.led.play(steps)
  }

  /// The only color of a pattern; nil when there are several, or none.
  private func onlyColor(_ pattern: LightPattern) -> LightColor? {
    var found: LightColor?
    for step in pattern.steps where step.color != .dark {
      if let found, found != step.color { return nil }
      found = step.color
    }
    return found
  }

  /// The available components of a color; all for a color that these LEDs lack, so that it is visible.
  private func available(_ color: LightColor) -> LEDColors { Self.available(color, of: all) }

  private var all: LEDColors {
    var all = LEDColors()
    for part in parts { all.formUnion(part.colors) }
    return all
  }

  static func available(_ color: LightColor, of all: LEDColors) -> LEDColors {
    let wanted = LEDColors(color)
    let found = wanted.intersection(all)
    return found.isEmpty && !wanted.isEmpty ? all : found
  }
}
