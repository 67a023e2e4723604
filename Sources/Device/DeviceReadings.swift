import Runtime

/// What the board tells about itself: sysfs and its neighbours, or their simulated twin.
public protocol DeviceReadings: AnyObject {
  /// Reads everything anew. Called on a worker, by one at a time; may block there. What cannot be read is left
  /// unknown; it never fails.
  func read(into snapshot: inout DeviceSnapshot)
}

/// The board at one instant.
public struct DeviceSnapshot: Sendable {
  /// Name of the host.
  public var hostName = DeviceText()
  /// Name of the board or the machine, such as "Raspberry Pi Zero 2 W Rev 1.0".
  public var model = DeviceText()
  /// Serial number of the board, when it has one that the agent may read.
  public var serial = DeviceText()
  /// Release of the kernel, such as "6.12.25+rpt-rpi-v8".
  public var kernel = DeviceText()
  /// Name and version of the operating system, such as "Debian GNU/Linux 12 (bookworm)".
  public var systemVersion = DeviceText()
  /// Language of the system, a BCP 47 tag.
  public var locale = DeviceText()
  /// The batteries that the board runs from as one, if any, and what charges them.
  public var battery = BatteryReading()
  /// Each of the batteries.
  public var packs = DevicePacks()
  /// What the firmware holds the board back for, on a Raspberry Pi.
  public var throttling: ThrottlingReading?
  /// True while the kernel's own sensor says that the voltage is too low, where there is one.
  public var isUnderVoltage: Bool?
  /// Temperature of the hottest zone in degrees Celsius, when the board has one.
  public var temperature: Double?
  /// The zones, as far as there is room.
  public var zones = DeviceZones()
  /// The file system that holds the agent's state, when it can be asked.
  public var storage: StorageReading?
  /// How worn its disk is.
  public var wear = WearReading()
  /// How the board reaches the world.
  public var network = NetworkReading()
  /// Its network interfaces but the loopback, as far as there is room.
  public var links = DeviceLinks()
  /// Main memory, when the kernel tells.
  public var memory: MemoryReading?
  /// How long programs waited for memory, when the kernel counts.
  public var stall: StallReading?
  /// Processors that are switched on; 0 when the kernel does not tell.
  public var processors = 0
  /// Load averages over 1, 5 and 15 minutes, when the kernel tells.
  public var load: InlineArray<3, Double>?
  /// Seconds since the kernel started.
  public var uptime = 0.0
  /// The system's clock.
  public var clock = ClockReading()
  /// The board's first watchdog.
  public var watchdog: WatchdogReading?
  /// Which device files this user may open.
  public var access = AccessReading()

  /// Nothing known yet.
  public init() {}
}
