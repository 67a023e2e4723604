import Codec
import Runtime

/// Why a link was refused, and where in it.
public struct LinkError: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    case empty, tooLong, scheme, target, control, percent, utf8, missing, large, host, port, plaintext
  }

  public let reason: Reason
  /// The byte of the link at which it is wrong, from 0.
  public let place: Int
  /// The key whose value is wrong; nil where none is.
  public let key: DeepLink.Key?
  /// What is allowed at most, where that was exceeded.
  public let limit: Int

  init(_ reason: Reason, at place: Int = 0, _ key: DeepLink.Key? = nil, limit: Int = 0) {
    self.reason = reason
    self.place = place
    self.key = key
    self.limit = limit
  }

  /// Writes what a person reads after "the link"; never a part of the link itself, which may hold secrets.
  public func write(to line: inout LogLine) {
    switch reason {
    case .empty: line.add("is empty")
    case .tooLong: write("is longer than", limit, "bytes", to: &line)
    case .scheme: line.add("begins with neither openclaw:// nor oc-pair://")
    case .target: line.add("is unknown: it is none of openclaw://agent, openclaw://gateway and oc-pair://")
    case .control: write("has a control character", to: &line)
    case .percent: write("has a % without two hexadecimal digits", to: &line)
    case .utf8: write("has bytes that are no UTF-8", to: &line)
    case .missing: write("lacks", to: &line)
    case .large where key == .message: write("has too long a message: at most", limit, "characters", to: &line)
    case .large: write("has too long a value: at most", limit, "bytes", to: &line)
    case .host: write("has no valid host", to: &line)
    case .port: write("has no valid port (1 to 65535)", to: &line)
    case .plaintext: line.add("is for a gateway without TLS that is not on this board: it needs tls=1")
    }
  }

  /// The same as a string, for the command line.
  public var text: String {
    var text = InlineText<192>()
    text.fill { buffer in
      var line = LogLine(buffer)
      write(to: &line)
      return line.count
    }
    return text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func write(_ words: StaticString, _ number: Int, _ unit: StaticString, to line: inout LogLine) {
    line.add(words)
    line.add(" ")
    line.add(number)
    line.add(" ")
    line.add(unit)
    if let key { write(key, to: &line) }
  }

  private func write(_ words: StaticString, to line: inout LogLine) {
    line.add(words)
    if reason == .missing {
      line.add(" ")
      if let key { line.add(key.word) }
      return
    }
    if let key { write(key, to: &line) }
    line.add(", at byte ")
    line.add(place)
  }

  private func write(_ key: DeepLink.Key, to line: inout LogLine) {
    line.add(" (")
    line.add(key.word)
    line.add(")")
  }
}
