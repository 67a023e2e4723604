import CAllocationCounter
import Codec
import Runtime
import TestSupport
import Testing

@testable import A2UI

@Suite struct A2UIAllocationTests {
  @Test("pushes, trees, properties, input, actions and dumps allocate nothing after the start")
  func nothing() throws {
    let store = try SurfaceStore()
    let tree = try InstanceTree(store)
    let stream = Array(StreamTests.lines.joined(separator: "\n").utf8)
    let messages = Array("[\(StreamTests.lines.joined(separator: ","))]".utf8)
    let change = Array(update(bound("name", "other"), column("more", "name")).utf8)
    let session = Array("main".utf8)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
    defer { buffer.deallocate() }
    var sum = 0
    var number = 0.0

    // An error that is thrown is not counted: the testing library takes a backtrace of it.
    func push(_ bytes: [UInt8]) {
      do throws(PushError) { sum += try store.push(jsonl: bytes.span).messages } catch { sum = 0 }
    }
    func pushes() {
      push(stream)
      push(change)
      do throws(PushError) { sum += try store.push(messages: messages.span).messages } catch { sum = 0 }
    }
    func draw() {
      for place in 0..<store.count where tree.update(store.surface(at: place)) {
        for index in 0..<tree.count {
          if let text = tree.string(index, "text") { sum += text.count }
          sum +=
            Int(tree.word(index, "usageHint", otherwise: TextUsage.body).rawValue) + tree.itemCount(index, "tabItems")
          if let title = tree.itemString(index, "tabItems", 0, "title") { sum += title.count }
          sum += tree.bool(index, "value") == true || tree.isSelected(index, option: 0) ? 1 : 0
        }
      }
    }
    func enter() {
      _ = tree.update(store.surface(at: 0))
      number += 1
      for index in 0..<tree.count where tree.set(index, "text", to: number) { sum += 1 }
      for index in 0..<tree.count where tree.set(index, "text", to: session.span) { sum += 1 }
    }
    func act() {
      for index in 0..<tree.count {
        var writer = ByteWriter(into: buffer)
        _ = tree.writeLine(
          index, ActionTags(session: session.span, host: session.span, instance: session.span), sendsObscured: true,
          into: &writer)
        var json = JSONWriter(into: buffer)
        _ = tree.writeAction(index, id: session.span, at: 0, sendsObscured: false, into: &json)
        sum += writer.count + json.count
      }
    }
    func dump() {
      var writer = JSONWriter(into: buffer)
      store.writeSurfaces(into: &writer)
      store.writeAnswer(into: &writer)
      sum += writer.count
    }
    func reset() { store.reset() }

    let steps: [(String, () -> Void)] = [
      ("pushes", pushes), ("drawing", draw), ("input", enter), ("actions", act), ("dump", dump), ("reset", reset),
    ]
    // The first time makes what is made once.
    for (_, step) in steps { step() }
    for (name, step) in steps {
      let before = sum
      tl_count_allocations()
      step()
      #expect(tl_counted_allocations() == 0, "\(name)")
      #expect(sum > before || name == "reset", "\(name)")
    }
  }

  @Test("functions, checks, removals and icons of v0.9 allocate nothing after the start")
  func functions() throws {
    let store = try SurfaceStore()
    let tree = try InstanceTree(store)
    let stream = Array(try Repository.text("Tests/Fixtures/fuzz/a2ui/flat.jsonl").utf8)
    let id = Array("id".utf8)
    let names: [StaticString] = ["text", "value", "label"]
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
    defer { buffer.deallocate() }
    var sum = 0
    func step() {
      do throws(PushError) { sum += try store.push(jsonl: stream.span).messages } catch { sum = 0 }
      _ = tree.update(store.surface(at: 0))
      for index in 0..<tree.count {
        for place in 0..<names.count { sum += tree.string(index, names[place])?.count ?? 0 }
        sum += tree.failedCheck(index)?.count ?? 0
        sum += tree.openedAddress(index)?.count ?? 0
        sum += tree.iconAddress(index, color: 0)?.count ?? 0
        sum += tree.entersDate(index) && !tree.entersTime(index) ? 1 : 0
        var writer = ByteWriter(into: buffer)
        _ = tree.writeLine(
          index, ActionTags(session: id.span, host: id.span, instance: id.span), sendsObscured: false, into: &writer)
        sum += writer.count
      }
      store.reset()
    }
    step()
    let once = sum
    #expect(once > 300)
    tl_count_allocations()
    step()
    #expect(tl_counted_allocations() == 0 && sum == 2 * once)
  }

  @Test("a card of 30 components takes little more than its definitions")
  func cost() {
    let page = Page()
    let texts = (0..<28).map {
      component("text\($0)", "Text", #""text":{"path":"/card/line\#($0)"},"usageHint":"body""#)
    }
    let ids = (0..<28).map { "\"text\($0)\"" }.joined(separator: ",")
    let column = component("column", "Column", #""children":{"explicitList":[\#(ids)]}"#)
    let card = component("root", "Card", #""child":"column""#)
    let line =
      #"{"surfaceUpdate":{"surfaceId":"main","components":[\#(([card, column] + texts).joined(separator: ","))]}}"#
    let entries = (0..<28).map { entry("line\($0)", "What is said in this line") }.joined(separator: ",")
    page.push(line, #"{"dataModelUpdate":{"surfaceId":"main","path":"/card","contents":[\#(entries)]}}"#, begin())
    #expect(page.tree.count == 30)
    let components = Int(page.store.usedComponents) * MemoryLayout<Component>.stride
    let values = Int(page.store.data.used) * MemoryLayout<DataNode>.stride
    let instances = page.tree.count * MemoryLayout<Instance>.stride
    #expect(page.store.texts.end < line.utf8.count)
    #expect(components <= 30 * 72)
    #expect(values <= 64 * 64)
    #expect(instances <= 30 * 64)
    #expect(page.store.texts.end + page.store.data.texts.end + components + values + instances < 14_000)
  }
}
