import Codec
import Runtime

/// Reads the answer of `GET /v1/models` as it arrives ("List models", OpenAI's API reference), and looks for one model.
public final class ModelList {
  private let memory = FixedBuffer(capacity: Budget.modelListEntryBytes)
  private let wanted = FixedBuffer(capacity: Budget.modelNameBytes)
  private var wantedCount = 0
  private var reader: EntryReader
  private var received = 0
  private var fault: ModelFault?
  /// Models in the list.
  public private(set) var count: UInt32 = 0
  /// The wanted model is there.
  public private(set) var isThere = false
  /// The name of the first model, for a hint; empty when there is none, or it is very long.
  public private(set) var first = InlineText<128>()

  /// A reader; takes 8 KiB.
  @export(interface)
  public init() {
    precondition(Budget.modelNameBytes == 128)
    reader = EntryReader(into: memory.bytes)
  }

  /// Begins with a new list, in which `name` is looked for. A name longer than `Budget.modelNameBytes` is never there.
  public func begin(_ name: Span<UInt8>) {
    wantedCount = 0
    if name.count <= wanted.bytes.count {
      for index in 0..<name.count { wanted.bytes[index] = name[index] }
      wantedCount = name.count
    }
    reader = EntryReader(into: memory.bytes)
    (received, count, isThere, fault) = (0, 0, false, nil)
    first.clear()
  }

  /// Takes the next bytes of the body.
  /// - Returns: false when nothing more is needed: the model was found, or there is a fault.
  @discardableResult
  public func take(_ bytes: Span<UInt8>) -> Bool {
    if fault != nil { return false }
    received = received.adding(clamping: bytes.count)
    guard received <= Budget.modelListBytes else { return fail(.tooLarge, "the list of models has more than 4 MiB") }
    var index = 0
    do throws(JSONError) {
      while let length = try reader.next(bytes, at: &index) { take(length) }
    } catch {
      return fail(.malformed, "the list of models is not JSON")
    }
    return !isThere
  }

  /// No more bytes come, or none are needed.
  /// - Returns: true when the model is in the list.
  public func finish() throws(ModelFault) -> Bool {
    if isThere { return true }
    if let fault { throw fault }
    do throws(JSONError) {
      try reader.finish()
    } catch {
      throw ModelFault(.cut, message: StaticString("the list of models").utf8Bytes, hiding: StaticString("").utf8Bytes)
    }
    guard reader.hasList else {
      let message: StaticString = "there is no list of models in it"
      throw ModelFault(.malformed, message: message.utf8Bytes, hiding: StaticString("").utf8Bytes)
    }
    return false
  }

  private func take(_ length: Int) {
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory.bytes)[..<length])
    let entry = JSONView(Span(_unsafeElements: text))
    guard let id = entry.member("id"), id.kind == .string else { return }
    if count == 0 { first.fill { id.copyString(into: $0) } }
    count = count.adding(clamping: 1)
    if isWanted(id) { isThere = true }
  }

  /// Google's server puts `models/` before the names, and Ollama `:latest` after them.
  private func isWanted(_ id: borrowing JSONView) -> Bool {
    let name = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(wanted.bytes)[..<wantedCount])
    guard wantedCount > 0 else { return false }
    if id.equals(Span(_unsafeElements: name)) { return true }
    var room = InlineText<144>()
    guard room.fill({ id.copyString(into: $0) }) else { return false }
    let text = room.span
    let (prefix, suffix): (StaticString, StaticString) = ("models/", ":latest")
    let start = text.hasPrefix(prefix) ? prefix.utf8CodeUnitCount : 0
    let end = text.hasSuffix(suffix) ? text.count - suffix.utf8CodeUnitCount : text.count
    return start <= end && text.extracting(start..<end).isSame(as: Span(_unsafeElements: name))
  }

  private func fail(_ kind: ModelFault.Kind, _ message: StaticString) -> Bool {
    fault = ModelFault(kind, message: message.utf8Bytes, hiding: StaticString("").utf8Bytes)
    return false
  }
}
