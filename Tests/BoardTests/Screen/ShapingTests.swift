import CAllocationCounter
import Canvas
import Foundation
import Graphics
import Runtime
import TestSupport
import Testing

@testable import Board

@Suite("Shaping of text")
struct ShapingTests {
  private let shelf: FontShelf
  private let line = GlyphLine()
  private let font = Font(size: 32)

  init() throws {
    shelf = try FontShelf(
      packs: FontPacks(folders: [Repository.path(".deps/fonts/root/usr/share/fonts/truetype/noto")]))
  }

  private func advance(_ text: String) -> Int32 { shelf.advance(of: text.utf8.span, in: font) }

  private func glyphs(_ text: String) -> [PlacedGlyph] {
    shelf.layOut(text.utf8.span, in: font, into: line)
    return (0..<line.count).map { line[$0] }
  }

  @Test("the digits of numbers are of one width, and those in words are as they fit")
  func numbers() {
    #expect(advance("1") == advance("8") && advance("11:11") == advance("20:58"))
    #expect(advance("a11") < advance("a88"))
  }

  @Test("the first letter says how a text runs; digits, signs and bytes that are no text do not")
  func directions() {
    func direction(_ text: String) -> TextDirection? { shelf.direction(of: text.utf8.span) }
    #expect(direction("3. שלום, abc") == .rightToLeft && direction("«مرحبا»") == .rightToLeft)
    #expect(direction("abc שלום") == .leftToRight && direction("中文 שלום") == .leftToRight)
    #expect(direction("١٢٣") == nil && direction("42 %") == nil && direction("") == nil)
    #expect(direction("\u{200F}abc") == .rightToLeft)
    let broken: [UInt8] = [0xD7, 0x41]
    #expect(shelf.direction(of: broken.span) == .leftToRight)
  }

  @Test("pairs of letters are kerned")
  func kerning() {
    #expect(advance("AV") < advance("A") + advance("V") - 64)
    #expect(advance("To") < advance("T") + advance("o"))
  }

  @Test("a hyphen and a sign are no arrow: a text is shown as it was sent")
  func verbatim() {
    #expect(glyphs("->").map(\.glyph) == glyphs("-").map(\.glyph) + glyphs(">").map(\.glyph))
    #expect(glyphs("2x3").count == 3 && glyphs("2x3")[1].glyph == glyphs("x")[0].glyph)
  }

  @Test("niqqud stands under and in its letter")
  func niqqud() {
    // Bet with dagesh and qamats: neither makes it wider, and both stand between its edges.
    let letter = "\u{05D1}"
    let found = glyphs(letter + "\u{05B8}")
    #expect(found.count == 2)
    #expect(advance(letter + "\u{05B8}") == advance(letter))
    #expect(advance(letter + "\u{05BC}\u{05B8}") == advance(letter))
    let base = glyphs(letter)[0].glyph
    let mark = found.first { $0.glyph != base }
    #expect(mark != nil && mark!.face == found.first { $0.glyph == base }!.face)
    // A pen that stood where the letter ends would put it beside the letter.
    #expect(mark!.x < advance(letter) && mark!.x > -advance(letter))
    // Under wide and narrow letters at different places.
    let narrow = glyphs("\u{05D5}\u{05B8}")
    #expect(narrow.count == 2)
  }

  @Test("Urdu letters join as they do in Urdu")
  func urdu() {
    for word in ["گھر", "ہے", "کتاب", "ٹھیک", "چائے", "پڑھنا"] {
      let found = glyphs(word)
      #expect(found.allSatisfy { $0.face != FontShelf.missing }, "\(word)")
      let alone = word.unicodeScalars.map { advance(String(Character($0))) }.reduce(0, +)
      #expect(advance(word) < alone, "\(word)")
      // Right to left: the pen of each glyph is right of the one before it in this order.
      #expect(found.map(\.x) == found.map(\.x).sorted(), "\(word)")
    }
  }

  @Test("Arabic marks stand above and below their letters and take no room")
  func harakat() {
    #expect(advance("\u{0628}\u{064E}") == advance("\u{0628}"))
    // Fatha stands lower above a low letter than above a high one.
    let (low, high) = (glyphs("\u{0628}\u{064E}"), glyphs("\u{0644}\u{064E}"))
    #expect(low.count == 2 && high.count == 2)
    #expect(low.map(\.y).min()! < high.map(\.y).min()!)
  }

