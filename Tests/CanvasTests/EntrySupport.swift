import Codec
import Runtime
import Simulated

@testable import Canvas
@testable import Graphics

/// A page and whoever operates it: fingers and keys, and what comes of them.
final class Hands: PageTouchDelegate {
  let page: Page
  private(set) var input: PageInput! = nil
  private(set) var presses: [Hit] = []
  var time: Int64 = 1000

  init(_ width: Int32 = 480, _ height: Int32 = 320, hasKeyboard: Bool = false) throws {
    page = try Page(width, height)
    // 2026-03-01 12:30.
    input = PageInput(page.view, delegate: self, wall: { 1_772_368_200_000 })
    input.fit(scale: 100)
    input.devicesChanged(hasKeyboard: hasKeyboard)
  }

  func pageChanged() { page.view.update() }
  func pressed(_ hit: Hit) { presses.append(hit) }

  func key(_ keys: Key..., modifiers: Modifiers = []) {
    for key in keys {
      time += 300
      input.feed(.key(key, isDown: true, isRepeat: false, modifiers), at: time)
      input.feed(.key(key, isDown: false, isRepeat: false, modifiers), at: time)
    }
  }

  func type(_ text: String) {
    for scalar in text.unicodeScalars {
      time += 100
      input.feed(.character(scalar), at: time)
    }
  }

  func down(_ place: Point, id: Int = 0) { input.feed(.pointer(.down, id: id, place), at: time) }
  func up(_ place: Point, id: Int = 0) { input.feed(.pointer(.up, id: id, place), at: time) }

  func tap(_ place: Point) {
    time += 500
    down(place)
    time += 50
    up(place)
  }

  func tap(_ id: String) { tap(page.middle(id)) }

  /// Taps keys of the keyboard on the screen.
  func tapKeys(_ keys: String...) { for key in keys { tap("key:" + key) } }

  /// Lets time pass, with everything that happens meanwhile.
  func pass(_ milliseconds: Int64) {
    let end = time + milliseconds
    while let next = input.nextDeadline, next <= end {
      time = max(next, time)
      input.advance(to: time)
    }
    time = end
  }
}

extension Page {
  /// A member of what the dump says of an instance; empty when it is not there.
  func fact(_ id: String, _ name: String) -> String {
    let buffer = FixedBuffer(capacity: 1 << 20)
    var writer = JSONWriter(into: buffer.bytes)
    view.writeLayout(to: &writer)
    let count = writer.count
    var elements = JSONView(UnsafeBufferPointer(buffer.bytes).extracting(0..<count).span).elements()
    while let item = elements.next() { if Page.text(item, "id") == id { return Page.text(item, name) } }
    return ""
  }

  /// Where an instance is touched.
  func middle(_ id: String) -> Point {
    let numbers = ["x", "y", "w", "h"].map { Int32(fact(id, $0)) ?? -1 }
    return Point(numbers[0] + numbers[2] / 2, numbers[1] + numbers[3] / 2)
  }

  func rect(_ id: String) -> Rect {
    let numbers = ["x", "y", "w", "h"].map { Int32(fact(id, $0)) ?? -1 }
    return Rect(numbers[0], numbers[1], numbers[2], numbers[3])
  }

  /// The instance that the keys go to, with its part.
  var focus: String {
    for line in lines {
      let id = String(line.split(separator: " ")[0])
      if fact(id, "focus") == "true" { return id + (fact(id, "part").isEmpty ? "" : "/" + fact(id, "part")) }
    }
    return ""
  }

  /// A column of components as the root.
  static func column(_ ids: String...) -> String {
    let names = ids.map { #"""# + $0 + #"""# }.joined(separator: ",")
    return component("root", #"{"Column":{"children":{"explicitList":["# + names + "]}}}")
  }

  /// A text field bound to a path.
  static func field(_ id: String, _ path: String, _ more: String = "") -> String {
    component(id, #"{"TextField":{"label":{"literalString":"Label"},"text":{"path":""# + path + #""}"# + more + "}}")
  }

  /// A text that shows a path.
  static func echo(_ id: String, _ path: String) -> String {
    component(id, #"{"Text":{"text":{"path":""# + path + #""}}}"#)
  }

  static func button(_ id: String) -> String {
    component(id, #"{"Button":{"child":""# + id + #"Word","action":{"name":"go"}}}"#) + ","
      + component(id + "Word", #"{"Text":{"text":{"literalString":"Go"}}}"#)
  }
}
