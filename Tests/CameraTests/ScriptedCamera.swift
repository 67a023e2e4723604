import Runtime

@testable import Camera

/// A camera that offers the frames of a script, and then fails.
final class ScriptedCamera: CameraDevice {
  struct Frame {
    var format: PixelFormat
    var width = 0
    var height = 0
    var rowBytes = 0
    var isFullRange = true
    var bytes: [UInt8]
    var sensor = Sensor.generic
  }

  var frames: [Frame] = []
  /// What comes after the last frame.
  var end = CameraError.timeout
  var listing: CameraError?
  private(set) var requests: [CaptureRequest] = []
  private(set) var offered = 0
  var kind: StaticString { "simulated" }

  func enumerate(into list: inout CameraList) throws(CameraError) {
    if let listing { throw listing }
    list.removeAll()
    list.append(CameraEntry(id: "one", name: "Camera \"1\""))
  }

  func capture(_ request: CaptureRequest, _ visit: (RawFrame) -> FrameVerdict) throws(CameraError) {
    requests.append(request)
    for frame in frames {
      if request.cancellation.isRequested { throw .cancelled }
      offered += 1
      let verdict = frame.bytes.withUnsafeBufferPointer { bytes in
        visit(
          RawFrame(
            format: frame.format, width: frame.width, height: frame.height, rowBytes: frame.rowBytes,
            isFullRange: frame.isFullRange, bytes: bytes, sensor: frame.sensor))
      }
      if verdict == .done { return }
    }
    throw end
  }
}

extension CameraEntry {
  init(id: StaticString, name: StaticString) {
    self.init(id: CameraText(cutting: id), name: CameraText(cutting: name))
  }
}
