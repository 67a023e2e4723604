import Codec
import Runtime

/// Why a tool of a server is not passed on.
public enum MCPToolRefusal: Equatable, Sendable, CaseIterable {
  /// It has no name; its name, with the server's before it, is too long for gateways.
  case noName, longName
  /// Another tool of the server has the same name in the form that gateways take; one of the board has it.
  case repeated, taken
  /// Its arguments are no object; they are described at too great a length, or nested too deep.
  case noSchema, longSchema
  /// It can only be called as a task of its own, which Talon does not.
  case needsTask
  /// There are more than `Budget.mcpTools`; together they are too long.
  case tooMany, noRoom
  /// The list goes on, and is not read further.
  case longList

  /// What a person reads of it: "is left out: ...".
  public var sentence: StaticString {
    switch self {
    case .noName: "it has no name"
    case .longName: "its name is too long for gateways"
    case .repeated: "another tool of the server has the same name for gateways"
    case .taken: "a tool of this board has its name"
    case .noSchema: "its arguments are not described as an object"
    case .longSchema: "the description of its arguments is too long, or nested too deep"
    case .needsTask: "it can only be called as a task"
    case .tooMany: "the server has too many tools; name those to publish with tools = ..."
    case .noRoom: "the descriptions of all tools together are too long"
    case .longList: "the server's list goes on further than this board reads it"
    }
  }
}

/// One tool of a server.
public struct MCPTool {
  /// Its name for agents: the server's, `_`, and its own, of letters, digits, `_` and `-`.
  public let name: UnsafeBufferPointer<UInt8>
  /// Its name for the server, as JSON text.
  public let remoteName: UnsafeBufferPointer<UInt8>
  /// The server's words on one line.
  public let description: UnsafeBufferPointer<UInt8>
  /// The schema of its arguments, JSON text that begins with `{"type":"object","properties":{`.
  public let schema: UnsafeBufferPointer<UInt8>
  /// True when the owner says so.
  public let isSafe: Bool

  /// True when its schema names an argument.
  func hasArgument(_ name: StaticString) -> Bool {
    guard let properties = JSONView(Span(_unsafeElements: schema)).member("properties") else { return false }
    return properties.member(name) != nil
  }
}

/// The tools that a server has told, in memory of fixed size. What the views of it show is valid until it is changed.
public final class MCPToolList {
  /// Where the parts of a tool stand: each begins where the one before ends.
  private struct Entry: Equatable {
    var start: Int32
    var remoteName: Int32
    var description: Int32
    var schema: Int32
    var end: Int32
    var isSafe: Bool
  }

  private let text: ReservedBuffer
  private let entries: UnsafeMutableBufferPointer<Entry>
  private var used = 0
  /// Tools in the list.
  public private(set) var count = 0
  /// Tools that the owner does not want, and those that were refused.
  public private(set) var unwanted = 0
  public private(set) var refused = 0
  /// Why the last one was refused, and its name.
  public private(set) var refusal: (reason: MCPToolRefusal, name: InlineText<64>)?

  /// An empty list.
  @export(interface)
  public init() throws(Errno) {
    text = try ReservedBuffer(capacity: Budget.mcpListBytes)
    entries = .allocate(capacity: Budget.mcpTools)
    entries.initialize(repeating: Entry(start: 0, remoteName: 0, description: 0, schema: 0, end: 0, isSafe: false))
  }

  deinit { entries.deallocate() }

  /// The tool at an index below `count`.
  public subscript(_ index: Int) -> MCPTool {
    let entry = entries[index]
    return MCPTool(
      name: part(entry.start, entry.remoteName), remoteName: part(entry.remoteName, entry.description),
      description: part(entry.description, entry.schema), schema: part(entry.schema, entry.end),
      isSafe: entry.isSafe)
  }

