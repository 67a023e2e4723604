import Canvas
import Runtime

/// `[links]`.
struct LinkConfiguration {
  /// The input device of a scanner whose texts are links; empty for none.
  var scanner = ""
  /// The keyboard layout that the scanner types for.
  var scannerKeyboard = KeyboardLayout.us
}

extension ConfigurationKey {
  /// Keys of `[links]`.
  static let links: [ConfigurationKey] = [
    ConfigurationKey(section: "links", name: "scanner", isFileOnly: true) { path($1, &$0.links.scanner) },
    ConfigurationKey(section: "links", name: "scanner_keyboard") { layout($1, &$0.links.scannerKeyboard) },
  ]

  /// The layout of a keyboard.
  static func layout(_ value: String, _ target: inout KeyboardLayout) -> String? {
    guard let layout = KeyboardLayout(value.utf8.span) else { return "must be one of us, uk, de, fr, es, it" }
    target = layout
    return nil
  }
}
