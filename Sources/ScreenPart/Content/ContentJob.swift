import Canvas
import Codec
import Fetch
import Graphics
import Runtime

/// Finds the type of fetched content, or of a `data:` address, and decodes pictures. On a worker.
final class ContentJob: Job {
  private let codec: any PictureCodec
  /// The decoded bytes of `data:` addresses.
  private let memory: ReservedBuffer
  private let ended: () -> Void
  private var source = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var isData = false
  private var type = InlineText<64>()
  var isMarkdown: Bool { type.equals(("text/markdown" as StaticString).utf8Bytes) }
  private var limit = PictureLimit(wanted: Size(0, 0))
  /// True when the result is not needed any more.
  private let cancellation = Cancellation()
  /// The type of the content, and its bytes, until `release`.
  private(set) var kind = ContentKind.unknown
  private(set) var content = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The picture; nil for other content, or because of `error`.
  private(set) var picture: DecodedPicture?
  private(set) var error: ContentError?

  init(_ codec: any PictureCodec, ended: @escaping () -> Void) throws(Errno) {
    self.codec = codec
    self.ended = ended
    memory = try ReservedBuffer(capacity: Budget.dataURLBytes)
  }

  /// Sets the content, which must not change until `finish`. `isData`: it is a `data:` address. Not while pending.
  func prepare(_ source: UnsafeBufferPointer<UInt8>, isData: Bool, type: InlineText<64>, wanted: Size) {
    release()
    (self.source, self.isData, self.type) = (source, isData, type)
    limit = PictureLimit(wanted: wanted, cancellation: cancellation)
    cancellation.reset()
  }

  /// Ends the job as soon as the worker checks; while it is pending.
  func cancel() { cancellation.request() }

  override func run() {
    if cancellation.isRequested { return }
    content = source
    if isData {
      type = DataURL.type(of: source.span)
      do throws(DataURL.Fault) {
        let count = try DataURL.decode(source.span, into: memory.bytes)
        content = UnsafeBufferPointer(memory.bytes).extracting(0..<count)
      } catch {
        self.error = .badData(error)
        return
      }
    }
    kind = ContentKind(content, type: type.span)
    do throws(PictureFault) {
      picture = try codec.decode(content, kind, limit)
    } catch {
      self.error = .picture(error)
    }
  }

  override func finish() { ended() }

  /// Nothing of it is needed any more. Not while pending.
  func release() {
    (picture, error, kind) = (nil, nil, .unknown)
    content = UnsafeBufferPointer(start: nil, count: 0)
    memory.release()
  }
}
