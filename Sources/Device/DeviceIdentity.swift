import Runtime

/// The device's identity from configuration and build.
public struct DeviceIdentity: Sendable {
  /// The configured name; empty: the host name.
  public var name: DeviceText
  /// Version of Talon.
  public var appVersion: DeviceText
  /// Build of Talon.
  public var appBuild: DeviceText
  /// Where the board is, in the owner's words, and its groups as words with commas between; empty: not said.
  public var place = DeviceText()
  public var tags = DeviceText()

  /// An identity; versions that are empty become "dev" and "0" (node-commands 4.5).
  public init(name: DeviceText, appVersion: DeviceText, appBuild: DeviceText) {
    self.name = name
    self.appVersion = appVersion.isEmpty ? DeviceText(cutting: "dev") : appVersion
    self.appBuild = appBuild.isEmpty ? DeviceText(cutting: "0") : appBuild
  }
}
