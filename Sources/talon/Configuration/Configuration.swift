import Agent
import Camera
import Codec
import Gateway
import Location
import Motion
import Runtime

/// Everything that a person can set. `talon.conf.example` explains each key.
struct Configuration {
  enum CameraDriver { case v4l2, simulated, none }
  enum LocationDriver { case serial, gpsd, simulated, none }
  enum MotionDriver { case i2c, iio, simulated, none }

  // [gateway]
  /// Addresses of one gateway, in the order in which to try them; empty when a setup code named it.
  var urls: [GatewayURL] = []
  /// The gateway's name in discovery, or empty.
  var instance = ""
  /// The domain of wide-area discovery, or empty for the local network.
  var domain = ""
  var token = ""
  var password = ""
  var pin: Fingerprint?
  var pinning = Pinning.certificate
  var allowPlaintext = false
  /// Seconds.
  var pairingPoll: Int64 = 30

  // [node]
  /// Empty: the host's name.
  var name = ""
  var stateDirectory = "/var/lib/talon"
  var runtimeDirectory = "/run/talon"

  // [operator]
  var operatorEnabled = false
  var operatorScopes = Scopes.console

  // [camera]
  var cameraDriver = CameraDriver.v4l2
  var cameraFolder = ""
  var camera = CameraPolicy()
  var roster = CameraRoster()
  /// The light that is lit while a camera streams: its name below /sys/class/leds, or empty.
  var indicatorLED = ""
  var privacy = CameraStream.Privacy.unlit

  // [location]
  var locationDriver = LocationDriver.none
  var location = LocationSettings()
  var port = ""
  /// Where gpsd listens, as `GPSDAddress` reads it.
  var gpsd = "localhost"
  var replay = ""
  var speed = 1

  // [motion]
  var motionDriver = MotionDriver.none
  var motionBus = "/dev/i2c-1"
  /// nil: the usual addresses are tried.
  var motionAddress: UInt8?
  /// Which axes of the sensor point along x, y and z of the board.
  var mounting = MountingMatrix()
  /// Samples a second.
  var motionRate: UInt16 = 50
  /// Height of who carries the board, in centimetres.
  var personHeight: UInt16 = 170
  var jolts = JoltNews.none
  var motionReplay = ""

  // [microphone], [speaker]
  var sound = SoundConfiguration()
  var talk = TalkConfiguration()
  var wake = WakeConfiguration()

  // [light], [button]
  var light = LightConfiguration()
  var button = ButtonConfiguration()

  // [canvas]
  var canvas = CanvasConfiguration()

  // [console]
  var console = ConsoleSettings()

  // [log]
  var logLevel = LogLevel.info

  /// The gateway's id in discovery, or nil when none is configured.
  func gatewayID() throws(Failure) -> GatewayID? {
    if instance.isEmpty { return nil }
    do throws(DNSError) {
      return GatewayID(domain: try DNSName(text: (domain.isEmpty ? "local" : domain).utf8.span), instance: instance.utf8.span)
    } catch {
      throw Failure(.configuration, "[gateway] domain is no domain name")
    }
  }

  /// True for an address that may be used: encrypted, or not leaving this board, or allowed by the person.
  func allows(_ url: GatewayURL) -> Bool { url.isSecure || url.isLoopback || allowPlaintext }
}

/// Why a configuration was refused: the file, the line where there is one, the key where there is one.
struct ConfigurationError: Error, Equatable {
  var file: String
  var line: Int?
  var key: String?
  var reason: String
  /// True when the board could not read the file just now, which is no mistake in it.
  var isPassing = false

  var text: String {
    var text = file
    if let line { text += ":\(line)" }
    text += ": "
    if let key { text += "\(key): " }
    return text + reason
  }
}
