import CHarfBuzz
import Graphics
import Runtime

/// The characters of a word while it is shaped: how each is shown, and by which face.
final class WordScratch {
  let characters: UnsafeMutablePointer<UInt32>
  let faces: UnsafeMutablePointer<UInt8>
  let isBold: UnsafeMutablePointer<Bool>
  let scripts: UnsafeMutablePointer<UInt32>
  /// How far each character reaches, when what fits is searched for, and whether a text may be cut before it.
  let advances: UnsafeMutablePointer<Int32>
  let mayCut: UnsafeMutablePointer<Bool>

  init() {
    characters = .allocate(capacity: Budget.wordCharacters)
    faces = .allocate(capacity: Budget.wordCharacters)
    isBold = .allocate(capacity: Budget.wordCharacters)
    scripts = .allocate(capacity: Budget.wordCharacters)
    advances = .allocate(capacity: Budget.wordCharacters)
    mayCut = .allocate(capacity: Budget.wordCharacters)
  }

  deinit {
    characters.deallocate()
    faces.deallocate()
    isBold.deallocate()
    scripts.deallocate()
    advances.deallocate()
    mayCut.deallocate()
  }
}

extension FontShelf {
  /// A word of the line that was read, shaped; valid until the next one.
  func shaped(_ word: TextLine.Word, _ style: Style) -> ShapedWords.Word {
    shaped(line.characters + Int(word.start), word.count, style, isBackwards: word.isBackwards)
  }

  func shaped(
    _ text: UnsafePointer<UInt32>, _ count: Int, _ style: Style, isBackwards: Bool
  ) -> ShapedWords.Word {
    let look = UInt8(style.rawValue) << 1 | (isBackwards ? 1 : 0)
    let hash = ShapedWords.hash(text, count, look: look)
    if let known = shapedWords.find(text, count, look: look, hash: hash) { return known }
    chooseFaces(text, count, style)
    var word = shapedWords.begin()
    var place = isBackwards ? count : 0
    // Runs of one face and one script, in the order in which they are seen.
    while isBackwards ? place > 0 : place < count {
      var (start, end) = (place, place)
      if isBackwards {
        start -= 1
        while start > 0, isOneRun(start - 1, place - 1) { start -= 1 }
        place = start
      } else {
        end += 1
        while end < count, isOneRun(place, end) { end += 1 }
        place = end
      }
      shape(start, end, of: count, isBackwards, into: &word)
    }
    shapedWords.keep(word, text, count, look: look, hash: hash)
    return word
  }

  private func isOneRun(_ one: Int, _ other: Int) -> Bool {
    scratch.faces[one] == scratch.faces[other] && scratch.isBold[one] == scratch.isBold[other]
      && scratch.scripts[one] == scratch.scripts[other]
  }

  private func shape(
    _ start: Int, _ end: Int, of count: Int, _ isBackwards: Bool, into word: inout ShapedWords.Word
  ) {
    let face = scratch.faces[start]
    if face == Self.missing {
      for step in 0..<end - start { addMissing(isBackwards ? end - 1 - step : start + step, to: &word) }
      return
    }
    guard let shaping = shaping(of: Int(face)) else { return }
    var glyphs: UnsafePointer<tl_shaped>?
    let found = tl_shape(
      shaper, shaping, scratch.characters, Int32(count), Int32(start), Int32(end - start), scratch.scripts[start],
      isBackwards ? 1 : 0, &glyphs)
    guard let glyphs else { return }
    for index in 0..<Int(found) {
      let glyph = glyphs[index]
      let character = min(max(Int(glyph.character), start), end - 1)
      if glyph.glyph == 0 {
        addMissing(character, to: &word)
        continue
      }
      shapedWords.add(
        ShapedGlyph(
          face: face, isBold: scratch.isBold[start], character: Int16(character), glyph: glyph.glyph,
          advance: glyph.advance, x: glyph.x, y: glyph.y),
        to: &word)
    }
  }

  private func addMissing(_ character: Int, to word: inout ShapedWords.Word) {
    let code = scratch.characters[character]
    // What is never seen has no box either.
    if Self.isInvisible(code) { return }
    shapedWords.add(
      ShapedGlyph(
        face: Self.missing, isBold: false, character: Int16(character), glyph: code,
        advance: MissingGlyph.advance(of: code), x: 0, y: 0),
      to: &word)
  }

