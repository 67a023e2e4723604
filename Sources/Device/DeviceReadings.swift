import Runtime

/// Reads the board's state from sysfs and procfs, or simulated.
public protocol DeviceReadings: AnyObject {
  /// Reads everything again. Called on a worker, by one thread at a time; may block. Values that cannot be read are
  /// left unknown; it never fails.
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
  /// The batteries that the board runs on, as one, and their charger.
  public var battery = BatteryReading()
  /// Each of the batteries.
  public var packs = DevicePacks()
  /// Why the firmware of a Raspberry Pi throttles the board.
  public var throttling: ThrottlingReading?
  /// True while the kernel's sensor reports under-voltage, where there is one.
  public var isUnderVoltage: Bool?
  /// Temperature of the hottest zone in degrees Celsius, when the board has one.
  public var temperature: Double?
  /// The thermal zones, as far as there is room.
  public var zones = DeviceZones()
  /// The file system with the agent's state, when it can be read.
  public var storage: StorageReading?
  /// Wear of its disk.
  public var wear = WearReading()
  /// The default route.
  public var network = NetworkReading()
  /// The network interfaces without the loopback, as far as there is room.
  public var links = DeviceLinks()
  /// Whether its radios may send.
  public var radios = RadioReading()
  /// Main memory, when the kernel reports it.
  public var memory: MemoryReading?
  /// How long programs waited for memory, when the kernel reports it.
  public var stall: StallReading?
  /// Processors that are online; 0 when unknown.
  public var processors = 0
  /// Load averages over 1, 5 and 15 minutes, when the kernel reports them.
  public var load: InlineArray<3, Double>?
  /// Seconds since the kernel started.
  public var uptime = 0.0
  /// The system's clock.
  public var clock = ClockReading()
  /// The board's first watchdog.
  public var watchdog: WatchdogReading?
  /// Why the board was last restarted, when that is known.
  public var restart: RestartReading?
  /// Which device files this user may open.
  public var access = AccessReading()

  /// Nothing known.
  public init() {}
}
