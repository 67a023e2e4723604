import Codec
import Locales
import Runtime
import TestSupport
import Testing

@testable import A2UI

/// Takes texts that contain what is looked for.
private final class Containing: TextMatcher {
  func accepts(_ text: Span<UInt8>, _ expression: Span<UInt8>) -> Bool {
    string(text).contains(string(expression))
  }
}

@Suite("Functions of A2UI v0.9")
struct FunctionTests {
  private let page = Page()
  private let matcher = Containing()

  init() {
    page.store.matcher = matcher
    page.store.clock = { 1_790_000_000_000 }
    page.push(
      create(),
      put(
        #"{"name":"Ann","n":1234.5,"one":1,"none":"","list":["a","b"],"empty":[],"yes":true,"at":"2026-11-07T21:05:00"}"#
      ))
  }

  /// What a text shows whose `text` is this JSON.
  private func shown(_ json: String) -> String? {
    page.push(define(flat("root", "Text", #""text":\#(json)"#))).string("root")
  }

  private func call(_ name: String, _ args: String) -> String { #"{"call":"\#(name)","args":{\#(args)}}"# }

  private func filled(_ template: String) -> String? { shown(call("formatString", #""value":"\#(template)""#)) }

  @Test(
    "checks say true or false",
    arguments: [
      ("required", #""value":{"path":"/name"}"#, true), ("required", #""value":{"path":"/none"}"#, false),
      ("required", #""value":{"path":"/absent"}"#, false), ("required", #""value":{"path":"/empty"}"#, false),
      ("required", #""value":{"path":"/list"}"#, true), ("required", #""value":{"path":"/one"}"#, true),
      ("required", "", false),
      ("length", #""value":"äöü","min":3,"max":3"#, true), ("length", #""value":"äöü","max":2"#, false),
      ("length", #""value":{"path":"/list"},"min":2,"max":2"#, true),
      ("length", #""value":{"path":"/list"},"min":3"#, false),
      ("numeric", #""value":{"path":"/n"},"min":1000"#, true), ("numeric", #""value":"7","max":6"#, false),
      ("numeric", #""value":"seven""#, false), ("email", #""value":"a@b.example""#, true),
      ("email", #""value":"a@b""#, false), ("email", #""value":"a b@c.d""#, false),
      ("email", #""value":"@c.d""#, false),
      ("email", #""value":"a@c.""#, false), ("email", #""value":"a@b@c.d""#, false),
      ("regex", #""value":{"path":"/name"},"pattern":"nn""#, true),
      ("regex", #""value":{"path":"/name"},"pattern":"x""#, false),
      ("and", #""values":[true,{"path":"/yes"}]"#, true), ("and", #""values":[true,false]"#, false),
      ("or", #""values":[false,{"path":"/yes"}]"#, true), ("or", #""values":[]"#, false),
      ("not", #""value":{"path":"/yes"}"#, false), ("not", #""value":false"#, true),
    ])
  func checks(name: String, args: String, result: Bool) {
    #expect(shown(call(name, args)) == (result ? "true" : "false"))
  }

  @Test("logic expressions stand for calls")
  func logic() {
    #expect(shown(#"{"and":[{"path":"/yes"},{"not":{"path":"/empty"}}]}"#) == "true")
    #expect(shown(#"{"or":[{"false":false},{"and":[]}]}"#) == "true")
    #expect(shown(#"{"true":true}"#) == "true" && shown(#"{"false":false}"#) == "false")
  }

  @Test("numbers, money, dates and plurals are written in the locale")
  func formats() {
    #expect(shown(call("formatNumber", #""value":{"path":"/n"}"#)) == "1,234.5")
    #expect(shown(call("formatNumber", #""value":{"path":"/n"},"decimals":2,"grouping":false"#)) == "1234.50")
    #expect(shown(call("formatCurrency", #""value":{"path":"/n"},"currency":"USD""#)) == "$1,234.50")
    #expect(
      shown(call("formatDate", #""value":{"path":"/at"},"format":"EEEE, d MMMM, h:mm a""#))
        == "Saturday, 7 November, 9:05 PM")
    #expect(shown(call("formatDate", #""value":"soon","format":"y""#)) == "soon")
    #expect(shown(call("formatDate", #""value":"21:05","format":"h 'Uhr'""#)) == "9 Uhr")
    #expect(shown(call("formatDate", #""value":0,"format":"yyyy""#)) == "1970")
    let days = #""one":"a day","other":"days""#
    #expect(shown(call("pluralize", #""value":{"path":"/one"},\#(days)"#)) == "a day")
    #expect(shown(call("pluralize", #""value":2,\#(days)"#)) == "days")
    page.store.locale = Locale("ru".utf8.span)!
    #expect(shown(call("pluralize", #""value":3,"one":"день","few":"дня","many":"дней","other":"дня""#)) == "дня")
    #expect(shown(call("formatNumber", #""value":{"path":"/n"}"#)) == "1\u{A0}234,5")
  }

  @Test(
    "a text is filled with values, calls and calls in calls",
    arguments: [
      ("Hello ${/name}!", "Hello Ann!"), ("${name} ${absent}.", "Ann ."), (#"\\${name} is ${name}"#, "${name} is Ann"),
      ("${formatNumber(value: ${/n}, decimals: 1)} m", "1,234.5 m"), ("${formatNumber(value:/n)}", "1,234.5"),
      ("${formatDate(value:${/at}, format:'MM-dd')}", "11-07"),
      ("${not(value:true)} ${12} ${'quoted } text'}", "false 12 quoted } text"),
      ("${pluralize(value: ${one}, one: 'one ${', other: 'more')}", "one ${"), ("${unknown(value: (1))}x", "x"),
      ("open ${/name", "open Ann"), ("${", ""), ("$ {name} ${}", "$ {name} "),
      ("${formatString(value: 'in ${name}')}", "in Ann"), ("${now()}", "2026-09-21T14:13:20.000Z"),
    ])
  func templates(template: String, result: String) { #expect(filled(template) == result) }

  @Test("calls in calls have a bound, behind which there is nothing")
  func depth() {
    func nested(_ count: Int) -> String {
      (0..<count).reduce("true") { inner, _ in call("not", #""value":\#(inner)"#) }
    }
    #expect(shown(nested(Budget.a2uiCallDepth - 2)) == "true")
    #expect(shown(nested(Budget.a2uiCallDepth + 14)) != nil)
    let open = String(repeating: "${", count: 200)
    #expect(filled(open + "name") == "")
  }

  @Test("calls in calls are looked at once each, and those that are not made are told")
  func deepCalls() {
    func looked(_ json: String) -> Int {
      let store = Page().store
      let check = CatalogCheck(
        store: store, place: MessagePlace(number: 1, isLine: true), kind: "component \"", name: .empty)
      return Array(json.utf8).withUnsafeBufferPointer { check.calls(in: JSONView(Span(_unsafeElements: $0))) }
    }
    func nested(_ count: Int) -> String {
      (0..<count).reduce("true") { inner, _ in call("not", #""value":\#(inner)"#) }
    }
    func component(_ text: String) -> String { flat("root", "Text", #""text":\#(text)"#) }
    for count in [0, 1, 2, Budget.a2uiCallDepth] { #expect(looked(component(nested(count))) == count) }
    #expect(looked(component(nested(55))) == Budget.a2uiCallDepth)
    let beside = (0..<1000).map { _ in nested(3) }.joined(separator: ",")
    #expect(looked(component(call("and", #""values":[\#(beside)]"#))) == 3001)
    // The name may stand behind the arguments, and its letters be escaped.
    #expect(looked(component(#"{"args":{"value":{"args":{},"c\u0061ll":"now"}},"call":"not"}"#)) == 2)
    page.push(define(component(nested(Budget.a2uiCallDepth))))
    #expect(page.warnings == [])
    page.push(define(component(nested(Budget.a2uiCallDepth + 1))))
    #expect(page.warnings == [#"line 1: component "root" has calls that are left out: in more calls than 16"#])
  }

  @Test("what is named as a call and is none is not told: keys of a context, arguments, metadata, texts")
  func noCalls() {
    page.push(
      define(
        flat(
          "root", "Button",
          #""child":"t","metadata":{"call":"shout","deep":{"call":"shout"}},"#
            + #""action":{"event":{"name":"go","context":{"call":"help desk","path":"/x","args":"y"}}}"#),
        flat("t", "Text", #""text":"call""#)))
    #expect(page.warnings == [])
  }

  @Test("@index is the place of a template's element in its list, and what is added to it")
  func elementPlace() {
    let list = Page().push(
      create(),
      define(
        flat("root", "Column", #""children":{"componentId":"row","path":"/rows"}"#),
        flat("row", "Row", #""children":["n","t","cells"]"#),
        flat("n", "Text", #""text":{"call":"@index","args":{"offset":1}}"#),
        flat("t", "Text", #""text":{"call":"formatString","args":{"value":"${@index()} of ${name}"}}"#),
        flat("cells", "Column", #""children":{"componentId":"cell","path":"cells"}"#),
        flat("cell", "Text", #""text":{"call":"@index"}"#)),
      put(#"{"rows":[{"name":"a","cells":[]},{"name":"b","cells":[7,8]}]}"#))
    #expect(list.warnings == [])
    #expect(list.string("n:0") == "1" && list.string("n:1") == "2")
    #expect(list.string("t:0") == "0 of a" && list.string("t:1") == "1 of b")
    #expect(list.string("cell:1:0") == "0" && list.string("cell:1:1") == "1")
    #expect(shown(#"{"call":"@index"}"#) == nil)
  }

  @Test("maps and lists stand in a text as JSON, and a text begins with a capital where that is wanted")
  func more() {
    #expect(filled("${/list} ${/empty}") == #"["a","b"] []"#)
    #expect(shown(call("capitalize", #""value":"über uns""#)) == "über uns")
    page.store.capital = { $0 == 0xFC ? 0xDC : $0 }
    #expect(shown(call("capitalize", #""value":"über uns""#)) == "Über uns")
    #expect(filled("${capitalize(value: ${/name})}!") == "Ann!")
    #expect(shown(call("capitalize", #""value":"""#)) == "" && shown(call("capitalize", #""value":"語""#)) == "語")
  }

  @Test("what functions write has bounds, and is cut at a character")
  func bounds() {
    let pattern = String(repeating: "ä", count: Budget.a2uiFormattedBytes)
    let date = shown(call("formatDate", #""value":"2026-11-07","format":"\#(pattern)""#))
    #expect(date == String(repeating: "ä", count: Budget.a2uiFormattedBytes / 2))
    let odd = shown(call("formatDate", #""value":"2026-11-07","format":".\#(pattern)""#))
    #expect(odd == "." + String(repeating: "ä", count: Budget.a2uiFormattedBytes / 2 - 1))
    // Two long texts fill the stack in which a third is put together.
    page.push(put("\"" + String(repeating: "é", count: Budget.a2uiStringBytes / 2 - 10) + "\"", at: "/long"))
    let long = filled("x${/long}${/long}")
    #expect(long?.utf8.count == Budget.a2uiStringBytes - 1 && long?.hasSuffix("é") == true)
    let inner = #"${formatString(value: 'x${/long}${/long}${/long}')}"#
    let nested = filled(inner + inner + inner)
    #expect(nested.map { $0.utf8.count <= Budget.a2uiStringBytes && !$0.contains("\u{FFFD}") } == true)
  }

  @Test("extreme numbers and dates are written")
  func extremes() {
    for number in ["1e308", "-1e308", "1e-308", "9007199254740993", "-0", "1e400"] {
      _ = shown(call("formatNumber", #""value":\#(number),"decimals":\#(number)"#))
      _ = shown(call("formatCurrency", #""value":\#(number),"currency":"JPY","decimals":\#(number)"#))
      _ = shown(call("formatDate", #""value":\#(number),"format":"yyyy EEEE h""#))
      _ = shown(call("pluralize", #""value":\#(number),"other":"x""#))
      _ = shown(call("length", #""value":"x","min":\#(number),"max":\#(number)"#))
    }
    #expect(shown(call("formatNumber", #""value":1,"decimals":1e308"#))?.hasPrefix("1.0") == true)
    #expect(shown(call("formatDate", #""value":"9999-99-99","format":"y""#)) == "9999-99-99")
  }

  @Test("plurals in plurals take no longer than their text")
  func nestedPlurals() {
    var json = #""x""#
    for _ in 0..<Budget.a2uiCallDepth { json = call("pluralize", #""value":1,"other":\#(json)"#) }
    #expect(shown(json) == "x")
  }

  @Test("checks of a component give the message of the first that fails")
  func failedChecks() {
    func failed(_ checks: String) -> String? {
      page.push(define(flat("root", "TextField", #""value":{"path":"/name"},"checks":[\#(checks)]"#)))
      guard let message = page.tree.failedCheck(0) else { return nil }
      return string(message)
    }
    let required = #"{"condition":\#(call("required", #""value":{"path":"/none"}"#)),"message":"needed"}"#
    let fine = #"{"condition":\#(call("required", #""value":{"path":"/name"}"#)),"message":"not said"}"#
    #expect(failed("") == nil && failed(fine) == nil && failed("\(fine),\(required)") == "needed")
    #expect(failed(#"{"call":"length","args":{"value":{"path":"/name"},"min":9},"message":"short"}"#) == "short")
    #expect(failed(#"{"condition":false}"#) == "")
    let many = Array(repeating: fine, count: Budget.a2uiChecks).joined(separator: ",")
    #expect(failed("\(many),\(required)") == nil)
  }
}
