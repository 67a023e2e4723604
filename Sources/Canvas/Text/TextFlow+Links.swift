import Graphics
import Runtime

extension TextFlow {
  /// The number, from 1, of the link whose words are at a place of the arranged text, or nearest to it and no farther
  /// than `slack` pixels; nil: none.
  func link(at place: Point, slack: Int32) -> Int? {
    var best: (link: Int, distance: Int32)?
    for index in 0..<lineCount where !links.isEmpty {
      let line = lines[index]
      let down = max(line.top - place.y, place.y - line.top - line.height + 1, 0)
      let x = line.direction == .leftToRight ? place.x : progress.width - place.x
      guard down <= slack, let found = link(in: line, at: x), found.distance <= slack else { continue }
      if let best, best.distance <= found.distance + down { continue }
      best = (found.link, found.distance + down)
    }
    return best?.link
  }

  /// The link of a line that is nearest to `x`, pixels from where lines begin, and how far that is.
  private func link(in line: Line, at x: Int32) -> (link: Int, distance: Int32)? {
    var best: (link: Int, distance: Int32)?
    let end = Int(line.firstWord + line.wordCount)
    var reach: Int32 = 0
    for index in Int(line.firstWord)..<end {
      let word = words[index]
      let isFirst = index == Int(line.firstWord)
      let continues = !isFirst && words[index - 1].link == word.link
      // The blank within a link belongs to it.
      var start = reach
      if !isFirst, word.gap == .blank { reach += blankAdvance(word.style) }
      if !continues { start = reach }
      reach += word.advance
      if isFirst, index + 1 < end, words[index + 1].indent > word.indent {
        // A bullet, after which the text stands a step farther.
        reach = max(reach, indentStep * 64 - blankAdvance(words[index + 1].style))
      }
      guard word.link > 0 else { continue }
      let distance = max(line.x + start / 64 - x, x - line.x - reach / 64, 0)
      if best.map({ $0.distance > distance }) ?? true { best = (Int(word.link), distance) }
    }
    return best
  }
}
