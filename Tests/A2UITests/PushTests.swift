import Runtime
import Testing

@testable import A2UI

@Suite("Pushes")
struct PushTests {
  private let first = update(label("root"))

  @Test("lines end in LF or CRLF, empty ones do not count, and a byte order mark is no part of the first")
  func lines() {
    let page = Page().push(text: "\u{FEFF}\r\n" + first + "\r\n\n  \t\r\n" + begin() + "\n")
    #expect(page.outline == "root")
    #expect(page.summary == PushSummary(messages: 2, hasChanged: true))
  }

  @Test("messages come as an array, or as a string of lines")
  func messages() throws {
    for text in [
      "[\(first), \(begin())]",
      "\"\((first + "\n" + begin()).replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\"",
    ] {
      let page = Page()
      #expect(try page.store.push(messages: text.utf8.span).messages == 2)
      page.update()
      #expect(page.outline == "root")
    }
  }

  @Test(
    "malformed messages are refused with what and where",
    arguments: [
      ("", "INVALID_REQUEST: there is no message in it"),
      ("\n \r\n", "INVALID_REQUEST: there is no message in it"),
      ("nonsense", "INVALID_A2UI_JSONL: line 1: not JSON: unexpected character at byte 2"),
      ("{\"surfaceUpdate\":{}}\n{\"a\":", "INVALID_A2UI_JSONL: line 2: not JSON: it ends in the middle"),
      ("\n[]", "INVALID_A2UI_JSONL: line 2: expected one object with one message of A2UI"),
      (
        "{}",
        "INVALID_A2UI_JSONL: line 1: expected exactly one of surfaceUpdate, dataModelUpdate, beginRendering, deleteSurface, or of v0.9 createSurface, updateComponents, updateDataModel; found none"
      ),
      (
        #"{"surface":1,"b":2}"#,
        "INVALID_A2UI_JSONL: line 1: expected exactly one of surfaceUpdate, dataModelUpdate, beginRendering, deleteSurface, or of v0.9 createSurface, updateComponents, updateDataModel; found surface, b"
      ),
      (
        #"{"surfaceUpdate":{},"deleteSurface":{}}"#,
        "INVALID_A2UI_JSONL: line 1: expected exactly one of surfaceUpdate, dataModelUpdate, beginRendering, deleteSurface, or of v0.9 createSurface, updateComponents, updateDataModel; found surfaceUpdate, deleteSurface"
      ),
    ])
  func refused(text: String, message: String) {
    #expect(Page().refusal(text) == message)
  }

  @Test("nothing of a push is taken when its last line is malformed")
  func allOrNothing() {
    let page = Page()
    #expect(page.refusal([first, begin(), "{"].joined(separator: "\n")) != nil)
    #expect(page.store.count == 0)
    #expect(page.store.revision == 0)
  }

  @Test("elements of messages are named by their number; anything but an array or a string is refused")
  func elements() {
    let page = Page()
    func refusal(_ text: String) -> String {
      do throws(PushError) { _ = try page.store.push(messages: text.utf8.span) } catch { return A2UITests.text(error) }
      return ""
    }
    #expect(refusal(#"[{"deleteSurface":{}},7]"#).contains("message 2: expected one object"))
    #expect(refusal("{}") == "INVALID_REQUEST: messages[] required")
    #expect(refusal("[]") == "INVALID_REQUEST: there is no message in it")
    #expect(refusal("[").contains("not JSON"))
  }

  @Test("v0.8's version, other top-level keys and a missing surface id are tolerated")
  func tolerated() {
    let page = Page().push(
      #"{"version":"v0.8","note":1,"surfaceUpdate":{"components":[{"id":"root","component":{"Text":{"text":"x"}}}]}}"#,
      #"{"beginRendering":{"root":"root"}}"#)
    #expect(page.outline == "root")
    #expect(
      page.warnings == [
        #"line 1: surfaceUpdate has "note", which is not read"#, "line 1: no surfaceId, taken as \"main\"",
        "line 2: no surfaceId, taken as \"main\"",
      ])
  }

