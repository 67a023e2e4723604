import Codec

/// Whether the hardware behind a capability is there.
public struct HardwareState: Sendable {
  /// What is the case.
  public enum State: Equatable, Sendable {
    case ok, absent, error

    /// The word of `device.health`.
    public var word: StaticString {
      switch self {
      case .ok: "ok"
      case .absent: "absent"
      case .error: "error"
      }
    }
  }

  /// What is the case.
  public var state: State
  /// The reason, for a person.
  public var detail: StaticString?

  /// A state; see the properties.
  public init(_ state: State, detail: StaticString? = nil) {
    self.state = state
    self.detail = detail
  }
}

/// The hardware that other rooms know about, for `device.health`.
public struct HardwareReport: Sendable {
  /// The camera.
  public var camera: HardwareState
  /// The position receiver.
  public var location: HardwareState

  /// A report; see the properties.
  public init(camera: HardwareState, location: HardwareState) {
    self.camera = camera
    self.location = location
  }
}

extension HardwareReport {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("camera")
    camera.write(to: &writer)
    writer.key("location")
    location.write(to: &writer)
    writer.endObject()
  }
}

extension HardwareState {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("state")
    writer.string(state.word)
    if let detail {
      writer.key("detail")
      writer.string(detail)
    }
    writer.endObject()
  }
}
