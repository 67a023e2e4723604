import Locales
import Runtime
import Testing

@testable import Canvas
@testable import Graphics

@Suite("Entering dates and times")
struct PickerTests {
  private func form(_ value: String, _ more: String = "", _ width: Int32 = 480, _ height: Int32 = 320) throws -> Hands {
    let hands = try Hands(width, height, hasKeyboard: true)
    try hands.page.show(
      Page.column("date", "echo"),
      Page.component("date", #"{"DateTimeInput":{"value":{"path":"d"}"# + more + "}}"), Page.echo("echo", "d"),
      data: #"[{"key":"d","valueString":""# + value + #""}]"#)
    return hands
  }

  /// Above and below the value of a part.
  private func step(_ hands: Hands, _ part: String, isUp: Bool) -> Point {
    let rect = hands.page.rect("picker:" + part)
    return Point(rect.x + rect.width / 2, isUp ? rect.y - 20 : rect.maxY + 20)
  }

  @Test(
    "a tap opens it, steps change its parts, Done writes the value",
    arguments: [Size(480, 320), Size(320, 240), Size(240, 320)])
  func steps(_ size: Size) throws {
    let hands = try form("2026-01-31T09:59:30+02:00", "", size.width, size.height)
    hands.tap("date")
    #expect(hands.page.fact("picker:year", "text") == "2026" && hands.page.fact("picker:minute", "text") == "59")
    for part in ["year", "month", "day", "hour", "minute", "clear", "cancel", "done"] {
      #expect(Rect(0, 0, size.width, size.height).contains(hands.page.rect("picker:" + part)))
    }
    hands.tap(step(hands, "month", isUp: true))
    #expect(hands.page.fact("picker:day", "text") == "28")
    hands.tap(step(hands, "minute", isUp: true))
    hands.tap(step(hands, "hour", isUp: false))
    #expect(hands.page.fact("echo", "text") == "2026-01-31T09:59:30+02:00")
    hands.tap("picker:done")
    #expect(hands.page.fact("echo", "text") == "2026-02-28T08:00")
    #expect(hands.page.fact("picker:year", "type").isEmpty)
  }

  @Test(
    "the value has the parts that are enabled",
    arguments: [
      (#","enableTime":false"#, "2026-03-01"), (#","enableDate":false"#, "12:30"), ("", "2026-03-01T12:30"),
      (#","enableDate":false,"enableTime":false"#, "2026-03-01T12:30"),
    ])
  func parts(_ more: String, _ expected: String) throws {
    let hands = try form("", more)
    hands.tap("date")
    hands.tap("picker:done")
    #expect(hands.page.fact("echo", "text") == expected)
  }

  @Test("Cancel, a tap beside it and Escape leave the value")
  func cancel() throws {
    let hands = try form("2026-01-31")
    for way in 0..<3 {
      hands.tap("date")
      hands.tap(step(hands, "year", isUp: true))
      switch way {
      case 0: hands.tap("picker:cancel")
      case 1: hands.tap(Point(2, 2))
      default: hands.key(.escape)
      }
      #expect(hands.page.fact("echo", "text") == "2026-01-31" && hands.page.fact("picker:year", "type").isEmpty)
    }
  }

  @Test("Clear takes the value away")
  func clear() throws {
    let hands = try form("2026-01-31")
    hands.tap("date")
    hands.tap("picker:clear")
    #expect(hands.page.fact("echo", "text").isEmpty && hands.page.fact("picker:year", "type").isEmpty)
  }

  @Test("a step that is held goes on")
  func holds() throws {
    let hands = try form("2026-01-31")
    hands.tap("date")
    let place = step(hands, "year", isUp: true)
    hands.down(place)
    hands.pass(Budget.keyDelayMilliseconds + 9 * Budget.keyRepeatMilliseconds)
    hands.up(place)
    #expect(hands.page.fact("picker:year", "text") == "2037")
    #expect(hands.input.nextDeadline == nil)
  }

  @Test("keys go along the parts and change them; next and previous once a part was pressed")
  func keys() throws {
    let hands = try form("2026-01-31T23:00")
    hands.key(.tab, .enter)
    #expect(hands.page.fact("picker:year", "focus") == "true")
    hands.key(.up, .right, .down, .tab)
    #expect(hands.page.fact("picker:day", "focus") == "true")
    #expect(hands.page.fact("picker:year", "text") == "2027" && hands.page.fact("picker:month", "text") == "December")
    hands.key(.activate, .next, .next, .activate, .next, .activate, .next, .activate)
    #expect(hands.page.fact("picker:day", "text") == "02" && hands.page.fact("picker:hour", "text") == "00")
    hands.key(.next, .next, .next, .next)
    #expect(hands.page.fact("picker:done", "focus") == "true")
    hands.key(.activate)
    #expect(hands.page.fact("echo", "text") == "2027-12-02T00:00")
  }

  @Test(
    "the parts stand as the locale writes a date, with its captions, names of months and clock",
    arguments: [
      ("en", ["month", "day", "year", "hour", "minute"], "January", "11 PM", "Year", "Jan 31, 2026 11:00\u{202F}PM"),
      ("de", ["day", "month", "year", "hour", "minute"], "Januar", "23", "Jahr", "31.01.2026 23:00"),
      ("ja", ["year", "month", "day", "hour", "minute"], "1月", "23", "年", "2026/01/31 23:00"),
      ("fr", ["day", "month", "year", "hour", "minute"], "janvier", "23", "Année", "31 janv. 2026 23:00"),
    ])
  func locales(_ tag: String, _ order: [String], _ month: String, _ hour: String, _ caption: String, _ shown: String)
    throws
  {
    let hands = try form("2026-01-31T23:00")
    hands.page.view.setLocale(Locale(tag.utf8.span)!, clock: { 0 }, local: { LocalTime(wallMilliseconds: $0) })
    hands.pageChanged()
    #expect(hands.page.texts.contains(shown))
    hands.tap("date")
    let places = order.map { hands.page.rect("picker:" + $0).x }
    #expect(places == places.sorted())
    #expect(hands.page.fact("picker:month", "text") == month && hands.page.fact("picker:hour", "text") == hour)
    #expect(hands.page.texts.contains(caption))
    hands.tap("picker:done")
    #expect(hands.page.fact("echo", "text") == "2026-01-31T23:00")
  }

  @Test(
    "a value stays between the first and the last that may be entered",
    arguments: [
      (#""min":"2026-01-30","max":"2026-02-02T12:00""#, ["day"], "2026-01-30T09:00", true),
      (#""min":"2026-02-01T10:30""#, [], "2026-02-01T10:30", true),
      (#""max":"2025-12-31""#, [], "2025-12-31T09:00", true),
      (#""max":"2026-01-31""#, ["year"], "2026-01-31T09:00", true),
      (#""min":"09:00","max":"17:00""#, ["hour"], "2026-01-31T09:00", false),
      (#""min":"soon","max":7"#, ["year"], "2027-01-31T09:00", true),
    ])
  func limits(_ limits: String, _ steps: [String], _ expected: String, _ isUp: Bool) throws {
    let hands = try Hands(hasKeyboard: true)
    try hands.page.push(
      #"{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Column","#
        + #""children":["date","echo"]},{"id":"date","component":"DateTimeInput","value":{"path":"/d"},"#
        + #""enableDate":true,"enableTime":true,"# + limits + "},"
        + #"{"id":"echo","component":"Text","text":{"path":"/d"}}]}}"# + "\n"
        + #"{"version":"v0.9","updateDataModel":{"surfaceId":"main","value":{"d":"2026-01-31T09:00"}}}"#)
    hands.tap("date")
    for part in steps { hands.tap(step(hands, part, isUp: isUp)) }
    hands.tap("picker:done")
    #expect(hands.page.fact("echo", "text") == expected)
  }

  @Test("a field that is bound to nothing keeps its date")
  func unbound() throws {
    let hands = try Hands()
    try hands.page.show(Page.component("root", #"{"DateTimeInput":{"value":{},"enableTime":false}}"#))
    hands.tap(Point(100, 30))
    hands.tap("picker:done")
    #expect(hands.page.fact("root", "text") == "2026-03-01" && hands.page.texts.contains("2026-03-01"))
  }

  @Test("what is no date is passed over")
  func wrong() {
    for text in ["2026-02-30", "2026-xx-01", "soon", "25:00", "", "2026-01-01Tab:cd"] {
      var value = DateTimeValue(unixMilliseconds: 1_772_368_200_000)
      value.take(text.utf8.span)
      let expected = text.hasPrefix("2026-01-01") ? "2026-01-01T12:30" : "2026-03-01T12:30"
      #expect(value.value(hasDate: true, hasTime: true) == InlineText(cutting: expected), "\(text)")
    }
  }
}
