import Board
import Canvas
import Foundation
import Runtime

/// The longest turn of the loop for texts of the largest size: a push until its frame is drawn, for painting is a worker's. Arabic and
/// Latin words in turn, and one word of both without a blank.
enum TextBench {
  static func measurements() throws -> [Measurement] {
    let words = text(of: "\u{645}\u{631}\u{62D}\u{628}\u{627} talon ")
    let word = text(of: "\u{645}\u{631}\u{62D}\u{628}\u{627}talon")
    return try measure(words, "64 KiB of Arabic and Latin words") + measure(word, "64 KiB of them in one word")
  }

  private static func text(of part: String) -> String {
    String(repeating: part, count: Budget.flowBytes / part.utf8.count)
  }

  private static func measure(_ text: String, _ name: String) throws -> [Measurement] {
    let page = try PageBench(Size(800, 480))
    func turn(_ lines: String) throws -> Double {
      let bytes = [UInt8](lines.utf8)
      return try Stopwatch.bestOfThread(of: 1) {
        try page.push(bytes)
        page.list.removeAll()
        page.view.draw(into: page.list)
      } * 1e3
    }
    _ = try turn(
      """
      {"surfaceUpdate":{"surfaceId":"s","components":[\
      {"id":"root","component":{"Column":{"children":{"explicitList":["n","t"]}}}},\
      {"id":"n","component":{"Text":{"text":{"path":"/n"}}}},{"id":"t","component":{"Text":{"text":{"path":"/t"}}}}]}}
      {"beginRendering":{"surfaceId":"s","root":"root"}}
      """)
    var (longest, later) = (0.0, 0.0)
    for round in 0..<5 {
      // Another text each time.
      let shown = "\(round)" + text.dropFirst(4)
      let push = try turn(#"{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"t","valueString":"\#(shown)"}]}}"#)
      longest = round == 0 ? push : min(longest, push)
      let next = try turn(#"{"dataModelUpdate":{"surfaceId":"s","path":"/n","contents":[{"key":".","valueNumber":\#(round)}]}}"#)
      later = round == 0 ? next : min(later, next)
    }
    return [
      Measurement(name: "turn: push \(name)", value: longest, unit: "ms"),
      Measurement(name: "turn: a later push beside it", value: later, unit: "ms"),
    ]
  }
}
