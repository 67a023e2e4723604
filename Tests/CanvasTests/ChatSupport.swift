import Codec
import Runtime
import Simulated

@testable import Canvas
@testable import Graphics

/// A conversation, and whoever reads and writes it. Characters are half as wide as they are high.
final class Talk: ChatPageDelegate {
  let page: ChatPage
  private(set) var sent: [String] = []
  private(set) var retried: [Int] = []
  private(set) var stops = 0
  private(set) var leaves = 0
  private(set) var openings = 0
  private(set) var chosen: [Int] = []
  private(set) var photos: [String] = []
  var choices: [ChatChoice] = []
  var time: Int64 = 1000
  /// 2026-03-01 12:30.
  static let noon: Int64 = 1_772_368_200_000

  init(_ width: Int32 = 480, _ height: Int32 = 320, hasKeyboard: Bool = true, scale: Int32 = 100) throws {
    page = try ChatPage(flow: TextFlow(measurer: GridMeasurer()), wall: { Talk.noon })
    page.delegate = self
    _ = page.devicesChanged(hasKeyboard: hasKeyboard)
    page.fit(Size(width, height), Theme(scale: scale))
    say()
    page.open(at: time)
  }

  func chatSend(_ text: Span<UInt8>) { sent.append(Self.text(text)) }
  func chatRetry(_ index: Int) { retried.append(index) }
  func chatStop() { stops += 1 }
  func chatLeave() { leaves += 1 }
  func chatChooserOpened() {
    openings += 1
    page.setChoices { add in for choice in choices { add(choice) } }
  }
  func chatChoose(_ index: Int) { chosen.append(index) }
  func chatSendPhoto(_ text: Span<UInt8>) { photos.append(Self.text(text)) }

  func say(notice: String = "", isReplying: Bool = false) {
    _ = page.say(title: "Kitchen".utf8.span, notice: notice.utf8.span, isReplying: isReplying)
  }

  func add(_ text: String, _ role: ChatMessage.Role = .agent, _ state: ChatMessage.State = .done, at minute: Int64 = 0)
  {
    page.log.append(ChatMessage(role, state, time: minute == 0 ? 0 : Self.noon + minute * 60_000), text.utf8.span)
    page.changed(at: time)
  }

  /// So many messages that they cannot all be seen.
  func fill(_ count: Int = 30) { for index in 1...count { add("message \(index)", index % 2 == 0 ? .agent : .person) } }

  func key(_ keys: Key..., modifiers: Modifiers = []) {
    for key in keys {
      time += 300
      _ = page.input(.key(key, isDown: true, isRepeat: false, modifiers), at: time)
      _ = page.input(.key(key, isDown: false, isRepeat: false, modifiers), at: time)
    }
  }

  func type(_ text: String) { for scalar in text.unicodeScalars { _ = page.input(.character(scalar), at: time) } }

  func tap(_ place: Point) {
    time += 500
    _ = page.input(.pointer(.down, id: 0, place), at: time)
    time += 50
    _ = page.input(.pointer(.up, id: 0, place), at: time)
  }

  func tap(_ rect: Rect) { tap(Point(rect.x + rect.width / 2, rect.y + rect.height / 2)) }

  func drag(from start: Point, by y: Int32) {
    _ = page.input(.pointer(.down, id: 0, start), at: time)
    for step in 1...10 {
      time += 40
      _ = page.input(.pointer(.move, id: 0, Point(start.x, start.y + y * Int32(step) / 10)), at: time)
    }
    time += 500
    _ = page.input(.pointer(.up, id: 0, Point(start.x, start.y + y)), at: time)
  }

  /// Lets time pass; how often something looked different.
  @discardableResult
  func pass(_ milliseconds: Int64) -> Int {
    let end = time + milliseconds
    var frames = 0
    while let next = page.nextDeadline, next <= end {
      time = max(next, time)
      if page.advance(to: time) { frames += 1 }
    }
    time = end
    return frames
  }

  var draft: String {
    let page = page
    return Self.text(page.draft)
  }

  /// The texts that are drawn, in order, each with its left edge.
  var texts: [String] { drawn.map { $0.0 } }

  var drawn: [(String, Point)] {
    let list = DisplayList()
    page.draw(into: list)
    var result: [(String, Point)] = []
    for index in 0..<list.count {
      guard case .text(let slice, _, let start, _, _) = list[index] else { continue }
      result.append((Self.text(list.text(slice)), start))
    }
    return result
  }

  func x(of text: String) -> Int32? { drawn.first { $0.0 == text }?.1.x }

  static func text(_ span: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for index in 0..<span.count { bytes.append(span[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
