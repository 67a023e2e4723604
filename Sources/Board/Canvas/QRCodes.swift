import CQRCode
import Canvas
import Runtime

/// QR codes by libqrencode.
public final class QRCodes: QREncoder {
  @export(interface)
  public init() {}

  public func encode(_ text: Span<UInt8>, into modules: QRModules) {
    modules.fill { cells in
      let side = text.withUnsafeBufferPointer {
        tl_qr($0.baseAddress, Int32($0.count), cells.baseAddress, Int32(cells.count))
      }
      return side > 0 ? Int(side) : nil
    }
  }
}
