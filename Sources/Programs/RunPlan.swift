import Codec
import Runtime

/// The answers of `system.run.prepare` and `system.which`.
public enum RunPlan {
  /// Writes `{plan, execPolicy}`: what `system.run` would do. The board never asks for less than its own list, so its
  /// policy is an allow-list without questions of its own.
  public static func write(_ words: CommandWords, _ origin: RunOrigin, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("plan")
    writer.beginObject()
    writer.key("argv")
    writer.beginArray()
    for index in 0..<words.count { writer.string(Span(_unsafeElements: words.word(index))) }
    writer.endArray()
    writer.key("cwd")
    writer.null()
    writer.key("commandText")
    writer.string(Span(_unsafeElements: words.text))
    writer.key("agentId")
    write(origin.agentID.span, to: &writer)
    writer.key("sessionKey")
    write(origin.sessionKey.span, to: &writer)
    writer.endObject()
    writer.key("execPolicy")
    writer.beginObject()
    writer.key("security")
    writer.string("allowlist")
    writer.key("ask")
    writer.string("off")
    writer.endObject()
    writer.endObject()
  }

  private static func write(_ text: Span<UInt8>, to writer: inout JSONWriter) {
    text.isEmpty ? writer.null() : writer.string(text)
  }
}

/// The programs of the list that `bins` names, as bits.
public struct ProgramQuestion: Equatable, Sendable {
  /// Bit `n` for the program with index `n`.
  public private(set) var found: UInt64 = 0

  /// Reads `{bins: [name]}`. A name with a separator is never found, as in the reference.
  public init(_ parameters: borrowing JSONView, list: ProgramList) throws(RunRefusal) {
    guard let bins = parameters.member("bins"), bins.kind == .array else { throw RunRefusal(.badBins) }
    var elements = bins.elements()
    var count = 0
    while let element = elements.next() {
      guard element.kind == .string else { throw RunRefusal(.badBins) }
      count += 1
      guard count <= Budget.runBins else { throw RunRefusal(.tooManyBins) }
      var name = InlineText<255>()
      // No file has a longer name.
      guard name.fill({ element.copyString(into: $0) }), !name.isEmpty else { continue }
      var isName = true
      for place in 0..<name.count where name.span[place] == UInt8(ascii: "/") { isName = false }
      let index = name.span.withUnsafeBufferPointer { list.index(of: $0) }
      if isName, let index { found |= 1 << index }
    }
  }

  /// Writes `{bins: {name: path}}`, those that `isInstalled` leaves.
  public func write(_ list: ProgramList, isInstalled: (Int) -> Bool, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("bins")
    writer.beginObject()
    for index in 0..<list.paths.count where found & 1 << index != 0 && isInstalled(index) {
      let path = list.paths[index].utf8.span
      writer.key(path.extracting(ProgramList.nameStart(path)...))
      writer.string(path)
    }
    writer.endObject()
    writer.endObject()
  }
}
