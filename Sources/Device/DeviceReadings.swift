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
  /// Name and version of the operating system, such as "Debian GNU/Linux 12 (bookworm)".
  public var systemVersion = DeviceText()
  /// Language of the system, a BCP 47 tag.
  public var locale = DeviceText()
  /// The battery that the board runs from, if any.
  public var battery = BatteryReading()
  /// Temperature of the hottest zone in degrees Celsius, when the board has one.
  public var temperature: Double?
  /// The file system that holds the agent's state, when it can be asked.
  public var storage: StorageReading?
  /// How the board reaches the world.
  public var network = NetworkReading()
  /// Main memory, when the kernel tells.
  public var memory: MemoryReading?
  /// Processors that are switched on; 0 when the kernel does not tell.
  public var processors = 0
  /// Load averages over 1, 5 and 15 minutes, when the kernel tells.
  public var load: InlineArray<3, Double>?
  /// Seconds since the kernel started.
  public var uptime = 0.0

  /// Nothing known yet.
  public init() {}
}

/// Room on a file system.
public struct StorageReading: Equatable, Sendable {
  /// Bytes altogether.
  public var totalBytes: UInt64
  /// Bytes that the agent may still write.
  public var freeBytes: UInt64

  /// A reading; see the properties.
  public init(totalBytes: UInt64, freeBytes: UInt64) {
    self.totalBytes = totalBytes
    self.freeBytes = freeBytes
  }

  /// Bytes in use, those reserved for the superuser included.
  public var usedBytes: UInt64 { totalBytes > freeBytes ? totalBytes - freeBytes : 0 }
}
