/// Checks the JPEG frames of a camera, and learns what all of them lack.
///
/// The check of `JPEGLayout` is strict, so that a frame that was cut on its way is not taken for a picture. But some
/// cameras send no end marker, or pad with zeros, or miscount their segments, in every frame. When several frames in a
/// row fail and none has passed since the camera was opened, that is the camera's way: such frames are accepted if the
/// decoder makes a picture of them. A camera of which one frame was whole is held to that.
struct FrameHabits {
  /// Frames in a row that fail before that counts as the camera's way: cameras begin with up to three damaged frames.
  static let frames = 6

  /// What every frame of a camera lacked, since the start of the program; nil: nothing.
  private(set) var known: FrameFault?
  private var failed = 0
  private var hasWhole = false

  /// Another camera may come: nothing is known about its frames.
  mutating func reset() { (failed, hasWhole) = (0, false) }

  /// The layout of a camera's JPEG; nil for other frames. Counts its fault, and throws `.brokenFrame` when the next
  /// frame may be better, `.unsupportedFormat` when it would not be.
  mutating func check(_ frame: RawFrame, _ faults: inout FrameFaults) throws(CameraError) -> JPEGLayout? {
    guard frame.format == .mjpeg else { return nil }
    let fault: FrameFault
    do throws(FrameFault) {
      let layout = try JPEGLayout(checking: frame.bytes)
      try layout.checkSize(frame.width, frame.height)
      hasWhole = true
      return layout
    } catch {
      fault = error
    }
    if fault != .unsupported, !hasWhole {
      failed = min(failed + 1, Self.frames)
      if failed == Self.frames, let layout = try? JPEGLayout(checking: frame.bytes, isLenient: true) {
        known = fault
        return layout
      }
    }
    faults.count(fault)
    throw fault == .unsupported ? .unsupportedFormat : .brokenFrame
  }
}
