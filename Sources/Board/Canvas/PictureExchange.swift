import Canvas
import Runtime

/// What the agent and the process that decodes a picture say to each other, in two pieces of shared memory: numbers of 64 bits at the
/// beginning, and bytes from `head` on.
enum PictureExchange {
  /// Bytes before the picture's own, and before the pixels.
  static let head = 4096
  /// Where the words of a fault stand, and how many bytes they have at most.
  static let text = 256
  static let textBytes: Int64 = 128

  /// Numbers of the question, which has the encoded picture behind them.
  enum Question {
    static let isDrawing = 0, count = 1, width = 2, height = 3
  }

  /// Numbers of the answer, which has the pixels behind them.
  enum Answer {
    static let verdict = 0, width = 1, height = 2, originalWidth = 3, originalHeight = 4, fault = 5, textCount = 6, omission = 7
  }

  /// What `Answer.verdict` says; 0: nothing yet.
  static let picture: Int64 = 1, fault: Int64 = 2

  static let kinds: [PictureFault.Kind] = [.broken, .unknownFormat, .tooLarge, .outOfMemory, .notDecoded]

  /// Room for the largest picture that is kept; only what is used costs memory.
  static let answerBytes = head + 4 * Budget.shownPixels
}

/// What came back, of which nothing is taken on trust.
struct PictureAnswer: ~Copyable {
  private let memory: SharedMemory

  init(_ memory: SharedMemory) { self.memory = memory }

  /// The picture. The process must have ended.
  func read() throws(PictureFault) -> DecodedPicture {
    switch memory[word: PictureExchange.Answer.verdict] {
    case PictureExchange.picture: return try picture()
    case PictureExchange.fault: throw fault()
    default: throw Self.senseless()
    }
  }

  private static func senseless() -> PictureFault { PictureFault(.notDecoded, ConfinedEnd.nonsense.sentence("the picture's decoder ")) }

  private func picture() throws(PictureFault) -> DecodedPicture {
    let size = try size(PictureExchange.Answer.width, PictureExchange.Answer.height)
    let original = try self.size(PictureExchange.Answer.originalWidth, PictureExchange.Answer.originalHeight)
    guard Int64(size.width) * Int64(size.height) <= Int64(Budget.shownPixels),
      let picture = DecodedPicture(size, original: original, in: memory, at: PictureExchange.head)
    else { throw Self.senseless() }
    picture.omission = SVGOmission(rawValue: Int(truncatingIfNeeded: memory[word: PictureExchange.Answer.omission]))
    memory.keep(PictureExchange.head + picture.pixels.count * 4)
    return picture
  }

  private func size(_ width: Int, _ height: Int) throws(PictureFault) -> Size {
    let sides = 1...Int64(Budget.pictureSidePixels)
    let (width, height) = (memory[word: width], memory[word: height])
    guard sides.contains(width), sides.contains(height) else { throw Self.senseless() }
    return Size(Int32(width), Int32(height))
  }

  private func fault() -> PictureFault {
    let kind = memory[word: PictureExchange.Answer.fault]
    let count = min(memory[word: PictureExchange.Answer.textCount], PictureExchange.textBytes)
    let bytes = memory.part(at: PictureExchange.text, count: count)
    var text = InlineText<128>()
    // Words of a library, for a log and an answer: one line of ASCII.
    text.fill { room in
      for index in 0..<bytes.count { room[index] = bytes[index] >= 0x20 && bytes[index] < 0x7F ? bytes[index] : UInt8(ascii: "?") }
      return bytes.count
    }
    guard kind >= 0, kind < Int64(PictureExchange.kinds.count), !text.isEmpty else { return Self.senseless() }
    return PictureFault(PictureExchange.kinds[Int(kind)], text)
  }
}
