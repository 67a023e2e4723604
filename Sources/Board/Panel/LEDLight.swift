import Panel
import Runtime

/// A status light of the kernel's LED class (kernel document leds-class): one LED, of one colour or of several
/// (leds-class-multicolor), or one LED for each of two or three colours. The kernel blinks by itself where its triggers
/// "timer" and "pattern" are there.
public final class LEDLight: Light {
  /// Which LEDs, by their names below /sys/class/leds.
  public enum Names: Equatable, Sendable {
    case one(String)
    /// One for each colour; nil: there is none.
    case colors(red: String?, green: String?, blue: String?)
  }

  private struct Part {
    let led: LED
    /// What it shines in; all for one that is lit with any.
    let colors: LEDColors
  }

  private let parts: [Part]

  /// A closed light.
  /// - Parameters:
  ///   - brightness: percent of the highest level, 1 to 100.
  ///   - isInverted: it shines at level 0, and the kernel does not know.
  /// - Throws: `.invalidArgument` for a name that is empty or leads elsewhere, or when there is none, `ENAMETOOLONG`.
  public init(_ names: Names, brightness: Int = 100, isInverted: Bool = false, root: String = "/sys/class/leds") throws(Errno) {
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
    // What goes dark goes first, so that no third colour flashes between two.
    for part in parts where part.colors.isDisjoint(with: colors) { try part.led.set(false) }
    for part in parts where !part.colors.isDisjoint(with: colors) {
      try part.led.setColors(colors)
      try part.led.set(true)
    }
  }

  /// The kernel's timers of two LEDs run apart in time, so it is asked only where one LED is lit, always in the same colour.
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

  /// The colour of everything that is lit in a pattern; nil when there are several, or none.
  private func onlyColor(_ pattern: LightPattern) -> LightColor? {
    var found: LightColor?
    for step in pattern.steps where step.color != .dark {
      if let found, found != step.color { return nil }
      found = step.color
    }
    return found
  }

  /// What can be lit of a colour; everything for one that these LEDs do not have, for it must be seen.
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
