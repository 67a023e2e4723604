import Runtime

/// Reads QR codes in gray pictures; quirc does on a board.
public protocol CodeReader: AnyObject {
  /// Looks for codes in a picture of at most `Budget.scannedSide` pixels a side, and hands over the text of each that
  /// can be read, until `take` returns true. True when it did.
  func read(_ luma: Plane, _ take: (Span<UInt8>) -> Bool) throws(Errno) -> Bool
}

/// Looks for a QR code in front of the camera: for `talon connect --scan`, in a process of its own.
public final class CodeScan {
  private let stream: CameraStream
  private let clock: any Clock
  private let converter: FrameConverter
  private let first: ReservedBuffer
  private let second: ReservedBuffer
  private var limits = JobLimits()
  private var faults = FrameFaults()
  /// Pictures that were looked at.
  public private(set) var pictures = 0

  /// A scan by the cameras of `stream`.
  @export(interface)
  public init(stream: CameraStream, codec: any JPEGCodec, clock: any Clock) throws(Errno) {
    self.stream = stream
    self.clock = clock
    converter = try FrameConverter(codec: codec)
    first = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
    second = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
  }

  /// Opens the camera, and looks at its pictures until `take` returns true for the text of a code, or the time is up.
  /// Closes it in any case.
  /// - Parameters:
  ///   - deadline: in milliseconds of `Clock.monotonic`.
  ///   - goesOn: asked before each picture; false ends the look.
  /// - Returns: true when `take` did.
  @export(interface)
  public func run(
    _ choice: CameraChoice, by reader: any CodeReader, until deadline: Int64, while goesOn: () -> Bool = { true },
    _ take: (Span<UInt8>) -> Bool
  ) throws(CameraError) -> Bool {
    defer {
      stream.closeAndDarken()
      converter.release()
    }
    limits.deadline = deadline
    _ = try stream.open(choice, for: .photo, width: Budget.scannedSide)
    var refusal: CameraError?
    while goesOn() {
      do throws(CameraError) {
        let frame = try stream.next(limits)
        if stream.exposesByHand { try stream.expose(try converter.measure(frame, in: second.bytes)) }
        let luma = try picture(of: frame)
        refusal = nil
        pictures += 1
        if try look(luma, reader, take) { return true }
      } catch {
        switch error {
        case .brokenFrame: refusal = error
        case .timeout where pictures > 0: return false
        // Damaged frames rather than the timeout that they caused.
        case .timeout: throw refusal ?? error
        default: throw error
        }
      }
    }
    return false
  }

  private func picture(of frame: RawFrame) throws(CameraError) -> Plane {
    let layout = try converter.layout(of: frame, &faults)
    let places = FrameConverter.Places(first: first.bytes, second: second.bytes)
    let result = try converter.convert(frame, layout, keepsChroma: true, in: places) {
      PhotoSize(width: $0, height: $1, longEdge: min(max($0, $1), Budget.scannedSide))
    }
    return result.image.luma
  }

  private func look(
    _ luma: Plane, _ reader: any CodeReader, _ take: (Span<UInt8>) -> Bool
  ) throws(CameraError) -> Bool {
    do throws(Errno) {
      return try reader.read(luma, take)
    } catch {
      throw .io(error)
    }
  }
}
