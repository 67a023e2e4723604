import Consent
import Runtime

extension ConfigurationKey {
  /// Keys of `[consent]`. Only those with access to the file may set them: they decide who may see and hear.
  static let consent: [ConfigurationKey] =
    [
      rule("camera", .camera), rule("camera.front", .frontCamera), rule("microphone", .microphone),
      rule("location", .location), rule("screen.record", .screen), rule("motion", .motion), rule("tools", .tools),
      rule("run", .run),
    ] + [
      ConfigurationKey(section: "consent", name: "refusal", isFileOnly: true) { configuration, value in
        var seconds: Int64 = 0
        if let complaint = number(value, Budget.consentRefusalRange, &seconds) { return complaint }
        configuration.consent.refusal = seconds * 1000
        return nil
      },
      ConfigurationKey(section: "consent", name: "recording_ends_camera", isFileOnly: true) {
        bool($1, &$0.consent.recordingEndsCamera)
      },
      ConfigurationKey(section: "consent", name: "journal", isFileOnly: true) { bool($1, &$0.consent.hasJournal) },
      ConfigurationKey(section: "consent", name: "blind_button", isFileOnly: true) {
        bool($1, &$0.consent.hasBlindButton)
      },
    ]

  private static func rule(_ name: String, _ permission: Permission) -> ConfigurationKey {
    ConfigurationKey(section: "consent", name: name, isFileOnly: true) { configuration, value in
      var rule = ConsentRule.allow
      if let complaint = choice(value, [("allow", .allow), ("ask", .ask), ("deny", .deny)], &rule) { return complaint }
      configuration.consent.rules[permission] = rule
      return nil
    }
  }
}
