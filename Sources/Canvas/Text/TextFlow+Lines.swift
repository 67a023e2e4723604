import A2UI
import Graphics
import Runtime

// From words to lines. Words that are longer than a line are split, so that there are more of them: while the text is
// arranged, those that are in lines stand at the start of the table and the others at its end, and each split takes
// from what is free between them. So the time grows with the text and no more.

extension TextFlow {
  /// How far a text is arranged.
  struct Progress {
    /// `Int32.min`: it is arranged for none.
    var width = Int32.min
    var mostLines = 0
    /// The height of the lines that are there.
    var height: Int32 = 0
    /// The first word that is in no line yet. Those in lines stand before `placed`.
    var next = 0
    var placed = 0
    /// Of the paragraph that the last line belongs to.
    var direction = TextDirection.leftToRight
    var isDone = true
    /// There is more text than lines: the last one ends in an ellipsis.
    var isCut = false
  }

  /// Line height in percent of the font's size; the reference's body text has 140.
  private static let leading: Int32 = 140

  /// Breaks the text into lines of at most `width` pixels, of which there are at most `mostLines`; what remains is cut
  /// off. Gives the height of them all.
  @discardableResult
  func arrange(width: Int32, mostLines: Int = Budget.flowLines) -> Int32 {
    beginArranging(width: width, mostLines: mostLines)
    arrangeMore(atMost: .max)
    return progress.height
  }

  /// That is how the text is arranged already.
  func isArranged(width: Int32) -> Bool { progress.isDone && isFor(width) }

  private func isFor(_ width: Int32) -> Bool { progress.width == width && progress.mostLines == Budget.flowLines }

  /// Arranges the text, or makes so many lines more of one that is being arranged, unless it is arranged already.
  func arrangeOnce(width: Int32, atMost count: Int = .max) {
    if isArranged(width: width) { return }
    if progress.isDone || !isFor(width) { beginArranging(width: width) }
    arrangeMore(atMost: count)
  }

  /// Begins to break the text into lines, which `arrangeMore` does.
  func beginArranging(width: Int32, mostLines: Int = Budget.flowLines) {
    if !progress.isDone { gather() }
    lineCount = 0
    progress = Progress(
      width: width, mostLines: min(mostLines, Budget.flowLines), next: Budget.flowWords - wordCount, isDone: false)
    move(0..<wordCount, to: progress.next)
  }

  /// Makes as many lines more, at most.
  /// - Returns: true when the text is arranged.
  @discardableResult
  func arrangeMore(atMost count: Int) -> Bool {
    var left = count
    while progress.next < Budget.flowWords, lineCount < progress.mostLines, left > 0 {
      if words[progress.next].gap == .paragraph { progress.height += Int32(font.size) / 2 }
      if lineCount == 0 || words[progress.next].gap.rawValue >= TextWord.Gap.line.rawValue {
        progress.direction = paragraphDirection()
      }
      var line = takeLine(top: progress.height, width: progress.width * 64)
      let end = progress.next + Int(line.wordCount)
      line.firstWord = Int32(progress.placed)
      move(progress.next..<end, to: progress.placed)
      lines[lineCount] = line
      lineCount += 1
      progress.height += line.height
      (progress.next, progress.placed) = (end, progress.placed + Int(line.wordCount))
      left -= 1
    }
    let isOver = progress.next == Budget.flowWords || lineCount == progress.mostLines
    if isOver, !progress.isDone { endArranging() }
    return isOver
  }

  private func endArranging() {
    if progress.next < Budget.flowWords, progress.mostLines == Budget.flowLines { cut = .textLines }
    progress.isCut = progress.next < Budget.flowWords || cut != nil
    gather()
  }

  /// Puts the words that are in no line after those that are in one.
  private func gather() {
    let rest = progress.next..<Budget.flowWords
    move(rest, to: progress.placed)
    wordCount = progress.placed + rest.count
    measured = wordCount
    progress.isDone = true
  }

  private func move(_ range: Range<Int>, to place: Int) {
    guard range.lowerBound != place, !range.isEmpty else { return }
    let (target, source) = (words.run(place, range.count), words.run(range.lowerBound, range.count))
    // `memmove` semantics: the places may overlap.
    target.baseAddress!.update(from: source.baseAddress!, count: range.count)
  }

