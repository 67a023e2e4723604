import Panel
import Runtime

/// A status light on lines of a GPIO chip: one, or one for each of two or three colors. Blinking is done by the caller.
public final class GPIOLight: Light {
  /// The lines.
  public enum Lines: Equatable, Sendable {
    case one(GPIOPlace)
    /// One for each color; nil: no line.
    case colors(red: GPIOPlace?, green: GPIOPlace?, blue: GPIOPlace?)
  }

  private struct Part {
    let line: GPIOLine
    let colors: LEDColors
    var isLit = false
  }

  private var parts: [Part] = []
  private let all: LEDColors

  /// A closed light. Throws `.invalidArgument` when there is no line.
  @export(interface)
  public init(_ lines: Lines) throws(Errno) {
    switch lines {
    case .one(let place): parts.append(Part(line: GPIOLine(place), colors: .all))
    case .colors(let red, let green, let blue):
      if let red { parts.append(Part(line: GPIOLine(red), colors: .red)) }
      if let green { parts.append(Part(line: GPIOLine(green), colors: .green)) }
      if let blue { parts.append(Part(line: GPIOLine(blue), colors: .blue)) }
    }
    guard !parts.isEmpty else { throw .invalidArgument }
    var all = LEDColors()
    for part in parts { all.formUnion(part.colors) }
    self.all = all
  }

  public func open() throws(Errno) {
    do throws(Errno) {
      for index in parts.indices {
        try parts[index].line.openOutput()
        parts[index].isLit = false
      }
    } catch {
      for part in parts { part.line.close() }
      throw error
    }
  }

  public func close() {
    for part in parts where part.line.isOpen {
      _ = try? part.line.set(false)
      part.line.close()
    }
  }

  public func show(_ color: LightColor) throws(Errno) {
    let colors = LEDLight.available(color, of: all)
    // Lines are switched off before others are switched on, so that no mixed color flashes.
    for isLit in [false, true] {
      for index in parts.indices where parts[index].colors.isDisjoint(with: colors) != isLit {
        guard parts[index].isLit != isLit else { continue }
        try parts[index].line.set(isLit)
        parts[index].isLit = isLit
      }
    }
  }

  public func play(_ pattern: LightPattern) throws(Errno) -> Bool { false }
}
