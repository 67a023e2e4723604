import Runtime

/// A name of the device, its model or its system: `HOST_NAME_MAX` is 64, models and versions have fewer than 128 bytes.
public typealias DeviceText = InlineText<128>

/// A name of a part: a network interface has fewer than 16 bytes (`IFNAMSIZ`), a thermal zone fewer than 20
/// (`THERMAL_NAME_LENGTH`), a memory card 6; names of batteries and watchdogs are not longer in practice.
public typealias DeviceName = InlineText<32>

/// The board's batteries.
public typealias DevicePacks = InlineList<4, BatteryPack>
/// Thermal zones.
public typealias DeviceZones = InlineList<8, ZoneReading>
/// Network interfaces.
public typealias DeviceLinks = InlineList<8, LinkReading>