  /// Of the paragraph that follows: that of its first letter (UAX #9, rules P2 and P3).
  private func paragraphDirection() -> TextDirection {
    var index = progress.next
    repeat {
      if let direction = measurer.direction(of: text(of: words[index]).span) { return direction }
      index += 1
    } while index < Budget.flowWords && words[index].gap.rawValue < TextWord.Gap.line.rawValue
    return .leftToRight
  }

  /// As many of the words that follow as fit; one that is wider than a line is split.
  private func takeLine(top: Int32, width: Int32) -> Line {
    let end = Budget.flowWords
    var first = progress.next
    let isContinued = progress.placed > 0 && words[first].gap.rawValue <= TextWord.Gap.blank.rawValue
    let isBullet = !isContinued && first + 1 < end && words[first + 1].indent > words[first].indent
    let start = Int32(words[first].indent) * indentStep * 64
    let room = max(width - start, 64)
    if words[first].advance > room {
      split(room)
      first = progress.next
    }
    var line = Line(
      firstWord: 0, wordCount: 0, direction: progress.direction, x: start / 64, width: 0, top: top, baseline: 0,
      height: 0)
    var (reach, committed, index): (Int32, Int, Int) = (0, first, first)
    var (ascent, descent): (Int32, Int32) = (0, 0)
    while index < end {
      let word = words[index]
      if index > first, word.gap.rawValue >= TextWord.Gap.line.rawValue { break }
      if index > first, word.gap != .none { committed = index }
      var step = word.advance
      if index > first, word.gap == .blank { step += blankAdvance(word.style) }
      if index == first + 1, isBullet { step = max(reach + step, indentStep * 64 + word.advance) - reach }
      if index > first, reach + step > room {
        // A word made of several styles goes to the next line as a whole, unless the line is of it alone.
        if committed > first { index = committed }
        break
      }
      reach += step
      let metrics = measurer.metrics(of: font(word.style))
      (ascent, descent) = (max(ascent, metrics.ascent), max(descent, metrics.descent))
      index += 1
    }
    line.wordCount = Int32(max(index - first, 1))
    line.width = (reach + 63) / 64
    let size = words[first].style.contains(.heading) ? Int32(font.size) * 5 / 4 : Int32(font.size)
    line.height = max(size * Self.leading / 100, ascent + descent)
    line.baseline = top + (line.height - ascent - descent) / 2 + ascent
    return line
  }

  /// Cuts the word that follows in two at what fits; a character at least stays.
  private func split(_ room: Int32) {
    guard progress.next > progress.placed else { return cut = .textWords }
    var (first, second) = (words[progress.next], words[progress.next])
    let whole = text(of: first)
    let count = fit(first, room)
    guard count < whole.count else { return }
    first.count = Int32(count)
    first.advance = measure(first)
    second.start += Int32(count)
    second.count -= Int32(count)
    second.gap = .none
    // What is left of a word of many lines is not measured at each of them: letters that join are a little wider or
    // narrower where it was cut, and that matters in the last two lines alone.
    second.advance -= first.advance
    if second.advance < 2 * room { second.advance = measure(second) }
    progress.next -= 1
    words[progress.next] = first
    words[progress.next + 1] = second
  }

  /// Bytes of a word that fit. Of a long one no more is looked at than may be needed.
  private func fit(_ word: TextWord, _ room: Int32) -> Int {
    let whole = text(of: word)
    // Twice as many as fit where all are as wide as the average.
    var length = Int(min(Int64(whole.count), Int64(whole.count) * 2 * Int64(room) / Int64(max(word.advance, 1)) + 64))
    while true {
      while length < whole.count, whole[length] & 0xC0 == 0x80 { length += 1 }
      var count = measurer.fit(whole.extracting(0..<length).span, in: font(word.style), width: room)
      if count == length, length < whole.count {
        length = min(2 * length, whole.count)
        continue
      }
      if count == 0 { count = Characters.next(whole.span, 0) }
      return count
    }
  }

  func line(_ index: Int) -> Line { lines[index] }
}
