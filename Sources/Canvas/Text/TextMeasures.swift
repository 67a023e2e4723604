import A2UI
import Codec
import Graphics
import Runtime

/// A cache of text sizes: a page is laid out again with every push, and most of its texts are unchanged. What is not
/// known is measured in turns of so many bytes (`Budget.arrangedBytes`): whoever arranges a page stops where `isSpent`
/// says so, and goes on in the next turn of the loop, until nothing is refused.
final class TextMeasures {
  /// A text in a font, at a width or not.
  private struct Known: BitwiseCopyable {
    /// 0: nothing is known here.
    var key: UInt64 = 0
    /// The least width and the most; or the height, and 0.
    var first: Int32 = 0
    var second: Int32 = 0
    /// The number of the omission after it, plus one; 0: none.
    var cut: UInt8 = 0
  }

  /// What a text needs, and what of it there is no room for.
  struct Answer {
    var first: Int32 = 0
    var second: Int32 = 0
    var cut: Omission?
  }

  /// Of short texts, which are measured as a whole. Everything else on the screen shares it.
  let flow: TextFlow
  /// Of long ones, which stay in them.
  private let longFlows: [TextFlow]
  private var uses = InlineArray<4, UInt32>(repeating: 0)
  private var use: UInt32 = 0
  private let memory: ReservedBuffer
  private let known: UnsafeMutableBufferPointer<Known>
  /// Bytes that may be measured in this turn still.
  private(set) var left = Int.max
  /// True when a measurement was refused in this turn, and another turn has to follow.
  private(set) var isSpent = false
  /// No turn follows: texts for which nothing is left are left out.
  private var isLast = false

