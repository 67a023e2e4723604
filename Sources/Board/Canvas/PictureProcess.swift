import Canvas
import Graphics
import Runtime

/// Decodes each picture in a confined process of its own, which runs this program (`PictureServer`). Pictures come from
/// untrusted sources and their decoders are C: code that exploits one finds a process without files, network and keys,
/// with bounded memory and processor time, which ends with the picture. One process per picture costs a start, takes no
/// memory while there is no picture, and keeps pictures apart from each other.
public final class PictureProcess: PictureCodec {
  /// The internal command name of the process.
  public static let name = "decode-picture"

  private let program: ConfinedProgram

  /// A codec whose processes are `program`.
  @export(interface)
  public init(_ program: ConfinedProgram = ConfinedProgram(name)) { self.program = program }

  /// See `PictureCodec`. Blocks until the picture is decoded or its time limit is over. For workers; several may call
  /// at the same time.
  public func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ContentKind, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture? {
    switch kind {
    case .picture: return try decode(bytes, isDrawing: false, limit)
    case .svg: return try decode(bytes, isDrawing: true, limit)
    case .html:
      // An HTML page that consists of one SVG drawing is decoded as that drawing.
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
    // The process writes nothing to its output; only its exit counts.
    if process.listen(until: deadline, or: limit.cancellation) != nil { process.kill() }
    guard process.end == .exit(0) else {
      throw PictureFault(.notDecoded, (process.end ?? .cancelled).sentence("the picture's decoder "))
    }
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
    UnsafeMutableRawBufferPointer(rebasing: question.bytes[PictureExchange.head...]).copyMemory(
      from: UnsafeRawBufferPointer(bytes))
    return question
  }
}
