import Canvas
import Runtime

/// Has pictures decoded by a process for each, which is this program again (`PictureServer`). Pictures come from strangers, and their
/// decoders are C: what takes one over finds a process without files, network and keys, whose memory and processor time are bounded, and that ends
/// with its picture. A process for each costs a start, and nothing while there is no picture; and nothing of one picture is left where the
/// next one is decoded.
public final class PictureProcess: PictureCodec {
  /// The name that the program has for such a process.
  public static let name = "decode-picture"

  private let program: ConfinedProgram

  /// A codec whose processes are `program`.
  public init(_ program: ConfinedProgram = ConfinedProgram(name)) { self.program = program }

  /// See `PictureCodec`. Blocks for as long as a picture may take; for workers, of which several may call at once.
  public func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ContentKind, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture? {
    switch kind {
    case .picture: return try decode(bytes, isDrawing: false, limit)
    case .svg: return try decode(bytes, isDrawing: true, limit)
    case .html:
      // A page that is one drawing is that drawing.
      guard let range = ReaderPage.drawing(in: bytes) else { return nil }
      return try decode(bytes.extracting(range), isDrawing: true, limit)
    default: return nil
    }
  }

  private func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, isDrawing: Bool, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture? {
    let deadline = SystemClock().monotonic + Budget.decoderMilliseconds
    let answer: SharedMemory
    let process: ConfinedProcess
    do throws(Errno) {
      let question = try Self.question(bytes, isDrawing, limit)
      answer = try SharedMemory(capacity: PictureExchange.answerBytes)
      process = try ConfinedProcess(program, files: question.descriptor, answer.descriptor)
    } catch {
      throw PictureFault(.notDecoded, "the picture's decoder cannot be started: ", detail: error.text.path)
    }
    // It has nothing to say but its end.
    if process.listen(until: deadline, or: limit.cancellation) != nil { process.kill() }
    guard process.end == .exit(0) else { throw PictureFault(.notDecoded, (process.end ?? .cancelled).sentence("the picture's decoder ")) }
    return try PictureAnswer(answer).read()
  }

  private static func question(
    _ bytes: UnsafeBufferPointer<UInt8>, _ isDrawing: Bool, _ limit: PictureLimit
  ) throws(Errno) -> SharedMemory {
    let question = try SharedMemory(capacity: PictureExchange.head + bytes.count)
    question[word: PictureExchange.Question.isDrawing] = isDrawing ? 1 : 0
    question[word: PictureExchange.Question.count] = Int64(bytes.count)
    question[word: PictureExchange.Question.width] = Int64(limit.wanted.width)
    question[word: PictureExchange.Question.height] = Int64(limit.wanted.height)
    UnsafeMutableRawBufferPointer(rebasing: question.bytes[PictureExchange.head...]).copyMemory(from: UnsafeRawBufferPointer(bytes))
    return question
  }
}
