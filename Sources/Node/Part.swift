// Node: what the parts of the running agent plug into. It has the table of parts, the router of invokes, the outbox,
// the operator connection, the presence beacon and the operations of the local socket. It knows the gateway's protocol.
// It must not know a capability, such as a camera or a screen, nor the code that builds the agent.

import Codec
import Consent
import Device
import Gateway
import Runtime

/// A change on the board outside the agent.
public enum BoardChange: Sendable {
  /// An address or a route was added or removed.
  case network
  /// A camera, a serial port or a sound card was plugged in or removed.
  case cameras, serialPorts, soundCards
}

/// What is in use and must be visible to people: the privacy light is lit, and the screen shows it.
public struct LiveUse: OptionSet, Sendable {
  public let rawValue: UInt8

  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A camera or the microphone may be open.
  public static let camera = LiveUse(rawValue: 1)
  public static let microphone = LiveUse(rawValue: 2)
}

/// One long-lived part of the running agent: what it owns for one capability, or for the connection. The table of parts
/// calls it; a part overrides what it needs.
///
/// A class and not a protocol: default bodies of a protocol compile to nothing for `any P` in Embedded Swift 6.3.1
/// (docs/developers/COMPILER-NOTES.md).
open class Part {
  /// A part that does nothing.
  @export(interface)
  public init() {}

  // MARK: What it adds, read once at start

  /// Its place among the parts that declare commands to the gateway. Parts of the first releases keep their order,
  /// because a gateway's approval refers to the declared list; later parts follow.
  open var declarationPlace: Int { Int.max }

  /// Adds its commands.
  open func addCommands(to router: Router) {}

  /// A capability that it declares to the gateway in addition to those of its commands; nil without one.
  open var capability: StaticString? { nil }

  /// A permission that it declares (gateway reference 3.7); nil without one.
  open var permission: (name: StaticString, isGranted: Bool)? { nil }

  /// The operations that it adds to the local socket.
  open var operations: [ControlRow] { [] }

  // MARK: Life

  /// Starts its work. May read flash, which blocks.
  open func start() {}

  /// Ends its work for good; afterwards `isStopped` becomes true.
  open func stop() {}

  /// Writes to flash at once what is not stored yet. Called after `stop`.
  open func flush() {}

  /// True when nothing is open, running, or being written to flash.
  open var isStopped: Bool { true }

  /// A person holds the board (panic): it closes everything, ends all work, and begins nothing until `letGo`. Also
  /// called before `start` when the board was held before.
  open func hold() {}

  /// The person has released the board.
  open func letGo() {}

  /// What people at the board had granted is over: what was begun by that ends, also after its invoke was answered.
  open func grantsEnded(_ permissions: PermissionSet) {}

  /// Something outside the agent changed.
  open func boardChanged(_ change: BoardChange) {}

  // MARK: The gateway

  /// The node connection is open: `session` takes requests and answers until `offline`.
  open func online(_ session: Session) {}

  /// The node connection is lost.
  open func offline() {}

  /// An event of the gateway arrived on the node connection.
  open func received(_ event: borrowing JSONView, _ payload: borrowing JSONView) {}

  /// The operator connection is online, until `operatorOffline`.
  open func operatorOnline() {}

  /// The operator connection is lost.
  open func operatorOffline() {}

  /// An event arrived on the operator connection.
  open func operatorReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView) {}

  /// The gateway's wake phrases arrived on the operator connection, in a response or an event.
  open func wakePhrasesReceived(_ payload: borrowing JSONView) {}

  // MARK: Time

  /// When `advance` is to be called, in milliseconds of `Clock.monotonic`; nil when not needed.
  open var nextDeadline: Int64? { nil }

  /// Does what is due at `now`.
  open func advance(to now: Int64) {}

  // MARK: Reports

  /// Writes its members of the agent's status object, with their keys.
  open func writeStatus(to writer: inout JSONWriter) {}

  /// Adds the state of its hardware and its work to the report of `device.health` and `device.permissions`.
  open func report(to report: inout HardwareReport) {}

  /// True when a part waits for a person to approve something at the gateway, although the node is connected.
  open var awaitsApproval: Bool { false }

  /// True when a configured device is absent or broken, and a person should look.
  open var hasFault: Bool { false }

  /// True while somebody waits for it: an upgrade, which starts the agent anew, waits until nobody does.
  open var isAwaited: Bool { false }

  /// What it has in use.
  open var live: LiveUse { [] }

  /// What it wants a person at the board to do while there is no gateway, as a sentence for the screen; nil: nothing.
  open var wanted: StaticString? { nil }

  // MARK: The local socket

  /// The client of this call has disconnected: its answer is not needed.
  open func forget(_ control: Control, _ call: Int) {}

  /// A client of the local socket has disconnected.
  open func clientDisconnected(_ client: Int) {}
}
