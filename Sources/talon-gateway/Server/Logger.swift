import Foundation

/// What happens at the gateway, a line each: local time, level, program and module, then the text.
struct Logger: Sendable {
  private enum Level: String { case info, warning, error }

  /// For people who run a gateway.
  static let standardError = Logger(isSilent: false)
  /// For tests.
  static let silent = Logger(isSilent: true)

  private let isSilent: Bool

  func info(_ text: @autoclosure () -> String) { say(.info, text) }
  func warning(_ text: @autoclosure () -> String) { say(.warning, text) }
  func error(_ text: @autoclosure () -> String) { say(.error, text) }

  private func say(_ level: Level, _ text: () -> String) {
    if isSilent { return }
    let line = "\(Self.timestamp()) \(level) talon-gateway: [talon_gateway] \(text())\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  /// ISO 8601 with the zone, to the second.
  private static func timestamp() -> String {
    var (now, parts) = (time(nil), tm())
    localtime_r(&now, &parts)
    // 24 characters and the zero that ends them.
    var text = [CChar](repeating: 0, count: 25)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init), as: UTF8.self)
  }
}