  /// What HarfBuzz knows of a face; nil when memory is short.
  private func shaping(of face: Int) -> OpaquePointer? {
    if let known = faces[face].shaping { return known }
    faces[face].shaping = tl_shape_face_open(faces[face].bytes, faces[face].count, faces[face].index)
    return faces[face].shaping
  }

  // MARK: Faces

  /// Chooses a face for each character, together with the marks that stand on it, and tells the scripts apart.
  private func chooseFaces(_ text: UnsafePointer<UInt32>, _ count: Int, _ style: Style) {
    var script: UInt32 = 0
    var base = 0
    for index in 0..<count {
      let character = text[index]
      scratch.characters[index] = character
      let own = tl_script(character)
      if own != 0 { script = own }
      scratch.scripts[index] = script
      if index > 0, Self.isInvisible(character) || tl_is_mark(character) != 0 {
        takeMark(character, index, base, style)
      } else {
        base = index
        take(find(character, style), character, index)
      }
    }
    // What belongs to any script belongs to that of the letters after it, where there are none before.
    var first = 0
    while first < count, scratch.scripts[first] == 0 { first += 1 }
    if first < count { for index in 0..<first { scratch.scripts[index] = scratch.scripts[first] } }
  }

  private func take(_ found: KnownCharacter, _ character: UInt32, _ index: Int) {
    scratch.characters[index] = found.shown
    scratch.faces[index] = found.face
    scratch.isBold[index] = found.isEmboldened
    // A character of a pack stays in the one of its neighbour.
    guard index > 0, found.face >= Self.builtIn, found.face != Self.missing else { return }
    let before = scratch.faces[index - 1]
    guard before >= Self.builtIn, before != Self.missing, faces[Int(before)].has(character) else { return }
    scratch.faces[index] = before
  }

  /// A mark is in the face of what it stands on. Where that has it not, both are in a face that has both.
  private func takeMark(_ character: UInt32, _ index: Int, _ base: Int, _ style: Style) {
    let face = scratch.faces[base]
    scratch.faces[index] = face
    scratch.isBold[index] = scratch.isBold[base]
    if Self.isInvisible(character) || face != Self.missing && faces[Int(face)].has(character) { return }
    let found = find(character, style)
    guard found.face != Self.missing, found.shown == character else { return }
    if faces[Int(found.face)].has(scratch.characters[base]) {
      for place in base...index {
        scratch.faces[place] = found.face
        scratch.isBold[place] = found.isEmboldened
      }
    } else if face == Self.missing {
      scratch.faces[index] = found.face
      scratch.isBold[index] = found.isEmboldened
    }
  }

  // MARK: What fits

  /// Characters of a word that fit into a share of the em square, before the first that does not; whole ones with all
  /// that belongs to them. What is cut off may change what is left (letters that join, kerning), so it is measured
  /// again.
  func fit(_ word: TextLine.Word, _ style: Style, room: Int64) -> Int {
    findPlaces(word, style)
    var (end, reach) = (0, Int64(0))
    while end < word.count {
      reach += Int64(scratch.advances[end])
      if reach > room { break }
      end += 1
    }
    let start = line.characters + Int(word.start)
    while end > 0 {
      if end == word.count || scratch.mayCut[end],
        Int64(shaped(start, end, style, isBackwards: word.isBackwards).advance) <= room
      {
        break
      }
      end -= 1
    }
    return end
  }

  /// Leaves how far each character of a word reaches, and where it may be cut: not within what people take for one
  /// character, nor before what has no glyph of its own (the second letter of a ligature).
  private func findPlaces(_ word: TextLine.Word, _ style: Style) {
    let known = shaped(word, style)
    var clusters = ClusterRules()
    var index = 0
    while index < word.count {
      scratch.advances[index] = 0
      scratch.mayCut[index] = false
      index += 1
    }
    index = 0
    while index < Int(known.count) {
      let glyph = shapedWords.glyph(index, of: known)
      scratch.advances[Int(glyph.character)] &+= glyph.advance
      scratch.mayCut[Int(glyph.character)] = true
      index += 1
    }
    index = 0
    while index < word.count {
      if !clusters.breaks(before: line.characters[Int(word.start) + index]) { scratch.mayCut[index] = false }
      index += 1
    }
  }
}
