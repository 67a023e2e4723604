import Board
import Panel
import Runtime

/// Makes the configured status light and button.
struct PanelWiring {
  let configuration: Configuration

  /// The light; nil when none is configured. It need not exist yet.
  func light() throws(Errno) -> (any Light)? {
    let light = configuration.light
    switch light.driver {
    case .none: return nil
    case .led: return try LEDLight(names, brightness: light.brightness, isInverted: light.isActiveLow)
    case .gpio: return try GPIOLight(lines)
    }
  }

  /// The button; nil when none is configured. It need not exist yet.
  func button(loop: Loop, clock: any Clock, log: Log) -> (any Button)? {
    Self.button(configuration.button, loop: loop, clock: clock, log: log)
  }

  /// A button: this one, or the push-to-talk button.
  static func button(_ button: ButtonConfiguration, loop: Loop, clock: any Clock, log: Log) -> (any Button)? {
    guard button.driver == .gpio else { return nil }
    let bias: GPIOBias
    switch button.bias {
    case .pullUp: bias = .pullUp
    case .pullDown: bias = .pullDown
    case .none: bias = .none
    case .asItIs: bias = .asItIs
    }
    return GPIOButton(button.place, bias: bias, loop: loop, clock: clock, log: log)
  }

  private var names: LEDLight.Names {
    let light = configuration.light
    if !light.led.isEmpty { return .one(light.led) }
    return .colors(red: Self.given(light.red), green: Self.given(light.green), blue: Self.given(light.blue))
  }

  private var lines: GPIOLight.Lines {
    let light = configuration.light
    if !light.line.isEmpty { return .one(place(light.line)) }
    return .colors(
      red: Self.given(light.redLine).map(place), green: Self.given(light.greenLine).map(place),
      blue: Self.given(light.blueLine).map(place))
  }

  private func place(_ line: String) -> GPIOPlace {
    GPIOPlace(chip: configuration.light.chip, line: line, isActiveLow: configuration.light.isActiveLow)
  }

  private static func given(_ name: String) -> String? { name.isEmpty ? nil : name }
}