  @Test("messages without what they need are reported and do nothing")
  func warned() {
    let page = Page().push(
      #"{"surfaceUpdate":{"surfaceId":"a"}}"#, #"{"surfaceUpdate":5}"#,
      #"{"surfaceUpdate":{"surfaceId":"a","components":[{"component":{"Text":{}}},7]}}"#,
      #"{"dataModelUpdate":{"surfaceId":"a"}}"#, #"{"dataModelUpdate":{"surfaceId":"a","path":3,"contents":[]}}"#,
      #"{"deleteSurface":{"surfaceId":"unknown"}}"#)
    #expect(page.warnings.count == 7)
    #expect(page.store.warnings.stopped == 0)
    #expect(!page.summary.hasChanged)
  }

  @Test("the answer lists surfaces with a root in order of creation, and the warnings")
  func answer() {
    let page = Page().push(
      update(label("r"), surface: "b"), begin("r", surface: "a"), begin("r", surface: "b"),
      update(label("r"), surface: "c"))
    #expect(json { page.store.writeAnswer(into: &$0) } == #"{"ok":true,"surfaces":["b","a"]}"#)
    page.push(#"{"deleteSurface":{}}"#)
    let warnings = #"["line 1: no surfaceId, taken as \"main\"","line 1: there is no surface \"main\" to delete"]"#
    #expect(
      json { page.store.writeAnswer(into: &$0) } == #"{"ok":true,"surfaces":["b","a"],"warnings":\#(warnings)}"#)
  }

  @Test("a redefinition replaces the whole component, and the same one again changes nothing")
  func redefinition() {
    let page = Page().push(update(component("root", "Text", #""text":"a","usageHint":"h1""#)), begin())
    let revision = page.store.revision
    page.push(update(component("root", "Text", #""text":"a","usageHint":"h1""#)), begin())
    #expect(page.store.revision == revision)
    page.push(update(component("root", "Text", #""text":"b""#)))
    #expect(page.string("root") == "b")
    #expect(page.string("root", "usageHint") == nil)
    page.push(update(component("root", "Icon", #""name":"home""#)))
    #expect(page.tree[0].type == .icon)
  }

  @Test("a deleted surface is gone, and one made under its id begins empty")
  func delete() {
    let page = Page().push(update(column("root", "a"), label("a")), data(entry("x", "1")), begin())
    let old = page.store.surface(at: 0)
    page.push(#"{"deleteSurface":{"surfaceId":"main"}}"#)
    #expect(page.store.count == 0)
    #expect(!page.store.exists(old))
    #expect(page.store.revision(old) == 0)
    page.push(update(label("b")), begin("a"))
    #expect(page.store.surface(at: 0) != old)
    #expect(page.outline == "")
    #expect(page.model() == "")
  }

  @Test("an update changes its own surface's revision alone, and reset drops all")
  func revisions() {
    let page = Page().push(update(label("r"), surface: "a"), update(label("r"), surface: "b"))
    let (a, b) = (page.store.surface(at: 0), page.store.surface(at: 1))
    let before = page.store.revision(b)
    let old = page.store.revision(a)
    page.push(data(entry("x", "1"), surface: "a"))
    #expect(page.store.revision(b) == before)
    #expect(page.store.revision(a) > old)
    page.store.reset()
    #expect(page.store.count == 0)
    #expect(page.dump == "{}")
  }

  @Test("styles are read, and change the revision when they change")
  func styles() {
    let line =
      ##"{"beginRendering":{"surfaceId":"main","root":"r","styles":{"primaryColor":"#FF8000","font":"Roboto","zzz":1}}}"##
    let page = Page().push(line)
    let surface = page.store.surface(at: 0)
    #expect(page.store.primaryColor(surface) == 0xFF8000)
    if let font = page.store.font(surface) { #expect(string(font) == "Roboto") } else { Issue.record("no font") }
    let revision = page.store.revision
    page.push(line)
    #expect(page.store.revision == revision)
    page.push(line.replacing("#FF8000", with: "#f80"))
    #expect(page.store.revision > revision)
    #expect(page.store.primaryColor(surface) == 0xFF8800)
    page.push(line.replacing("#FF8000", with: "orange"))
    #expect(page.store.primaryColor(surface) == nil)
  }
}
