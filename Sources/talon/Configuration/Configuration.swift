import Board
import Camera
import CameraPart
import Codec
import Consent
import FilesPart
import Gateway
import Hands
import Location
import MCP
import Metrics
import Motion
import Node
import Runtime
import SensePart
import ToolsPart
import Updates

/// The whole configuration. `talon.conf.example` explains each key.
struct Configuration {
  enum CameraDriver { case v4l2, simulated, none }
  enum LocationDriver { case serial, gpsd, simulated, none }
  enum MotionDriver { case i2c, iio, simulated, none }

  // [gateway]
  /// Addresses of one gateway, in the order of their trial; empty when a setup code named it.
  var urls: [GatewayURL] = []
  /// The gateway's name in discovery, or empty.
  var instance = ""
  /// The domain of wide-area discovery, or empty for the local network.
  var domain = ""
  var token = ""
  var password = ""
  var trust = TrustRule()
  var allowPlaintext = false
  /// Seconds.
  var pairingPoll: Int64 = 30
  var way = GatewayWay()

  // [node]
  /// Empty for the host's name.
  var name = ""
  /// Where the board is, and its groups with commas between.
  var place = ""
  var tags = ""
  /// The commands that are declared to the gateway.
  var commands = CommandChoice.all
  var stateDirectory = "/var/lib/talon"
  var runtimeDirectory = "/run/talon"

  // [operator]
  var operatorEnabled = false
  var operatorScopes = Scopes.console
  /// People at the board answer requests of the gateway.
  var approves = false

  // [links]
  var links = LinkConfiguration()

  // [camera]
  var cameraDriver = CameraDriver.v4l2
  var cameraFolder = ""
  var camera = CameraPolicy()
  var cameraSettings = CameraSettingsTable()
  /// The privacy light of cameras: its name in /sys/class/leds, or empty.
  var indicatorLED = ""
  var privacy = CameraStream.Privacy.unlit

  // [location]
  var locationDriver = LocationDriver.none
  var location = LocationSettings()
  var port = ""
  /// The address of gpsd, for `GPSDAddress`.
  var gpsd = "localhost"
  var replay = ""
  var speed = 1

  // [motion]
  var motionDriver = MotionDriver.none
  var motionBus = "/dev/i2c-1"
  /// Nil to try the usual addresses.
  var motionAddress: UInt8?
  /// Nil to identify the chip.
  var motionChip: ChipKind?
  /// The axes of the sensor that point along x, y and z of the board.
  var mounting = MountingMatrix()
  /// Samples a second.
  var motionRate: UInt16 = 50
  /// Height in centimeters of the person who carries the board.
  var personHeight: UInt16 = 170
  var jolts = JoltNews.none
  /// Whether a hard shake is panic, and what counts as one.
  var shakes = false
  var shake = ShakeThresholds()
  var motionReplay = ""

  // [photos]
  var photos = PhotoKeeping()

  // [microphone], [speaker]
  var sound = SoundConfiguration()
  var talk = TalkConfiguration()
  var wake = WakeConfiguration()

  // [light], [button]
  var light = LightConfiguration()
  var button = ButtonConfiguration()

  // [canvas]
  var canvas = CanvasConfiguration()

  // [tools]
  var tools = ToolSettings.usual
  // [agent]
  var followsFile = false
  var agent = AgentConfiguration()
  var agentService = AgentServiceConfiguration()
  // [model NAME]
  var models: [ModelConfiguration] = []
  // [consent]
  var consent = ConsentSettings()

  // [tool NAME]
  var hands: [HandSettings] = []
  /// The names of all such sections of the file, and of `[mcp NAME]`: `publish` of `[tools]` may stand above them.
  var handNames: [String] = []

  // [mcp NAME]
  var servers: [MCPSettings] = []

  // [run]
  var run = RunConfiguration()

  // [files]
  var files: [SharedFolder] = []

  // [update]
  var update = UpdateSettings()

  // [debug]
  /// Whether the gateway may ask for the log and for reports of this board.
  var hasDebugCommands = false
  /// Whether the gateway's agent is told of devices that come, go or fail.
  var tellsOfDevices = true
  // [metrics]
  var metrics = MetricsSettings()

  // [console]
  var console = ConsoleSettings()

  // [log]
  var logLevel = LogLevel.info
  /// A syslog server with TLS; nil without one. Who vouches for its certificate; empty for the system's.
  var syslog: GatewayURL?
  var syslogAuthorities = ""

  /// The lines of the file, in their order.
  var settings: [(section: String, key: String, line: Int)] = []

  /// The gateway's id in discovery, or nil when none is configured.
  func gatewayID() throws(Failure) -> GatewayID? {
    if instance.isEmpty { return nil }
    do throws(DNSError) {
      return GatewayID(
        domain: try DNSName(text: (domain.isEmpty ? "local" : domain).utf8.span), instance: instance.utf8.span)
    } catch {
      throw Failure(.configuration, "[gateway] domain is not a domain name")
    }
  }

  /// True for an address that may be used: encrypted, or on this board, or allowed in the file.
  func allows(_ url: GatewayURL) -> Bool { url.isSecure || url.isLoopback || allowPlaintext }
}

/// Why a configuration was refused: the file, and the line and the key if known.
struct ConfigurationError: Error, Equatable {
  var file: String
  var line: Int?
  var key: String?
  var reason: String
  /// True when the file could not be read just now, which is not a mistake in it.
  var isTransient = false
  /// The sentences about other mistakes of the same file.
  var others: [String] = []

  /// All of them, a line each.
  var report: String { ([text] + others).joined(separator: "\n") }

  /// This one, for a log.
  var text: String {
    var text = file
    if let line { text += ":\(line)" }
    text += ": "
    if let key { text += "\(key): " }
    text += reason
    return text
  }
}
