import Runtime
import Testing

@testable import A2UI

@Suite("Actions")
struct ActionTests {
  private func button(_ id: String, _ name: String, _ context: String? = nil) -> String {
    let context = context.map { #","context":\#($0)"# } ?? ""
    return component(id, "Button", #""child":"l","action":{"name":"\#(name)"\#(context)}"#)
  }

  private func page(_ name: String, _ context: String? = nil, surface: String = "main", id: String = "btn") -> Page {
    Page().push(update(button(id, name, context), surface: surface), begin(id, surface: surface))
  }

  private func line(
    _ page: Page, _ index: Int = 0, session: String = "main", host: String = "pi", instance: String = "i",
    sendsObscured: Bool = false
  ) -> String {
    written {
      let tags = ActionTags(session: session.utf8.span, host: host.utf8.span, instance: instance.utf8.span)
      _ = page.tree.writeLine(index, tags, sendsObscured: sendsObscured, into: &$0)
    }
  }

  private func shortLine(_ page: Page, _ index: Int = 0, session: String = "main") -> String {
    written { _ = page.tree.writeLine(index, ActionTags(session: session.utf8.span), sendsObscured: false, into: &$0) }
  }

  private func action(_ page: Page, _ index: Int = 0, id: String = "", sendsObscured: Bool = false) -> String {
    json {
      _ = page.tree.writeAction(index, id: id.utf8.span, at: 1_767_225_600_000, sendsObscured: sendsObscured, into: &$0)
    }
  }

  @Test("the message reads as official clients write it")
  func vector() {
    let page = page("Get Weather", #"[{"key":"city","value":{"literalString":"Vienna"}}]"#, id: "btnWeather")
    #expect(
      line(page, host: "Peter’s iPad", instance: "ipad16,6")
        == #"CANVAS_A2UI action=Get_Weather session=main surface=main component=btnWeather host=Peter_s_iPad instance=ipad16_6 ctx={"city":"Vienna"} default=update_canvas"#
    )
    #expect(
      shortLine(page)
        == #"CANVAS_A2UI action=GetWeather session=main surface=main component=btnWeather ctx={"city":"Vienna"} default=update_canvas"#
    )
  }

  @Test("without a context there is no ctx; the short form has one when it is given")
  func noContext() {
    #expect(
      line(page("go"))
        == "CANVAS_A2UI action=go session=main surface=main component=btn host=pi instance=i default=update_canvas")
    #expect(!line(page("go", "[]")).contains("ctx="))
    #expect(!shortLine(page("go")).contains("ctx="))
    #expect(shortLine(page("go", "[]")).contains(" ctx={} default="))
  }

  @Test(
    "hostile characters become underlines, one for each",
    arguments: [
      ("  a b  ", "a_b"), ("", "-"), (" \\t\\n ", "-"), ("a\\nb=c d", "a_b_c_d"), ("é€😀", "___"),
      ("a.b-c:d_e", "a.b-c:d_e"),
      ("\\u00a0x\\u2003\\u3000", "x"), ("ctx={}", "ctx___"), ("a\\u0000b", "a_b"), ("\\u200bx", "_x"),
    ])
  func hostile(name: String, tag: String) {
    #expect(line(page(name)).hasPrefix("CANVAS_A2UI action=\(tag) session="))
    #expect(!line(page(name)).contains("\n"))
  }

