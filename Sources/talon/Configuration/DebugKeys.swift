import Gateway
import Runtime

extension ConfigurationKey {
  /// Keys of `[debug]`, and where the log goes.
  static let debug: [ConfigurationKey] = [
    ConfigurationKey(section: "debug", name: "commands", isFileOnly: true) { bool($1, &$0.hasDebugCommands) },
    ConfigurationKey(section: "debug", name: "device_events") { bool($1, &$0.tellsOfDevices) },
    ConfigurationKey(section: "log", name: "syslog", isFileOnly: true) { syslog($1, &$0.syslog) },
    ConfigurationKey(section: "log", name: "syslog_ca_file", isFileOnly: true) { path($1, &$0.syslogAuthorities) },
  ]

  /// tls://HOST[:PORT]; the port of syslog over TLS is 6514 (RFC 5425 section 4.1).
  private static func syslog(_ value: String, _ target: inout GatewayURL?) -> String? {
    let complaint = "must be tls://HOST or tls://HOST:PORT"
    guard value.hasPrefix("tls://") else { return complaint }
    let host = String(decoding: value.utf8.dropFirst(6), as: UTF8.self)
    guard !host.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "@") }) else { return complaint }
    do throws(GatewayURLError) {
      let url = try GatewayURL("wss://" + host + (hasPort(host) ? "" : ":6514"))
      target = url
      return nil
    } catch {
      return complaint
    }
  }

  /// A colon after the last bracket of an address of IPv6.
  private static func hasPort(_ host: String) -> Bool {
    host.utf8.reversed().prefix { $0 != UInt8(ascii: "]") }.contains(UInt8(ascii: ":"))
  }
}