  @Test("Devanagari has conjuncts, and vowels before the consonants that they follow")
  func devanagari() {
    // Ka, virama, ssa are one.
    #expect(glyphs("\u{0915}\u{094D}\u{0937}").count == 1)
    // Ka and the vowel i: the vowel is seen first.
    let (ka, syllable) = (glyphs("\u{0915}"), glyphs("\u{0915}\u{093F}"))
    #expect(syllable.count == 2 && syllable[1].glyph == ka[0].glyph)
    #expect(advance("\u{0915}\u{093F}") > advance("\u{0915}"))
  }

  @Test("a letter and its accent are what the letter with the accent is")
  func accents() {
    #expect(advance("e\u{0301}") == advance("é"))
    #expect(advance("a\u{0323}\u{0302}") == advance("ậ"))
    #expect(advance("x\u{0301}") == advance("x"))
  }

  @Test(
    "what fits is whole characters, in every script, and no wider than the width",
    arguments: [
      "Größe, To AV", "שָׁלוֹם עֲלֵיכֶם", "گھر ہے کتاب", "मेरी क्षमता किताब", "ภาษาไทยนี้", "e\u{301}\u{302}x\u{301}",
      "\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}", "abc שלום 123 def", "বাংলা ভাষা", "தமிழ் மொழி",
    ])
  func fits(text: String) {
    let bytes = Array(text.utf8)
    var starts: Set<Int> = [0, bytes.count]
    var place = 0
    while place < bytes.count {
      place = Characters.next(bytes.span, place)
      starts.insert(place)
    }
    for width in stride(from: Int32(0), to: advance(text) + 640, by: 61) {
      let count = shelf.fit(bytes.span, in: font, width: width)
      #expect(starts.contains(count), "\(width)")
      let part = Array(bytes[..<count])
      let reach = shelf.advance(of: part.span, in: font)
      #expect(reach <= width)
    }
    let (all, none) = (
      shelf.fit(bytes.span, in: font, width: .max), shelf.fit(bytes.span, in: font, width: 0)
    )
    #expect(all == bytes.count && none == 0)
  }

  @Test("words that were forgotten are shaped alike again")
  func forgotten() throws {
    let before = advance("Wortlaut AV")
    for number in 0..<Budget.shapedWords + 10 { _ = advance("w\(number)") }
    #expect(advance("Wortlaut AV") == before)
    // More glyphs than the table has.
    for number in 0..<200 { _ = advance(String(repeating: "a", count: 80) + "\(number)") }
    #expect(advance("Wortlaut AV") == before)
  }

  @Test("a word that is longer than what is shaped at once is whole, and a mark is never cut off its letter")
  func longWords() {
    let syllable = "\u{0915}\u{093F}"
    let count = Budget.wordCharacters
    #expect(advance(String(repeating: syllable, count: count)) == Int32(count) * advance(syllable))
    // Nothing but marks.
    #expect(glyphs("a" + String(repeating: "\u{301}", count: 3 * Budget.wordCharacters)).count <= Budget.lineGlyphs)
  }

  @Test("text that is shown again and again allocates nothing, shaped anew or not")
  func allocations() {
    // Nothing from right to left: FriBidi takes memory for its runs, and gives it back.
    let texts = ["Temperatur 21 °C", "Ελλάδα", "मेरी किताब", "ไทย", "\u{10FFFD}"].map { Array($0.utf8) }
    func run() {
      var index = 0
      while index < texts.count {
        let text = texts[index]
        shelf.layOut(text.span, in: font, into: line)
        _ = shelf.fit(text.span, in: font, width: 1000)
        index += 1
      }
    }
    run()
    shelf.shapedWords.removeAll()
    run()
    tl_count_allocations()
    run()
    #expect(tl_counted_allocations() == 0)
    tl_count_allocations()
    shelf.shapedWords.removeAll()
    run()
    #expect(tl_counted_allocations() == 0)
  }

  // MARK: Boxes

