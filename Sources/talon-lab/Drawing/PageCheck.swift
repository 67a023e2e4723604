import Canvas
import Foundation
import Graphics

/// What is wrong with a page that a person would see: found in what is drawn, not in how it was arranged.
struct PageCheck {
  private(set) var faults: [String] = []
  private let page: PageBench
  private let scale: Int32
  /// What was drawn so far that texts can stand on, from back to front.
  private var grounds: [(rect: Rect, colors: [Color])] = []
  private var clips: [Rect] = []
  private var texts: [(rect: Rect, clip: Rect, words: String, place: Int)] = []
  /// What hides all that was drawn before it, and where in the list it stands.
  private var covers: [(rect: Rect, place: Int)] = []
  /// Where in the list the command stands that is looked at.
  private var place = 0

  init(_ page: PageBench) throws {
    self.page = page
    scale = Theme.scale(for: page.pixels.size, millimeters: nil)
    checkDrawing()
    checkOverlap()
    try checkLayout()
  }

  /// How wide a line may be: 640 of the reference's pixels.
  private var measure: Int32 { (640 * scale + 50) / 100 }

  private var clip: Rect { clips.last ?? Rect(0, 0, page.pixels.size.width, page.pixels.size.height) }

  // MARK: What is drawn

  private mutating func checkDrawing() {
    for index in 0..<page.list.count {
      place = index
      switch page.list[index] {
      case .clip(let rect, _): clips.append(clip.intersection(rect))
      case .endClip: clips.removeLast()
      case .fill(let rect, _, let fill): stand(rect, fill)
      case .picture(_, _, let rect, _, _): grounds.append((rect, []))
      case .text(let slice, let font, let start, let advance, let color):
        checkText(words(slice), font, start, advance, color)
      case .icon(_, let rect, let color): checkMark(rect, color, "an icon")
      case .border(let rect, _, _, let color) where color.alpha == 255:
        checkBorder(rect, color)
      default: break
      }
    }
  }

  private func words(_ slice: TextSlice) -> String {
    let list = page.list
    return list.text(slice).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private mutating func stand(_ rect: Rect, _ fill: Fill) {
    switch fill {
    case .solid(let color):
      if color.alpha == 255 { covers.append((rect, place)) }
      grounds.append((rect, over(color, rect)))
    case .gradient(let first, let last, _): grounds.append((rect, over(first, rect) + over(last, rect)))
    }
  }

  /// What is half seen, on what it stands on.
  private func over(_ color: Color, _ rect: Rect) -> [Color] {
    if color.alpha == 255 { return [color] }
    return ground(under: rect).map { color.over($0) }
  }

  /// The colors under a rectangle: those of the last that was drawn under all of it.
  private func ground(under rect: Rect) -> [Color] {
    let middle = Point(rect.x + rect.width / 2, rect.y + rect.height / 2)
    return grounds.last { $0.rect.contains(middle) }?.colors ?? []
  }

  private mutating func checkText(_ words: String, _ font: Font, _ start: Point, _ advance: Int32, _ color: Color) {
    let size = Int32(font.size)
    // From the top of capitals to the bottom of the letters that reach below the line.
    let rect = Rect(start.x, start.y - size * 7 / 10, advance, size * 9 / 10)
    let seen = rect.intersection(clip)
    guard !seen.isEmpty else { return }
    let contrast = ground(under: seen).map { color.over($0).contrast(with: $0) }.min()
    if let contrast, contrast < 4.5 { faults.append("\"\(words)\" has a contrast of \(contrast)") }
    if let box = grounds.last(where: { $0.rect.contains(Point(rect.x, rect.y + rect.height / 2)) }),
      rect.maxX > box.rect.maxX + 1 || rect.x < box.rect.x - 1, !isScrolled(rect)
    {
      faults.append("\"\(words)\" is cut off")
    }
    if advance > measure { faults.append("\"\(words)\" is \(advance) wide, more than \(measure)") }
    texts.append((rect, clip, words, place))
  }

  /// What scrolls may go on beyond an edge.
  private func isScrolled(_ rect: Rect) -> Bool { !clips.isEmpty && (rect.maxX > clip.maxX || rect.x < clip.x) }

  private mutating func checkMark(_ rect: Rect, _ color: Color, _ name: String) {
    guard !rect.intersection(clip).isEmpty else { return }
    let contrast = ground(under: rect).map { color.over($0).contrast(with: $0) }.min()
    if let contrast, contrast < 3 { faults.append("\(name) at \(rect.x),\(rect.y) has a contrast of \(contrast)") }
  }

  /// The border of a control is seen against what the control stands on, or against what is in it.
  private mutating func checkBorder(_ rect: Rect, _ color: Color) {
    guard !rect.intersection(clip).isEmpty else { return }
    let outside = ground(under: Rect(rect.x - 1, rect.y + rect.height / 2, 1, 1))
    let inside = ground(under: rect)
    // What is in it may be seen without a border.
    let contrasts =
      (outside + inside).map { color.contrast(with: $0) } + zip(outside, inside).map { $0.contrast(with: $1) }
    if let most = contrasts.max(), most < 3 {
      faults.append("a border at \(rect.x),\(rect.y) has a contrast of \(most)")
    }
  }

  private mutating func checkOverlap() {
    for (index, one) in texts.enumerated() {
      for other in texts[(index + 1)...] {
        let both = one.rect.intersection(one.clip).intersection(other.rect).intersection(other.clip)
        guard both.width > 1, both.height > 1 else { continue }
        let middle = Point(both.x + both.width / 2, both.y + both.height / 2)
        let isHidden = covers.contains { $0.place > one.place && $0.place < other.place && $0.rect.contains(middle) }
        if !isHidden { faults.append("\"\(one.words)\" and \"\(other.words)\" overlap") }
      }
    }
  }

  // MARK: Where it stands

  private static let controls: Set<String> = [
    "Button", "CheckBox", "TextField", "DateTimeInput", "Slider", "MultipleChoice", "Tabs",
  ]

  private mutating func checkLayout() throws {
    let boxes = try page.boxes
    let widest = widest(boxes)
    for box in boxes {
      let target = (44 * scale + 50) / 100
      if Self.controls.contains(box.type), min(box.w, box.h) < target {
        faults.append("\(box.type) \(box.id) is \(box.w)x\(box.h), less than a finger needs")
      }
      if box.type == "Card", box.w > widest {
        faults.append("\(box.type) \(box.id) is \(box.w) wide, more than \(widest)")
      }
    }
  }

  /// How wide a card may be: as a line, or as a row of cards.
  private func widest(_ boxes: [PageBench.Box]) -> Int32 {
    let rows = Dictionary(grouping: boxes.lazy.filter { $0.type == "Card" }, by: \.y).values
    return rows.filter { $0.count > 1 }.map { row in row.map { $0.x + $0.w }.max()! - row.map(\.x).min()! }
      .reduce(measure, max)
  }
}
