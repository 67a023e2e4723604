import A2UI
import Codec
import Runtime

/// What is sent to a canvas means the same in one push and in many, if each of its lines can be read by itself: a
/// message may be spread over several, and behind the cut of an array anything may stand. Whatever it is, trees hang
/// together, dumps are JSON, messages to the agent are one line of bounded length, and it can be drawn.
func checkA2UI(_ bytes: [UInt8]) {
  let whole = Shown()
  let isTaken = whole.push(bytes)
  let inParts = Shown()
  if isTaken, !whole.isCut {
    var isReadByLine = true
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.contains(where: { $0 > 0x20 }) {
      if !inParts.push(Array(line)) { isReadByLine = false }
    }
    expect(!isReadByLine || whole.dump() == inParts.dump(), "one push and many differ")
  }
  whole.check()
  _ = whole.push(bytes, asArray: true)
  whole.enter()
  whole.check()
  FuzzDocument.shared.check(bytes)
  whole.store.reset()
  expect(whole.dump() == Array("{}".utf8), "something stays after a reset")
  inParts.store.reset()
}

/// Stores are kept: they are much to make and nothing to reset.
private final class Shown {
  nonisolated(unsafe) private static var spare: [(SurfaceStore, InstanceTree)] = []

  let store: SurfaceStore
  private let tree: InstanceTree

  init() {
    if let (store, tree) = Self.spare.popLast() {
      self.store = store
      self.tree = tree
      return
    }
    guard let store = try? SurfaceStore(), let tree = try? InstanceTree(store) else { fatalError("no address space") }
    self.store = store
    self.tree = tree
  }

  deinit {
    tree.clear()
    Self.spare.append((store, tree))
  }

  func push(_ bytes: [UInt8], asArray: Bool = false) -> Bool {
    do throws(PushError) {
      let summary = asArray ? try store.push(messages: bytes.span) : try store.push(jsonl: bytes.span)
      return summary.messages > 0
    } catch {
      var writer = ByteWriter()
      error.writeMessage(to: &writer)
      expect(writer.count > 20, "an error without a text")
      return false
    }
  }

  /// The last push was an array that is cut.
  var isCut: Bool {
    for index in 0..<store.warnings.kept {
      let line = store.warnings.line(index)
      let text = line.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      if text.contains("the array of messages is not closed") { return true }
    }
    return false
  }

  func check() {
    checkJSON(dump(), "the dump")
    checkJSON(written { self.store.writeAnswer(into: &$0) }, "the answer")
    for place in 0..<store.count {
      _ = tree.update(store.surface(at: place))
      for index in 0..<min(tree.count, 200) { check(index) }
    }
  }

  /// Types into everything that can be typed into.
  func enter() {
    for place in 0..<store.count {
      _ = tree.update(store.surface(at: place))
      for index in 0..<min(tree.count, 50) {
        let text = Array("typed".utf8)
        _ = tree.set(index, "text", to: text.span)
        _ = tree.set(index, "value", to: Double(index))
        _ = tree.select(index, option: 0, true)
      }
    }
  }

  private func check(_ index: Int) {
    let instance = tree[index]
    expect(instance.parent.map { $0 < index } ?? (index == 0), "a parent behind its child")
    expect(instance.nextSibling.map { $0 > index && $0 < tree.count } ?? true, "siblings out of order")
    expect(tree.index(of: instance.id) == index, "an id that leads elsewhere")
    for name: StaticString in ["text", "url", "label", "value"] {
      if let text = tree.string(index, name) { expect(text.count <= Budget.a2uiStringBytes, "\(text.count) bytes") }
      _ = tree.number(index, name)
      _ = tree.bool(index, name)
    }
    _ = tree.word(index, "usageHint", otherwise: TextUsage.body)
    for item in 0..<min(tree.itemCount(index, "options"), 10) { _ = tree.isSelected(index, option: item) }
    if let fault = tree.failedCheck(index) { expect(fault.count <= Budget.a2uiStringBytes, "a long fault") }
    if let address = tree.openedAddress(index) { expect(!address.isEmpty, "an address that is empty") }
    if let icon = tree.iconAddress(index, color: 0) { expect(icon.count < 4 * Budget.a2uiIconBytes, "a long icon") }
    guard tree.hasAction(index) else { return }
    let id = Array("id".utf8)
    checkJSON(
      written { _ = self.tree.writeAction(index, id: id.span, at: 0, sendsObscured: true, into: &$0) }, "an action")
    var line = [UInt8](repeating: 0, count: Budget.a2uiActionCharacters)
    let name = Array("name".utf8)
    line.withUnsafeMutableBufferPointer { buffer in
      var writer = ByteWriter(into: buffer)
      let tags = ActionTags(session: name.span, host: name.span, instance: name.span)
      _ = tree.writeLine(index, tags, sendsObscured: false, into: &writer)
      expect(writer.isComplete, "a line of \(writer.count) bytes")
      checkLine(buffer, writer.count)
    }
  }

  private func checkLine(_ buffer: UnsafeMutableBufferPointer<UInt8>, _ count: Int) {
    for place in 0..<count { expect(buffer[place] >= 0x20, "a control character in the line") }
  }

  func dump() -> [UInt8] { written { self.store.writeSurfaces(into: &$0) } }

  private func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var counter = JSONWriter()
    write(&counter)
    var bytes = [UInt8](repeating: 0, count: counter.count)
    bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = JSONWriter(into: buffer)
      write(&writer)
      expect(writer.count == buffer.count, "written twice, it has another length")
    }
    return bytes
  }

  private func checkJSON(_ bytes: [UInt8], _ what: String) {
    var failure: JSONError?
    do throws(JSONError) { try JSONValidator.check(bytes.span, depthLimit: 512) } catch { failure = error }
    expect(failure == nil, "\(what) is no JSON: \(String(describing: failure))")
  }
}
