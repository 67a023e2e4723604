import Canvas
import Graphics
import Runtime

/// The process that decodes one picture: reads it from the shared memory of descriptor 0, writes pixels to that of
/// descriptor 1, and ends. Before it reads the first byte it has given up all rights except computing in its own
/// memory.
public enum PictureServer {
  /// Decodes; returns the exit code of the process.
  @export(interface)
  public static func run(question: Descriptor = Descriptor(0), answer: Descriptor = Descriptor(1)) -> Int32 {
    Process.preferOutOfMemoryKill()
    do throws(Errno) {
      let question = try SharedMemory(inherited: question)
      let answer = try SharedMemory(inherited: answer)
      guard question.bytes.count >= PictureExchange.head, answer.bytes.count >= PictureExchange.answerBytes else {
        return Confinement.refused
      }
      let isDrawing = question[word: PictureExchange.Question.isDrawing] != 0
      try Confinement.enter(
        .computing, dataBytes: Budget.decoderBytes, addressBytes: Budget.decoderAddressBytes,
        seconds: isDrawing ? Budget.drawingSeconds : Budget.pictureSeconds)
      serve(question, answer)
      return 0
    } catch {
      return Confinement.refused
    }
  }

  /// Decodes the picture of the request in this process.
  static func serve(_ question: SharedMemory, _ answer: SharedMemory) {
    let bytes = question.part(at: PictureExchange.head, count: question[word: PictureExchange.Question.count])
    let limit = PictureLimit(
      wanted: Size(
        Int32(clamping: question[word: PictureExchange.Question.width]),
        Int32(clamping: question[word: PictureExchange.Question.height])))
    do throws(PictureFault) {
      let picture: DecodedPicture
      if question[word: PictureExchange.Question.isDrawing] != 0 {
        picture = try ScreenPictures().drawing(UnsafeBufferPointer(bytes), limit)
      } else {
        picture = try PictureDecoder.decode(UnsafeBufferPointer(bytes), limit)
      }
      write(picture, to: answer)
    } catch {
      write(error, to: answer)
    }
  }

  private static func write(_ picture: DecodedPicture, to answer: SharedMemory) {
    let pixels = UnsafeRawBufferPointer(picture.pixels)
    let count = min(pixels.count, answer.bytes.count - PictureExchange.head)
    UnsafeMutableRawBufferPointer(rebasing: answer.bytes[PictureExchange.head...]).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: pixels[..<count]))
    answer[word: PictureExchange.Answer.width] = Int64(picture.size.width)
    answer[word: PictureExchange.Answer.height] = Int64(picture.size.height)
    answer[word: PictureExchange.Answer.originalWidth] = Int64(picture.original.width)
    answer[word: PictureExchange.Answer.originalHeight] = Int64(picture.original.height)
    answer[word: PictureExchange.Answer.omission] = Int64(picture.omission?.rawValue ?? -1)
    answer[word: PictureExchange.Answer.verdict] = PictureExchange.picture
  }

  private static func write(_ fault: PictureFault, to answer: SharedMemory) {
    let text = fault.text
    for index in 0..<text.count { answer.bytes[PictureExchange.text + index] = text.span[index] }
    answer[word: PictureExchange.Answer.textCount] = Int64(text.count)
    for index in 0..<PictureExchange.kinds.count where PictureExchange.kinds[index] == fault.kind {
      answer[word: PictureExchange.Answer.fault] = Int64(index)
    }
    answer[word: PictureExchange.Answer.verdict] = PictureExchange.fault
  }
}