  /// Reserves its memory; throws when the address space is full.
  init(_ flow: TextFlow) throws(Errno) {
    self.flow = flow
    longFlows = (0..<4).map { _ in TextFlow(measurer: flow.measurer) }
    memory = try ReservedBuffer(capacity: Budget.measuredTexts * MemoryLayout<Known>.stride)
    known = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: Known.self)
  }

  /// Clears the cache and releases its memory.
  func removeAll() { memory.release() }

  // MARK: Turns

  /// A turn begins, in which so many bytes may be measured. In the last one everything is answered: what is not
  /// measured by then is left out.
  func begin(_ bytes: Int, isLast: Bool = false) { (left, isSpent, self.isLast) = (bytes, false, isLast) }

  /// Takes something from what may be done in this turn. False, and the turn is over, when nothing is left: what is
  /// asked for then is not answered.
  func pay(_ bytes: Int) -> Bool { payForText(bytes) || isLast }

  /// The same for work on a text, which is refused in the last turn too.
  private func payForText(_ bytes: Int) -> Bool {
    guard left > 0 else {
      isSpent = !isLast
      return false
    }
    left -= bytes
    return true
  }

  /// The answer about a text for which nothing is left.
  private var refusal: Answer { Answer(cut: isLast ? .work : nil) }

  // MARK: Texts

  /// The width of the longest word and of the longest line, in pixels; 0 when the turn is over.
  func widths(_ text: Span<UInt8>, _ font: Font, isMarkdown: Bool) -> Answer {
    guard payForText(Self.lookCost(text)) else { return refusal }
    let name = TextName(text, font, isMarkdown: isMarkdown)
    let key = name.key(width: -1)
    if let answer = find(key) { return answer }
    guard let flow = take(text, name) else { return refusal }
    let (least, most) = flow.widths()
    return keep(key, Answer(first: least, second: most, cut: flow.cut))
  }

  /// The height at a width, in pixels; 0 when the turn is over.
  func height(_ text: Span<UInt8>, _ font: Font, isMarkdown: Bool, width: Int32) -> Answer {
    guard payForText(Self.lookCost(text)) else { return refusal }
    let name = TextName(text, font, isMarkdown: isMarkdown)
    let key = name.key(width: width)
    if let answer = find(key) { return answer }
    guard let flow = take(text, name) else { return refusal }
    if flow === self.flow { return keep(key, Answer(first: flow.arrange(width: width), second: 0, cut: flow.cut)) }
    while !flow.isArranged(width: width) {
      guard payForText(Budget.arrangedStep) else { return refusal }
      flow.arrangeOnce(width: width, atMost: 1)
    }
    return keep(key, Answer(first: flow.progress.height, second: 0, cut: flow.cut))
  }

  /// What it costs to look a text up.
  private static func lookCost(_ text: Span<UInt8>) -> Int { 4 + text.count / 64 }

  /// The text in the flow that it has, measured; nil when the turn is over.
  private func take(_ text: Span<UInt8>, _ name: TextName) -> TextFlow? {
    guard text.count >= Budget.longTextBytes else {
      guard payForText(Budget.arrangedStep + text.count) else { return nil }
      flow.take(text, name.font, isMarkdown: name.isMarkdown)
      return flow
    }
    let flow = longFlow(name)
    if flow.name != name {
      guard payForText(text.count / 8) else { return nil }
      flow.read(text, name)
    }
    while !flow.isMeasured {
      guard payForText(Budget.arrangedStep) else { return nil }
      left -= flow.measure(atMost: Budget.arrangedStep)
    }
    return flow
  }

  /// The flow of a text that is drawn, measured.
  func flow(_ text: Span<UInt8>, _ font: Font, isMarkdown: Bool) -> TextFlow {
    guard text.count >= Budget.longTextBytes else {
      flow.take(text, font, isMarkdown: isMarkdown)
      return flow
    }
    let name = TextName(text, font, isMarkdown: isMarkdown)
    let flow = longFlow(name)
    if flow.name != name { flow.read(text, name) }
    flow.finish()
    return flow
  }

  /// The flow that a long text is in, or the one that was not used for longest.
  private func longFlow(_ name: TextName) -> TextFlow {
    var place = 0
    for index in 0..<longFlows.count {
      if longFlows[index].name == name {
        place = index
        break
      }
      if uses[index] < uses[place] { place = index }
    }
    use &+= 1
    uses[place] = use
    return longFlows[place]
  }

  // MARK: The table

  /// A text stands in one of two places.
  private func places(_ key: UInt64) -> (Int, Int) {
    let place = Int(key % UInt64(Budget.measuredTexts))
    return (place, place ^ 1)
  }

  private func find(_ key: UInt64) -> Answer? {
    let places = places(key)
    let place = known[places.0].key == key ? places.0 : places.1
    let found = known[place]
    guard found.key == key else { return nil }
    return Answer(
      first: found.first, second: found.second, cut: found.cut == 0 ? nil : Omission(rawValue: found.cut - 1))
  }

  private func keep(_ key: UInt64, _ answer: Answer) -> Answer {
    let places = places(key)
    // The newer one of two stays.
    if known[places.0].key != 0, known[places.0].key != key { known[places.1] = known[places.0] }
    known[places.0] = Known(
      key: key, first: answer.first, second: answer.second, cut: answer.cut.map { $0.rawValue + 1 } ?? 0)
    return answer
  }
}

/// What tells a text in a font from others.
struct TextName: Equatable {
  private var hash: UInt64
  var font: Font
  var isMarkdown: Bool

  init(_ text: Span<UInt8>, _ font: Font, isMarkdown: Bool) {
    (hash, self.font, self.isMarkdown) = (ByteHash.pair(text).0, font, isMarkdown)
  }

  /// With the width that it is arranged for; never 0.
  func key(width: Int32) -> UInt64 {
    var look = UInt64(UInt16(bitPattern: font.size)) << 4
    if font.weight == .bold { look |= 1 }
    if font.isItalic { look |= 2 }
    if font.isMonospaced { look |= 4 }
    if isMarkdown { look |= 8 }
    let key = ByteHash.mix(ByteHash.mix(hash, look), UInt64(UInt32(bitPattern: width)))
    return key == 0 ? 1 : key
  }
}
