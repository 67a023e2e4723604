import Board
import Device
import Runtime

/// Which lines of which chips the status light and the button are: a number means another line on another chip.
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
      do throws(Errno) {
        let found = try place.locate()
        texts.append(found.text)
        // A label or a name is meant; the number of a chip is another one after an update of the kernel.
        if found.isHeader == false, place.chip.hasPrefix("gpiochip") { isElsewhere = true }
      } catch {
        if error == .accessDenied { return Finding(device.name, .unknown, "only the agent may look at its line") }
        let name = place.chip.isEmpty ? place.line : "\(place.chip):\(place.line)"
        return Finding(
          device.name, .failure, "there is no line \"\(name)\": \(String(DeviceTrouble(error, of: .line).text))",
          remedy: device.remedy)
      }
    }
    if texts.isEmpty { return nil }
    let text = texts.joined(separator: "; ")
    guard isElsewhere else { return Finding(device.name, .good, text) }
    return Finding(
      device.name, .warning, text + ", which is not on the header",
      remedy: "remove chip from [\(device.name)]: the header's chip is found by itself (docs/owners/wiring.md)"
    )
  }
}