  private func part(_ start: Int32, _ end: Int32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[Int(start)..<Int(end)])
  }

  /// The tool of this name for agents.
  public func index(of name: Span<UInt8>) -> Int? {
    for index in 0..<count where Span(_unsafeElements: self[index].name).isSame(as: name) { return index }
    return nil
  }

  /// Forgets all.
  func removeAll() {
    (used, count, unwanted, refused) = (0, 0, 0, 0)
    refusal = nil
  }

  /// True when an agent reads the same of both, and a person, too, who is told what was left out.
  func isSame(as other: MCPToolList) -> Bool {
    guard count == other.count, used == other.used, refused == other.refused, unwanted == other.unwanted else {
      return false
    }
    for index in 0..<count where entries[index] != other.entries[index] { return false }
    let (mine, others) = (part(0, Int32(used)), other.part(0, Int32(used)))
    return Span(_unsafeElements: mine).isSame(as: Span(_unsafeElements: others))
  }

  // MARK: Reading

  /// Adds a tool as the server tells it, or counts why not. `isTaken`: a tool of the board has this name.
  func add(_ tool: borrowing JSONView, _ settings: MCPSettings, _ isTaken: (Span<UInt8>) -> Bool) {
    let named = tool.member("name")
    guard let view = named, view.kind == .string, let length = view.stringLength, length > 0 else {
      return refuse(.noName, InlineText())
    }
    let shown: InlineText<64> = MCPText.quoted(view)
    guard settings.tools.isEmpty || Self.contains(settings.tools, view) else { return unwanted += 1 }
    guard length <= Budget.mcpRemoteNameBytes else { return refuse(.longName, shown) }
    if count == Budget.mcpTools { return refuse(.tooMany, shown) }
    var entry = Entry(
      start: Int32(used), remoteName: 0, description: 0, schema: 0, end: 0,
      isSafe: Self.contains(settings.safe, view))
    let room = UnsafeMutableBufferPointer(rebasing: text.bytes[used...])
    var writer = ByteWriter(into: room)
    guard Self.writeName(settings.name, view, to: &writer) else { return refuse(.longName, shown) }
    // Written in full: there is room for a name, or nothing of this is used.
    guard writer.isComplete else { return refuse(.noRoom, shown) }
    let name = Span(_unsafeElements: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<writer.count]))
    if index(of: name) != nil { return refuse(.repeated, shown) }
    if isTaken(name) { return refuse(.taken, shown) }
    entry.remoteName = Int32(used + writer.count)
    writer.bytes(view.rawText)
    entry.description = Int32(used + writer.count)
    Self.writeDescription(tool, to: &writer)
    entry.schema = Int32(used + writer.count)
    if let reason = Self.writeSchema(tool, to: &writer) { return refuse(reason, shown) }
    guard writer.isComplete else { return refuse(.noRoom, shown) }
    if Self.needsTask(tool) { return refuse(.needsTask, shown) }
    used += writer.count
    entry.end = Int32(used)
    entries[count] = entry
    count += 1
  }

  private func refuse(_ reason: MCPToolRefusal, _ name: InlineText<64>) {
    refused += 1
    refusal = (reason, name)
  }

  /// The list goes on, and is not asked for any more: a person is told, for nobody knows which tools those are.
  func refuseRest() { refuse(.longList, InlineText(cutting: "all others")) }

  private static func contains(_ names: [String], _ name: borrowing JSONView) -> Bool {
    for index in 0..<names.count where name.equals(names[index].utf8.span) { return true }
    return false
  }

  /// The server's name, `_`, and the tool's, in which everything but letters, digits, `_` and `-` becomes `_`.
  private static func writeName(_ server: String, _ name: borrowing JSONView, to writer: inout ByteWriter) -> Bool {
    var words = InlineText<128>()
    let isRead = words.fill { name.copyString(into: $0) }
    guard isRead, server.utf8.count + 1 + words.count <= Budget.mcpToolNameBytes else { return false }
    writer.text(server)
    writer.byte(UInt8(ascii: "_"))
    for index in 0..<words.count {
      let byte = words.span[index]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        writer.byte(byte)
      default: writer.byte(UInt8(ascii: "_"))
      }
    }
    return true
  }

  /// Its description, or its title where it has none.
  private static func writeDescription(_ tool: borrowing JSONView, to writer: inout ByteWriter) {
    var words = InlineText<600>()
    if let description = tool.member("description") { words = MCPText.quoted(description) }
    if words.isEmpty, let title = tool.member("title") { words = MCPText.quoted(title) }
    writer.bytes(words.span)
  }

  /// The schema with `type` and `properties` first, which is where a question to the people at the board is put in.
  private static func writeSchema(_ tool: borrowing JSONView, to writer: inout ByteWriter) -> MCPToolRefusal? {
    let found = tool.member("inputSchema")
    guard let schema = found, schema.kind == .object else { return .noSchema }
    let raw = schema.rawText
    guard raw.count <= Budget.mcpSchemaBytes else { return .longSchema }
    do throws(JSONError) { try JSONValidator.check(raw, depthLimit: Budget.mcpSchemaDepth) } catch {
      return .longSchema
    }
    if let type = schema.member("type"), !type.equals("object") { return .noSchema }
    writer.text(#"{"type":"object","properties":"#)
    if let properties = schema.member("properties") {
      guard properties.kind == .object else { return .noSchema }
      writeObject(properties, to: &writer)
    } else {
      writer.text("{}")
    }
    var members = schema.members()
    while let member = members.next() {
      if member.name.equals("type") || member.name.equals("properties") || member.name.equals("$schema") { continue }
      writer.text(",")
      writer.bytes(member.name.rawText)
      writer.text(":")
      writer.bytes(member.value.rawText)
    }
    writer.text("}")
    return nil
  }

  /// An object without white space after its bracket.
  private static func writeObject(_ object: borrowing JSONView, to writer: inout ByteWriter) {
    let raw = object.rawText
    var start = 1
    while start < raw.count, raw[start] <= 0x20 { start += 1 }
    writer.text("{")
    writer.bytes(raw.extracting(start..<raw.count))
  }

  /// `execution.taskSupport` of the revision of 2025-11-25.
  private static func needsTask(_ tool: borrowing JSONView) -> Bool {
    guard let execution = tool.member("execution"), let support = execution.member("taskSupport") else { return false }
    return support.equals("required")
  }
}
