import Codec
import Gateway
import Node
import Runtime

/// The tools for the board's own agent: all that exist here, whatever is published to gateways.
extension ToolsPart: ToolLender {
  public func forEachTool(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard let room = calls.lending?.bytes else { return }
    for index in 0..<tools.count where exists(tools[index]) {
      var writer = JSONWriter(into: room)
      writeLent(tools[index], to: &writer)
      // Those of the owner are as long as the configuration lets them be.
      guard writer.isComplete else { continue }
      body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<writer.count]))
    }
  }

  private func writeLent(_ tool: Tool, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(tool.name)
    writer.key("description")
    writer.string(tool.description)
    writer.key("parameters")
    // People may be asked about each that is not safe, once the agent has read words of others.
    writeParameters(tool, isAsked: !tool.isSafe, to: &writer)
    writer.key("effect")
    writer.int(tool.isSafe ? 0 : 2)
    if tool.isWhole {
      writer.key("brings")
      writer.bool(true)
    }
    writer.endObject()
  }

  public func begin(
    _ name: UnsafeBufferPointer<UInt8>, _ arguments: borrowing JSONView, deadline: Int64, isTainted: Bool,
    _ borrower: any ToolBorrower, _ tag: Int
  ) -> Bool {
    guard calls.lending != nil, let index = lentTool(name) else { return false }
    calls.borrower = borrower
    let tool = tools[index]
    let lent = LentCall(
      tool: tool.name, isOfServer: tool.isWhole, isSafe: tool.isSafe, mustAsk: isTainted)
    calls.begin(lent, index, tag, arguments, deadline: deadline)
    return true
  }

  private func lentTool(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    for index in 0..<tools.count where exists(tools[index]) {
      if tools[index].name.withBytes({ Span(_unsafeElements: $0).isSame(as: Span(_unsafeElements: name)) }) {
        return index
      }
    }
    return nil
  }

  public func cancel(_ borrower: any ToolBorrower, _ tag: Int) {
    if let mine = calls.borrower, mine === borrower { calls.cancel(.borrower(tag)) }
  }
}

extension ToolCalls {
  /// Begins a call of the board's own agent, with the tool's defaults among its arguments.
  func begin(_ lent: LentCall, _ tool: Int, _ tag: Int, _ arguments: borrowing JSONView, deadline: Int64) {
    guard let room = lending?.bytes, !tools[tool].lentDefaults.isEmpty else {
      return begin(tool, .borrower(tag), copy arguments, deadline: deadline, lent: lent)
    }
    // The results stand after them.
    let place = UnsafeMutableBufferPointer(rebasing: room[..<Budget.lentArgumentBytes])
    var writer = ByteWriter(into: place)
    write(tools[tool].lentDefaults, beside: arguments, to: &writer)
    guard writer.isComplete else { return fail(.borrower(tag), "the arguments are too long") }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(place)[..<writer.count])
    begin(tool, .borrower(tag), JSONView(Span(_unsafeElements: text)), deadline: deadline, lent: lent)
  }

  private func write(
    _ defaults: [(key: StaticString, value: StaticString)], beside arguments: borrowing JSONView,
    to writer: inout ByteWriter
  ) {
    let own = arguments.rawText
    var isFirst = true
    writer.byte(UInt8(ascii: "{"))
    for index in 0..<defaults.count where arguments.member(defaults[index].key) == nil {
      if !isFirst { writer.byte(UInt8(ascii: ",")) }
      writer.byte(UInt8(ascii: "\""))
      writer.text(defaults[index].key)
      writer.text("\":")
      writer.text(defaults[index].value)
      isFirst = false
    }
    // What stands after the bracket of an object that has no members.
    var start = 1
    while start < own.count - 1, own[start] <= 0x20 { start += 1 }
    if !isFirst, own[start] != UInt8(ascii: "}") { writer.byte(UInt8(ascii: ",")) }
    writer.bytes(own.extracting(start..<own.count))
  }

  // MARK: Results

  private var resultRoom: UnsafeMutableBufferPointer<UInt8>? {
    guard let room = lending?.bytes else { return nil }
    return UnsafeMutableBufferPointer(rebasing: room[Budget.lentArgumentBytes...])
  }

  /// Gives the members of a result to the board's own agent.
  func give(_ tag: Int, isError: Bool, _ members: (inout JSONWriter) -> Void) {
    giveWhole(tag, isError: isError, { Self.write(members, to: &$0) })
  }

  /// Gives a result that `build` writes as a whole.
  func giveWhole(_ tag: Int, isError: Bool, _ build: (inout JSONWriter) -> Void) {
    guard let room = resultRoom else { return }
    var writer = JSONWriter(into: room)
    build(&writer)
    guard writer.isComplete else {
      // A failure is short.
      if !isError { fail(.borrower(tag), "the answer is too long for a message") }
      return
    }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<writer.count])
    _ = borrower?.toolEnded(tag, text, isError: isError, picture: nil)
  }

  /// Gives a result with a blob to the board's own agent: a picture beside it, or facts within it. True when it has
  /// taken the blob.
  func give(_ tool: Int, _ tag: Int, _ blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    guard let room = resultRoom else { return false }
    guard blob.form == .base64 else {
      give(tag, isError: false) { writer in
        self.writeSentence(of: tool, to: &writer)
        writer.endArray()
        writer.key("structuredContent")
        Self.write(build, with: blob.bytes, to: &writer)
      }
      return false
    }
    var writer = JSONWriter(into: room)
    Self.write(
      { writer in
        self.writeSentence(of: tool, to: &writer)
        Self.writePictureFacts(blob.bytes, to: &writer)
      }, to: &writer)
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<min(writer.count, room.count)])
    let isJPEG = !blob.bytes.isEmpty && blob.bytes[0] == 0xFF
    return borrower?.toolEnded(tag, text, isError: false, picture: isJPEG ? blob : nil) ?? false
  }

  /// Writes the value that `build` writes, with bytes of JSON where it says.
  private static func write(
    _ build: (inout JSONWriter) -> Int, with bytes: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { room in
      var parts = JSONWriter(into: room)
      let split = build(&parts)
      guard parts.isComplete, split >= 0, split <= parts.count else { return writer.null() }
      let whole = UnsafeBufferPointer(room)
      writer.raw(Span(_unsafeElements: UnsafeBufferPointer(rebasing: whole[..<split])))
      writer.escapedPiece(Span(_unsafeElements: bytes))
      writer.escapedPiece(Span(_unsafeElements: UnsafeBufferPointer(rebasing: whole[split..<parts.count])))
    }
  }

  /// The type and the size of a picture instead of it.
  static func writePictureFacts(_ bytes: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("type")
    writer.string("image")
    writer.key("mimeType")
    writer.string(type(of: bytes))
    writer.key("bytes")
    writer.int(Int64(bytes.count))
    writer.endObject()
    writer.endArray()
  }

  /// A PNG begins with 0x89 (its specification, section 5.2), a JPEG with 0xFF (T.81, B.1.1.3).
  static func type(of picture: UnsafeBufferPointer<UInt8>) -> StaticString {
    !picture.isEmpty && picture[0] == 0x89 ? "image/png" : "image/jpeg"
  }
}
