import Runtime

/// A name of the device, its model or its system: `HOST_NAME_MAX` is 64, models and versions have fewer than 128 bytes.
public typealias DeviceText = InlineText<128>
