import Board
import Device
import Hands
import Runtime

/// Which lines of which chips the status light, the buttons and the tools are: a number means another line on another
/// chip.
struct GPIOCheck {
  private let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// What stands in the configuration of a device, as places; none where it is not on lines.
  func places(_ device: CheckedDevice) -> [GPIOPlace] {
    let (light, button) = (configuration.light, configuration.button)
    switch device {
    case .light where light.driver == .gpio:
      return [light.line, light.redLine, light.greenLine, light.blueLine].filter { !$0.isEmpty }
        .map { GPIOPlace(chip: light.chip, line: $0, isActiveLow: light.isActiveLow) }
    case .button where button.driver == .gpio:
      return [button.place]
    default: return []
    }
  }

  /// The lines that are there: a failure for one that is not, a warning for one that is not on the header. Nil for a
  /// device without lines.
  func finding(_ device: CheckedDevice) -> Finding? {
    var texts: [String] = []
    var isElsewhere = false
    for place in places(device) {
      switch Self.look(place) {
      case .found(let text, let isOther):
        texts.append(text)
        if isOther { isElsewhere = true }
      case .closed: return Finding(device.name, .unknown, Self.closed)
      case .missing(let text): return Finding(device.name, .failure, text, remedy: device.remedy)
      }
    }
    if texts.isEmpty { return nil }
    let text = texts.joined(separator: "; ")
    guard isElsewhere else { return Finding(device.name, .good, text) }
    return Finding(device.name, .warning, text + Self.elsewhere, remedy: Self.remedy("[\(device.name)]"))
  }

  /// What is wrong with the lines of the tools and of the button for talking; nothing for those that are there.
  func others() -> [Finding] {
    var findings: [Finding] = []
    if configuration.talk.button.driver == .gpio {
      findings += Self.findings("button", "[talk] button", configuration.talk.button.place)
    }
    for hand in configuration.hands {
      let line: LineSettings
      switch hand.kind {
      case .gpio: line = hand.gpio.line
      case .counter: line = hand.counter.line
      case nil, .pwm, .sensor, .serial, .program: continue
      }
      findings += Self.findings("tools", "[tool \(hand.name)]", HandWiring.place(line))
    }
    return findings
  }

  private static func findings(_ subject: StaticString, _ section: String, _ place: GPIOPlace) -> [Finding] {
    switch look(place) {
    case .found(let text, let isElsewhere):
      isElsewhere ? [Finding(subject, .warning, "\(section): \(text)\(elsewhere)", remedy: remedy(section))] : []
    case .closed: [Finding(subject, .unknown, "\(section): \(closed)")]
    case .missing(let text):
      [
        Finding(
          subject, .failure, "\(section): \(text)",
          remedy: "check its line in \(section): gpioinfo shows the lines of the chips")
      ]
    }
  }

  // MARK: One line

  private enum Look {
    case found(String, isElsewhere: Bool)
    case closed
    case missing(String)
  }

  private static let closed = "only the agent may look at its line"
  private static let elsewhere = ", which is not on the header"

  private static func remedy(_ section: String) -> String {
    "remove chip from \(section): the header's chip is found by itself (docs/owners/wiring.md)"
  }

  private static func look(_ place: GPIOPlace) -> Look {
    do throws(Errno) {
      let found = try place.locate()
      // A label or a name is meant; the number of a chip is another one after an update of the kernel.
      return .found(found.text, isElsewhere: found.isHeader == false && place.chip.hasPrefix("gpiochip"))
    } catch {
      if error == .accessDenied { return .closed }
      let name = place.chip.isEmpty ? place.line : "\(place.chip):\(place.line)"
      return .missing("there is no line \"\(name)\": \(String(DeviceTrouble(error, of: .line).text))")
    }
  }
}