  @Test("the short form leaves them out, cuts at 120, and has words for nothing")
  func short() {
    let page = page("é€ ", surface: String(repeating: "s", count: 130), id: "!!")
    let s = String(repeating: "s", count: 120)
    #expect(
      shortLine(page, session: " ")
        == "CANVAS_A2UI action=unknown session=main surface=\(s) component=node default=update_canvas")
  }

  @Test("values of the context are resolved, missing ones are null, and strings stay on one line")
  func context() {
    let page = Page().push(
      update(
        button(
          "root", "go",
          #"[{"key":"t","value":{"path":"/t"}},{"key":"n","value":{"literalNumber":2.50}},{"key":"b","value":{"literalBoolean":false}},{"key":"none","value":{"path":"/x"}},{"key":"map","value":{"path":"m"}},{"key":"empty"},{"key":"bare","value":"x"}]"#
        )),
      data(entry("t", "a\\nb\\u0007"), entry("m", map: entry("k", 1))), begin())
    #expect(
      line(page).contains(
        #"ctx={"t":"a\nb\u0007","n":2.5,"b":false,"none":null,"map":{"k":1},"empty":null,"bare":"x"} default"#))
  }

  @Test("a button in a template reports its element and its own id")
  func template() {
    let page = Page().push(
      update(list("root", of: "b", at: "/items"), button("b", "pick", #"[{"key":"id","value":{"path":"/id"}}]"#)),
      #"{"dataModelUpdate":{"contents":{"items":[{"id":"x"},{"id":"y"}]}}}"#, begin())
    #expect(line(page, 2).contains(#"component=b:1 host=pi instance=i ctx={"id":"y"}"#))
    #expect(
      action(page, 2)
        == #"{"name":"pick","surfaceId":"main","sourceComponentId":"b:1","timestamp":"2026-01-01T00:00:00.000Z","context":{"id":"y"}}"#
    )
    #expect(action(page, 1, id: "uuid").hasPrefix(#"{"id":"uuid","name":"pick","#))
  }

  @Test("a button without an action, or one without a name, says nothing")
  func silent() {
    let page = Page().push(
      update(
        column("root", "a", "b", "c"), component("a", "Button"), component("b", "Button", #""action":{}"#),
        component("c", "Button", #""action":{"name":"x"}"#)), begin())
    #expect([1, 2, 3].map { page.tree.hasAction($0) } == [false, false, true])
    #expect(line(page, 1) == "")
    #expect(action(page, 2) == "")
  }

  @Test("a context that is too long loses its longest values and says so")
  func long() {
    let long = String(repeating: "x", count: 15_000)
    let page = page(
      "go", #"[{"key":"a","value":"\#(long)"},{"key":"b","value":"\#(long)y"},{"key":"c","value":"short"}]"#)
    let line = line(page)
    #expect(line.contains(#""c":"short","_truncated":true}"#))
    #expect(line.contains(#"{"a":"xxx"#))
    #expect(!line.contains(#""b":"#))
    #expect(line.utf8.count <= Budget.a2uiActionCharacters)
  }

  @Test("the longest context that fits is sent whole, and one byte more is not")
  func edge() {
    func sent(_ length: Int) -> String {
      line(page("go", #"[{"key":"a","value":"\#(String(repeating: "x", count: length))"}]"#))
    }
    let rest = sent(0).utf8.count
    #expect(sent(Budget.a2uiActionCharacters - rest).utf8.count == Budget.a2uiActionCharacters)
    #expect(sent(Budget.a2uiActionCharacters - rest + 1).contains(#"ctx={"_truncated":true} default"#))
  }

  @Test("names are cut, so that the message never is too long")
  func longNames() {
    let long = String(repeating: "n", count: 30_000)
    let line = line(page(long), session: long, host: long, instance: long)
    #expect(line.utf8.count < Budget.a2uiActionCharacters)
    #expect(line.contains("action=\(String(repeating: "n", count: Budget.a2uiLongTagCharacters)) session"))
  }

  @Test("an id of many long keys is cut")
  func longId() {
    let key = String(repeating: "k", count: Budget.a2uiKeyBytes)
    let inner = (0..<6).reduce(#"{"leaf":1}"#) { json, _ in #"{"\#(key)":\#(json)}"# }
    let templates = (0..<6).map { list("t\($0)", of: "t\($0 + 1)", at: $0 == 0 ? "/all" : ".") }.joined(separator: ",")
    let page = Page().push(
      #"{"surfaceUpdate":{"surfaceId":"main","components":[\#(templates),\#(button("t6", "go"))]}}"#,
      #"{"dataModelUpdate":{"surfaceId":"main","contents":{"all":\#(inner)}}}"#, begin("t0"))
    #expect(page.tree.count == 7)
    #expect(page.id(6).utf8.count > Budget.a2uiInstanceIdBytes)
    let line = line(page, 6)
    #expect(line.contains("component=t6:kkk"))
    #expect(line.utf8.count < Budget.a2uiInstanceIdBytes + 200)
  }

  @Test("entries beyond the limit are left out")
  func entries() {
    let entries = (0...Budget.a2uiContextEntries).map { #"{"key":"k\#($0)","value":1}"# }.joined(separator: ",")
    let line = line(page("go", "[\(entries)]"))
    #expect(line.contains(#""k\#(Budget.a2uiContextEntries - 1)":1"#))
    #expect(!line.contains(#""k\#(Budget.a2uiContextEntries)":1"#))
    #expect(line.contains(#","_truncated":true}"#))
    #expect(action(page("go", "[\(entries)]")).contains(#","_truncated":true}"#))
  }

  @Test("what an obscured field holds is sent only if its path is named and sending is on")
  func obscured() {
    let page = Page().push(
      update(
        column("root", "field", "send"),
        component("field", "TextField", #""text":{"path":"/login/word"},"textFieldType":"obscured""#),
        button("send", "go", #"[{"key":"w","value":{"path":"/login/word"}},{"key":"all","value":{"path":"/login"}}]"#)),
      data(entry("user", "ann"), at: "/login"), begin())
    #expect(page.enter(1, "hunter2"))
    page.update()
    #expect(line(page, 2).contains(#"ctx={"all":{"user":"ann"}}"#))
    #expect(line(page, 2, sendsObscured: true).contains(#"ctx={"w":"hunter2","all":{"user":"ann"}}"#))
    #expect(action(page, 2).contains(#""context":{"all":{"user":"ann"}}"#))
    page.push(data(entry("word", "given"), at: "/login"))
    #expect(!line(page, 2).contains("given"))
  }
}