  @Test("a box has the digits of its code point, and in small type none")
  func boxes() {
    func lit(_ code: UInt32, _ size: Int16) -> Int {
      let glyph = PlacedGlyph(face: FontShelf.missing, isBold: false, isSlanted: false, glyph: code, x: 0)
      guard let picture = shelf.draw(glyph, size: size, quarter: 0) else { return 0 }
      let coverage = picture.coverage
      var count = 0
      for y in 0..<Int(coverage.size.height) {
        for x in 0..<Int(coverage.size.width) where coverage.rows[y * coverage.stride + x] > 0 { count += 1 }
      }
      return count
    }
    // The frame of 11x15 pixels has 48; four times a one has 8 each, an eight 13.
    #expect(lit(0x1111, 12) == 48 + 4 * 8)
    #expect(lit(0x8888, 12) == 48 + 4 * 13)
    #expect(lit(0x1111, 11) == lit(0x8888, 11))
    #expect(lit(0x101111, 24) > lit(0x1111, 24))
    for size in [Int16(1), 2, 5, 12, 599, 600, .max] { #expect(lit(0x10FFFF, size) > 0) }
    let outline = GlyphOutline()
    #expect(
      shelf.outline(
        PlacedGlyph(face: FontShelf.missing, isBold: false, isSlanted: false, glyph: 0x4F60, x: 0), into: outline))
    #expect(outline.count == 8)
  }

  // MARK: Files of the board

  @Test("of a folder's files the upright sans of regular weight are known, in the order of their names")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fonts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in [
      "NotoSansThai-Regular.ttf", "NotoSansThai-Bold.ttf", "NotoSerifThai-Regular.ttf", "NotoSansMono-Regular.ttf",
      "NotoSansThaiUI-Regular.ttf", "NotoSansCJK-Regular.ttc", "Own.otf", "Own-Italic.otf", "readme.txt",
    ] {
      try Data([1, 2, 3]).write(to: folder.appendingPathComponent(name))
    }
    let packs = FontPacks(folders: [folder.path, "/does/not/exist"])
    #expect(packs.count == 3)
    // None of them can be read: that is no more than a character that is missing.
    let shelf = try FontShelf(packs: packs)
    shelf.layOut("\u{0E01}".utf8.span, in: font, into: line)
    #expect(line.count == 1 && line[0].face == FontShelf.missing)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(!open.contains { $0.contains(folder.lastPathComponent) })
    for number in 0..<Budget.fontPacks {
      try Data().write(to: folder.appendingPathComponent("A\(number).ttf"))
    }
    #expect(FontPacks(folders: [folder.path]).count == Budget.fontPacks)
  }

  @Test("names of font files are known as far as there is room for them, in the order of their bytes")
  func nameBytes() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let long = String(repeating: "n", count: 240)
    // The folder has them in any order, and what fits of them is sorted.
    let most = Budget.fontPackNameBytes / 248
    for number in 0..<most + 20 {
      let name = String(number + 1000) + long + ".ttf"
      try Data([0]).write(to: folder.appendingPathComponent(name))
    }
    let packs = FontPacks(folders: [folder.path])
    #expect(packs.count == most)
    var asked: [String] = []
    while let path = packs.take(named: nil) { asked.append(String(cString: path.cString)) }
    #expect(asked.count == most && asked == asked.sorted())
  }

  @Test("a word with more glyphs than it may have stays as far as it came, and a full table begins anew")
  func tableOfWords() {
    let words = ShapedWords()
    let glyph = ShapedGlyph(face: 0, isBold: false, character: 0, glyph: 7, advance: 10, x: 0, y: 0)
    for number in 0..<UInt32(Budget.shapedGlyphs / Budget.wordGlyphs + 2) {
      var word = words.begin()
      for _ in 0..<Budget.wordGlyphs + 5 { words.add(glyph, to: &word) }
      #expect(word.count == Int32(Budget.wordGlyphs) && word.advance == 10 * Int32(Budget.wordGlyphs))
      let text: [UInt32] = [number]
      words.keep(word, text, 1, look: 0, hash: ShapedWords.hash(text, 1, look: 0))
      #expect(words.find(text, 1, look: 0, hash: ShapedWords.hash(text, 1, look: 0))?.count == word.count)
      #expect(words.count <= Budget.shapedGlyphs / Budget.wordGlyphs)
    }
  }

  @Test("a file is opened when a character of its script is shown, and no other")
  func lazy() throws {
    let faces = shelf.faceCount
    #expect(faces == 8)
    #expect(advance("Grüße שלום") > 0)
    #expect(shelf.faceCount == faces)
    #expect(glyphs("ไทย").allSatisfy { $0.face != FontShelf.missing })
    #expect(shelf.faceCount == faces + 1)
    // What no file has makes all of them be read, once.
    #expect(glyphs("\u{10FFFD}")[0].face == FontShelf.missing)
    let all = shelf.faceCount
    #expect(all > 30 && all <= Budget.fontFaces)
    #expect(glyphs("\u{10FFFC}")[0].face == FontShelf.missing)
    #expect(shelf.faceCount == all)
  }
}
