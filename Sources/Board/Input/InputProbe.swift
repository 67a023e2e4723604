import Canvas
import Runtime

/// Lists the input devices of a board without grabbing them.
public enum InputProbe {
  /// One device that the canvas can use.
  public struct Entry {
    public let path: InlineText<64>
    public let name: InlineText<64>
    /// For display: "touch screen", "keyboard".
    public let kind: StaticString
  }

  /// All devices that can be opened.
  public static func entries(root: String = "") -> [Entry] {
    var entries: [Entry] = []
    for number in 0..<Budget.inputNumbers {
      guard let path = try? Path("\(root)/dev/input/event\(number)"),
        let file = try? Syscall.open(path, [.read, .nonBlocking, .noControllingTerminal])
      else { continue }
      defer { file.close() }
      guard let (traits, name) = EvdevDevice.traits(file), traits.kind != .none else { continue }
      entries.append(Entry(path: devicePath("/dev/input/event", number), name: name, kind: text(traits.kind)))
    }
    return entries
  }

  private static func text(_ kind: InputTraits.Kind) -> StaticString {
    switch kind {
    case .touchSlots, .touchContacts: "touch screen"
    case .touchSingle: "touch screen for one finger"
    case .pointer: "tablet"
    case .mouse: "mouse"
    case .touchPad: "touchpad"
    case .keyboard: "keyboard"
    case .keys: "keys"
    case .encoder, .dial: "encoder"
    case .none: "nothing"
    }
  }
}
