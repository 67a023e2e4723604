import Canvas
import Graphics
import Runtime

/// The protocol between the agent and the process that decodes a picture, in two shared memory segments: 64-bit numbers
/// at the beginning, and bytes from `head` on.
enum PictureExchange {
  /// Bytes before the encoded picture, and before the pixels.
  static let head = 4096
  /// Offset and largest length in bytes of the text of a fault.
  static let text = 256
  static let textBytes: Int64 = 128

  /// Indices of the request's numbers; the encoded picture follows them.
  enum Question {
    static let isDrawing = 0, count = 1, width = 2, height = 3
  }

  /// Indices of the response's numbers; the pixels follow them.
  enum Answer {
    static let verdict = 0, width = 1, height = 2, originalWidth = 3, originalHeight = 4, fault = 5, textCount = 6,
      omission = 7
  }

  /// Values of `Answer.verdict`; 0: none yet.
  static let picture: Int64 = 1, fault: Int64 = 2

  static let kinds: [PictureFault.Kind] = [.broken, .unknownFormat, .tooLarge, .outOfMemory, .notDecoded]

  /// Room for the largest picture; only written pages take memory.
  static let answerBytes = head + 4 * Budget.shownPixels
}

/// The response of the decoding process, of which every value is checked before use.
struct PictureAnswer: ~Copyable {
  private let memory: SharedMemory

  init(_ memory: SharedMemory) { self.memory = memory }

  /// The picture. The process must have ended.
  func read() throws(PictureFault) -> DecodedPicture {
    switch memory[word: PictureExchange.Answer.verdict] {
    case PictureExchange.picture: return try picture()
    case PictureExchange.fault: throw fault()
    default: throw Self.malformedRequest()
    }
  }

  private static func malformedRequest() -> PictureFault {
    PictureFault(.notDecoded, ConfinedEnd.invalidMessage.sentence("the picture's decoder "))
  }

  private func picture() throws(PictureFault) -> DecodedPicture {
    let size = try size(PictureExchange.Answer.width, PictureExchange.Answer.height)
    let original = try self.size(PictureExchange.Answer.originalWidth, PictureExchange.Answer.originalHeight)
    guard Int64(size.width) * Int64(size.height) <= Int64(Budget.shownPixels),
      let picture = DecodedPicture(size, original: original, in: memory, at: PictureExchange.head)
    else { throw Self.malformedRequest() }
    picture.omission = SVGOmission(rawValue: Int(truncatingIfNeeded: memory[word: PictureExchange.Answer.omission]))
    memory.keep(PictureExchange.head + picture.pixels.count * 4)
    return picture
  }

  private func size(_ width: Int, _ height: Int) throws(PictureFault) -> Size {
    let sides = 1...Int64(Budget.pictureSidePixels)
    let (width, height) = (memory[word: width], memory[word: height])
    guard sides.contains(width), sides.contains(height) else { throw Self.malformedRequest() }
    return Size(Int32(width), Int32(height))
  }

  private func fault() -> PictureFault {
    let kind = memory[word: PictureExchange.Answer.fault]
    let count = min(memory[word: PictureExchange.Answer.textCount], PictureExchange.textBytes)
    let bytes = memory.part(at: PictureExchange.text, count: count)
    var text = InlineText<128>()
    // Text of a library, for a log line and a response: reduced to one line of ASCII.
    text.fill { room in
      for index in 0..<bytes.count {
        room[index] = bytes[index] >= 0x20 && bytes[index] < 0x7F ? bytes[index] : UInt8(ascii: "?")
      }
      return bytes.count
    }
    guard kind >= 0, kind < Int64(PictureExchange.kinds.count), !text.isEmpty else { return Self.malformedRequest() }
    return PictureFault(PictureExchange.kinds[Int(kind)], text)
  }
}
