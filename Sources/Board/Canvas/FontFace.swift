import CFreeType
import CHarfBuzz
import Runtime

/// A typeface that is open: built in, or a file that is mapped.
struct FontFace {
  let handle: OpaquePointer
  let bytes: UnsafePointer<UInt8>
  let count: Int64
  /// Within a collection.
  let index: Int32
  var isBold = false
  var isMonospaced = false
  /// The bytes are those of a file, mapped.
  var isFile = false
  /// What HarfBuzz knows of it, once it has shaped something.
  var shaping: OpaquePointer?

  func close() {
    if let shaping { tl_shape_face_close(shaping) }
    tl_face_close(handle)
    if isFile {
      Syscall.unmap(UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(mutating: bytes), count: Int(count)))
    }
  }

  func has(_ character: UInt32) -> Bool { tl_face_glyph(handle, character) != 0 }
}

/// How a character is shown in a style.
struct KnownCharacter {
  /// No character has this number.
  var character: UInt32 = 0xFFFF_FFFF
  /// The character that is shown: this one, or one of the same meaning.
  var shown: UInt32 = 0
  /// `FontShelf.missing`: no face has it.
  var face: UInt8 = 0
  var isEmboldened = false
}

/// A glyph of a word, at its place from the pen.
struct ShapedGlyph: BitwiseCopyable {
  var face: UInt8
  var isBold: Bool
  /// The first character of the word that it stands for.
  var character: Int16
  var glyph: UInt32
  /// To the next pen, and from the pen to the right and up, in 1/65536 of the em square.
  var advance: Int32
  var x: Int32
  var y: Int32
}
