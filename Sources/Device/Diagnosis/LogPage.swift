import Codec
import Runtime

/// What `debug.logs` was asked for: the newest lines of the agent's log, of one module or of all.
public struct LogPage {
  /// Lines at most.
  let lines: Int
  /// The least severity.
  let level: LogLevel
  /// The module that a line begins with; empty: any.
  let module: InlineText<32>

  /// The parameters `{lines?, level?, module?}`; null means the usual ones. Throws `DiagnosisError` that names what is
  /// wrong.
  public init(_ parameters: borrowing JSONView) throws(DiagnosisError) {
    guard parameters.isNull || parameters.kind == .object else { throw .notAnObject }
    lines = try Self.lines(parameters)
    level = try Self.level(parameters)
    module = try Self.module(parameters)
  }

  private static func lines(_ parameters: borrowing JSONView) throws(DiagnosisError) -> Int {
    guard parameters.kind == .object, let member = parameters.member("lines") else { return Budget.debugLogLines }
    guard let count = member.int64, (1...Int64(Budget.debugLogLines)).contains(count) else { throw .lines }
    return Int(count)
  }

  private static func level(_ parameters: borrowing JSONView) throws(DiagnosisError) -> LogLevel {
    guard parameters.kind == .object, let member = parameters.member("level") else { return .debug }
    for level in LogLevel.all where member.equals(level.word) { return level }
    throw .level
  }

  private static func module(_ parameters: borrowing JSONView) throws(DiagnosisError) -> InlineText<32> {
    var module = InlineText<32>()
    guard parameters.kind == .object, let member = parameters.member("module") else { return module }
    guard member.kind == .string, module.fill({ member.copyString(into: $0) }), !module.isEmpty else { throw .module }
    return module
  }

  /// Writes `{"logs": "..."}`, a line for each of the log with its instant and level, oldest first: at most
  /// `Budget.debugLogBytes`, of which older lines are left out.
  /// - Parameters:
  ///   - monotonic: the clock of the log's lines, in milliseconds
  ///   - wall: Unix time in milliseconds
  public func write(_ log: Log, monotonic: Int64, wall: Int64, to writer: inout JSONWriter) {
    let count = fitting(log)
    writer.beginObject()
    writer.key("logs")
    writer.beginString()
    var surplus = -count
    forEach(log) { _ in surplus += 1 }
    forEach(log) { entry in
      defer { surplus -= 1 }
      guard surplus <= 0 else { return }
      let instant = ISO8601(unixMilliseconds: wall - max(monotonic - entry.time, 0))
      writer.stringPiece(instant.text)
      writer.stringPiece((" " as StaticString).utf8Bytes)
      writer.stringPiece(entry.level.word.utf8Bytes)
      writer.stringPiece((" " as StaticString).utf8Bytes)
      writer.stringPiece(Span(_unsafeElements: entry.text))
      writer.stringPiece(("\n" as StaticString).utf8Bytes)
    }
    writer.endString()
    writer.endObject()
  }

  /// How many of the newest lines fit.
  private func fitting(_ log: Log) -> Int {
    var (bytes, most, oldest) = (0, 0, 0)
    forEach(log) { entry in
      bytes += Self.length(entry)
      most += 1
    }
    forEach(log) { entry in
      guard bytes > Budget.debugLogBytes || most - oldest > lines else { return }
      bytes -= Self.length(entry)
      oldest += 1
    }
    return most - oldest
  }

  /// Bytes of a line: instant, level and text, two spaces and a line feed.
  private static func length(_ entry: LogEntry) -> Int {
    ISO8601.length + entry.level.word.utf8CodeUnitCount + entry.text.count + 3
  }

  private func forEach(_ log: Log, _ body: (LogEntry) -> Void) {
    log.forEachEntry(last: Budget.logLines, upTo: level) { entry in
      if isOfModule(entry.text) { body(entry) }
    }
  }

  /// Lines begin with "module: ".
  private func isOfModule(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if module.isEmpty { return true }
    guard text.count > module.count, text[module.count] == UInt8(ascii: ":") else { return false }
    return module.equals(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[..<module.count])))
  }
}
