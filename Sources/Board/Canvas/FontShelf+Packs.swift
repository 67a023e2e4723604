import CFreeType
import CHarfBuzz
import Runtime

/// Which blocks of 256 characters the opened font files of the board have something of, so that a character which none
/// of them has is not looked up in each.
final class PackBlocks {
  private static let words = 0x110000 / 256 / 64
  private let bits: UnsafeMutablePointer<UInt64>

  init() {
    // Only the rows of opened files are written, and cost memory.
    bits = .allocate(capacity: Budget.fontFaces * Self.words)
  }

  deinit { bits.deallocate() }

  /// Notes what a face has.
  func read(_ face: FontFace, at place: Int) {
    let row = bits + place * Self.words
    row.update(repeating: 0, count: Self.words)
    if face.has(0) { row[0] |= 1 }
    var character: UInt32 = 0
    while true {
      let next = tl_face_next(face.handle, character)
      guard next > character, next <= 0x10FFFF else { return }
      row[Int(next >> 14)] |= 1 << UInt64(next >> 8 & 63)
      // On to the next block.
      character = next | 0xFF
    }
  }

  func mayHave(_ character: UInt32, at place: Int) -> Bool {
    bits[place * Self.words + Int(character >> 14)] >> UInt64(character >> 8 & 63) & 1 == 1
  }
}

extension FontShelf {
  /// The face of a character among the font files of the board; nil when none has it. Files are opened until one has,
  /// those that are named after its script first.
  func askPacks(_ character: UInt32) -> UInt8? {
    guard let packs else { return nil }
    for index in ownCount..<faceCount where blocks.mayHave(character, at: index) && faces[index].has(character) {
      return UInt8(index)
    }
    let script = tl_script(character)
    if Self.isInvisible(character) { return nil }
    if let name = FontPacks.name(of: script), let face = open(packs, named: name, for: character) { return face }
    return open(packs, named: nil, for: character)
  }

  private func open(_ packs: FontPacks, named name: StaticString?, for character: UInt32) -> UInt8? {
    while faceCount < Budget.fontFaces, let path = packs.take(named: name) {
      guard let face = openFile(path, index: 0) else { continue }
      let place = keep(face)
      blocks.read(face, at: place)
      if face.has(character) { return UInt8(place) }
    }
    return nil
  }
}
