import Canvas
import Graphics
import Runtime

/// What a codec makes of bytes, as text: its size and `pixels` of it.
func pictureWords(
  _ bytes: UnsafeBufferPointer<UInt8>, _ codec: any PictureCodec, _ limit: PictureLimit,
  _ pixels: (DecodedPicture) -> String
) throws(PictureFault) -> String {
  guard let picture = try codec.decode(bytes, ContentKind(bytes, type: "".utf8.span), limit) else { return "none" }
  return
    "\(picture.size.width)x\(picture.size.height) of \(picture.original.width)x\(picture.original.height)\(pixels(picture))"
}

/// What a fault says.
func faultWords(_ fault: PictureFault) -> String {
  let text = fault.text
  return text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}
