import Codec
import Metrics
import Runtime

extension MetricsSettings {
  /// What makes no sense together, with its key; nil when all is right.
  var complaint: (key: String, reason: String)? {
    if !token.isEmpty, !username.isEmpty {
      return ("username", "is set beside token_file: a server is told who the board is in one way")
    }
    if username.isEmpty != password.isEmpty {
      return (username.isEmpty ? "username" : "password_file", "is missing: a name and its password belong together")
    }
    if certificate.isEmpty != key.isEmpty {
      return (certificate.isEmpty ? "certificate" : "key", "is missing: a certificate and its key belong together")
    }
    if !isConfigured, !token.isEmpty || !username.isEmpty || !certificate.isEmpty {
      return ("url", "is missing: which server gets the metrics?")
    }
    return nil
  }
}

extension ConfigurationKey {
  /// Keys of `[metrics]`.
  static let metrics: [ConfigurationKey] = [
    ConfigurationKey(section: "metrics", name: "url", isFileOnly: true) {
      address($1, limit: 1024, &$0.metrics.url)
    },
    ConfigurationKey(section: "metrics", name: "labels") { labels($1, &$0.metrics.labels) },
    ConfigurationKey(section: "metrics", name: "interval") {
      number($1, Budget.metricInterval, &$0.metrics.interval)
    },
    ConfigurationKey(section: "metrics", name: "token_file", isFileOnly: true) { (configuration, path) throws(Errno) in
      var text = ""
      if let complaint = try secret(from: path, into: &text) { return complaint }
      return token(text, &configuration.metrics.token).map { "what stands in \(path) \($0)" }
    },
    ConfigurationKey(section: "metrics", name: "username") { configuration, value in
      guard value.utf8.count <= Budget.metricUserBytes, !value.utf8.contains(UInt8(ascii: ":")),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else { return "must have at most \(Budget.metricUserBytes) bytes, and no colon" }
      configuration.metrics.username = value
      return nil
    },
    ConfigurationKey(section: "metrics", name: "password_file", isFileOnly: true) {
      (configuration, path) throws(Errno) in
      var text = ""
      if let complaint = try secret(from: path, into: &text) { return complaint }
      guard text.utf8.count <= Budget.metricPasswordBytes else {
        return "what stands in \(path) must have at most \(Budget.metricPasswordBytes) bytes"
      }
      configuration.metrics.password = text
      return nil
    },
    ConfigurationKey(section: "metrics", name: "certificate", isFileOnly: true) { path($1, &$0.metrics.certificate) },
    ConfigurationKey(section: "metrics", name: "key", isFileOnly: true) { path($1, &$0.metrics.key) },
    ConfigurationKey(section: "metrics", name: "ca_file", isFileOnly: true) { path($1, &$0.metrics.authorities) },
    ConfigurationKey(section: "metrics", name: "positions", isFileOnly: true) { bool($1, &$0.metrics.hasPositions) },
  ]

  /// `site=roof, room=attic`.
  private static func labels(_ value: String, _ target: inout BoardLabels) -> String? {
    var labels = BoardLabels()
    for part in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let text = trimmed(Array(part)[...])
      guard let (name, value) = ConfigurationFile.pair(text) else {
        return "must be names and values as site=roof, room=attic"
      }
      do throws(LabelError) {
        try labels.add(name.utf8.span, value.utf8.span)
      } catch {
        return "\(name.isEmpty ? "an empty name" : name) \(String(error.text))"
      }
    }
    target = labels
    return nil
  }
}
