import Runtime

/// A camera's id or name, or a word of a request: `Budget.cameraTextBytes` at most.
public typealias CameraText = InlineText<64>
