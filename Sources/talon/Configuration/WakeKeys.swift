import Runtime

/// `[wake]`.
struct WakeConfiguration {
  /// Phrases are listened for.
  var isEnabled = false
  /// The board's own phrases instead of the gateway's, with commas between them.
  var phrases = ""
  /// More vectors of phrases, which `talon-lab enrol` made; empty: those that are built in alone.
  var file = ""
  /// Tenths by which a phrase must be above its threshold.
  var caution = 0
}

extension ConfigurationKey {
  /// Keys of `[wake]`.
  static let wake: [ConfigurationKey] = [
    ConfigurationKey(section: "wake", name: "enabled") { bool($1, &$0.wake.isEnabled) },
    ConfigurationKey(section: "wake", name: "phrases") { text($1, limit: 1024, &$0.wake.phrases) },
    ConfigurationKey(section: "wake", name: "file") { path($1, &$0.wake.file) },
    ConfigurationKey(section: "wake", name: "caution") { configuration, value in
      let isNegative = value.utf8.first == UInt8(ascii: "-")
      guard let tenths = decimal(isNegative ? String(value.dropFirst()) : value), tenths <= 100 else {
        return "must be a whole number from -100 to 100"
      }
      configuration.wake.caution = isNegative ? -Int(tenths) : Int(tenths)
      return nil
    },
  ]
}
