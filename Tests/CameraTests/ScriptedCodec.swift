@testable import Camera

/// A codec that answers encodings with the sizes of a script, and remembers what it was given.
final class ScriptedCodec: JPEGCodec {
  struct Attempt: Equatable {
    var width: Int
    var height: Int
    var quality: Double
    var coding = JPEGCoding.standard
  }

  /// Bytes of each encoding to come; the last one counts for all further ones.
  var sizes: [Int] = [1000]
  /// What every decoding gives: all samples of each component of this value; nil: the picture is broken.
  var decoded: (width: Int, height: Int, chroma: ChromaLayout)?
  var hadAllData = true
  /// The end of the picture that was decoded last.
  private(set) var decodedEnd: [UInt8] = []
  private(set) var attempts: [Attempt] = []
  private(set) var chroma: [ChromaLayout] = []
  /// The samples of the last picture encoded.
  private(set) var planes: [[[UInt8]]] = []
  private(set) var wantedWidths: [Int] = []

  func decode(
    _ jpeg: UnsafeBufferPointer<UInt8>, atLeast width: Int, into storage: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> PlanarImage {
    wantedWidths.append(width)
    decodedEnd = Array(jpeg.suffix(2))
    guard let decoded else { throw .broken }
    guard
      let image = PlanarImage(
        in: storage, width: decoded.width, height: decoded.height, chroma: decoded.chroma)
    else { throw .unsupported }
    return image
  }

  func encode(
    _ image: PlanarImage, quality: Int, coding: JPEGCoding, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int {
    attempts.append(
      .init(
        width: image.width, height: image.height, quality: Double(quality) / 100, coding: coding))
    chroma.append(image.chroma)
    planes = [samples(image.luma), samples(image.blue), samples(image.red)]
    let size = sizes.count > 1 ? sizes.removeFirst() : sizes[0]
    buffer[0] = 0xFF
    buffer[size - 1] = 0xD9
    return size
  }

  /// What every turned JPEG becomes; nil: the codec does not turn this kind.
  var turned: [UInt8]?
  private(set) var orientations: [Orientation] = []

  func transform(
    _ jpeg: UnsafeBufferPointer<UInt8>, _ orientation: Orientation, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int {
    orientations.append(orientation)
    guard let turned else { throw .unsupported }
    for (index, byte) in turned.enumerated() { buffer[index] = byte }
    return turned.count
  }
}
