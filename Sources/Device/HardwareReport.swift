import Codec
import Runtime

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
  /// What it does, or the reason why it does not, for a person.
  public var detail: StaticString?
  /// False when the configuration or the system forbids its use. A device that is merely not there is not forbidden.
  public var isPermitted: Bool

  /// A state; see the properties.
  public init(_ state: State, detail: StaticString? = nil, isPermitted: Bool = true) {
    self.state = state
    self.detail = detail
    self.isPermitted = isPermitted
  }
}

/// Whether people at the board have a say in a capability.
public enum ConsentState: Sendable {
  /// The owner's file allows it, or denies it.
  case allowed, denied
  /// Whoever is at the board is asked, or has allowed it for now.
  case asks, granted
}

/// One capability, by the name that `device.permissions` and the configuration have for it.
public struct ConsentEntry: Sendable {
  public var word: StaticString
  public var state: ConsentState

  /// An entry; see the properties.
  public init(word: StaticString, state: ConsentState) {
    self.word = word
    self.state = state
  }
}

/// The hardware that other rooms know about, and what the agent itself does, for `device.health` and
/// `device.permissions`.
public struct HardwareReport: Sendable {
  /// The camera.
  public var camera: HardwareState
  /// The position receiver.
  public var location: HardwareState
  /// The inertial sensor.
  public var motion: HardwareState
  /// The screen.
  public var canvas = HardwareState(.absent, detail: "no screen configured", isPermitted: false)
  /// The microphone, and whether one is configured.
  public var microphone = HardwareState(.absent, detail: "no microphone configured", isPermitted: false)
  public var isMicrophoneConfigured = false
  /// What whoever is at the board has a say in.
  public var consent = InlineList<8, ConsentEntry>()
  /// What the agent does.
  public var services: ServiceReport
  /// The board's system and what is to follow it; nil where nothing is known of that.
  public var update: UpdateReport?

  /// A report; see the properties. What is not given is not configured.
  public init(
    camera: HardwareState = HardwareState(.absent, detail: "no camera configured", isPermitted: false),
    location: HardwareState = HardwareState(.absent, detail: "no receiver configured", isPermitted: false),
    motion: HardwareState = HardwareState(.absent, detail: "no sensor configured", isPermitted: false),
    services: ServiceReport = ServiceReport()
  ) {
    self.camera = camera
    self.location = location
    self.motion = motion
    self.services = services
  }
}

/// The board's system and what is to follow it.
public struct UpdateReport: Sendable {
  /// Of the running image; empty where the board has none.
  public var version = InlineText<64>()
  /// The slot that it runs from; nil where the board has no slots.
  public var slot: StaticString?
  /// A word for how far an update is, and the version that it leads to; empty without one.
  public var state: StaticString = "idle"
  public var pending = InlineText<64>()
  /// Why the last one failed; empty when it did not.
  public var failure = InlineText<256>()

  /// A report of which nothing is known.
  public init() {}
}

/// What the agent does beside its devices.
public struct ServiceReport: Sendable {
  /// The connection to the gateway, and how often it was made since the start.
  public var gateway = HardwareState(.ok)
  public var connections: UInt64 = 0
  /// The connection of the people at the board.
  public var console = HardwareState(.absent, detail: "switched off in the configuration")
  /// Waiting for a phrase; nil: nobody does.
  public var wake: HardwareState?
  /// The board's own agent; nil: it has none.
  public var ownAgent: HardwareState?
  /// The configuration file, and the place of the state; nil: nothing is wrong with it.
  public var configuration: HardwareState?
  public var storage: HardwareState?
  /// Events for the gateway: how many wait, were delivered, and were given up.
  public var outbox = HardwareState(.ok)
  public var (waiting, delivered, dropped): (UInt64, UInt64, UInt64) = (0, 0, 0)

  /// A service that has nothing to do.
  public init() {}
}

extension HardwareReport {
  func write(to writer: inout JSONWriter) {
    writer.key("devices")
    writer.beginObject()
    camera.write("camera", to: &writer)
    location.write("location", to: &writer)
    motion.write("motion", to: &writer)
    canvas.write("canvas", to: &writer)
    microphone.write("microphone", to: &writer)
    writer.endObject()
    writer.key("services")
    services.write(to: &writer)
    if let update {
      writer.key("update")
      update.write(to: &writer)
    }
  }
}

extension UpdateReport {
  /// The object "update" of `device.info` and `device.health`: what is known.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("state")
    writer.string(state)
    writer.text("version", version.span)
    if let slot {
      writer.key("slot")
      writer.string(slot)
    }
    writer.text("pending", pending.span)
    writer.text("failure", failure.span)
    writer.endObject()
  }
}

extension ServiceReport {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("gateway")
    writer.beginObject()
    gateway.writeMembers(to: &writer)
    writer.key("connections")
    writer.uint(connections)
    writer.endObject()
    console.write("console", to: &writer)
    wake?.write("wake", to: &writer)
    ownAgent?.write("ownAgent", to: &writer)
    configuration?.write("configuration", to: &writer)
    storage?.write("storage", to: &writer)
    writer.key("outbox")
    writer.beginObject()
    outbox.writeMembers(to: &writer)
    writer.key("waiting")
    writer.uint(waiting)
    writer.key("delivered")
    writer.uint(delivered)
    writer.key("dropped")
    writer.uint(dropped)
    writer.endObject()
    writer.endObject()
  }
}

extension HardwareState {
  fileprivate func write(_ key: StaticString, to writer: inout JSONWriter) {
    writer.key(key)
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.key("state")
    writer.string(state.word)
    guard let detail else { return }
    writer.key("detail")
    writer.string(detail)
  }
}
