/// Checks the JPEG frames of a camera, and learns what all of them lack.
///
/// The check of `JPEGLayout` is strict, so that a frame that was cut on its way is not taken for a picture. But some
/// cameras send no end marker, or pad with zeros, or miscount their segments, in every frame. When several frames in a
/// row have the same fault and none has passed since the camera was opened, that is the camera's way: frames with that
/// fault alone are accepted if the decoder finds all of their blocks. A camera of which one frame was whole is held to
/// that.
struct FrameHabits {
  /// Frames in a row that fail before that counts as the camera's way: cameras begin with up to three damaged frames.
  static let frames = 6

  /// What every frame of a camera lacked, since the start of the program; nil: nothing.
  private(set) var known: FrameFault?
  private var state = State()

  private struct State {
    /// The fault of the last frames, or what was learned.
    var fault: FrameFault?
    /// Frames in a row that had it.
    var count = 0
    var (isLearned, hasWhole) = (false, false)
  }

  /// Another camera may come: nothing is known about its frames.
  mutating func reset() { state = State() }

  /// The layout of a camera's JPEG; nil for other frames. Counts its fault, and throws `.brokenFrame` when the next
  /// frame may be better, `.unsupportedFormat` when it would not be.
  mutating func check(_ frame: RawFrame, _ faults: inout FrameFaults) throws(CameraError) -> JPEGLayout? {
    guard frame.format == .mjpeg else { return nil }
    let fault: FrameFault
    do throws(FrameFault) {
      let layout = try Self.layout(of: frame)
      state.hasWhole = true
      return layout
    } catch {
      fault = error
    }
    if let layout = tolerate(fault, of: frame) { return layout }
    faults.count(fault)
    throw fault == .unsupported ? .unsupportedFormat : .brokenFrame
  }

  /// The layout of a frame whose fault is its camera's way; nil when it is damaged.
  private mutating func tolerate(_ fault: FrameFault, of frame: RawFrame) -> JPEGLayout? {
    if state.hasWhole { return nil }
    if let last = state.fault, fault.isSameWay(as: last) {
      state.count = min(state.count + 1, Self.frames)
    } else if !state.isLearned {
      (state.fault, state.count) = (fault, 1)
    } else {
      return nil
    }
    guard state.count == Self.frames, let layout = try? Self.layout(of: frame, tolerating: fault) else { return nil }
    state.isLearned = true
    known = fault
    return layout
  }

  private static func layout(
    of frame: RawFrame, tolerating tolerated: FrameFault? = nil
  ) throws(FrameFault) -> JPEGLayout {
    let layout = try JPEGLayout(checking: frame.bytes, tolerating: tolerated)
    if tolerated != .wrongSize { try layout.checkSize(frame.width, frame.height) }
    return layout
  }
}
