import Runtime

/// The version of this build.
enum Version {
  static let number = "0.1.0"
  /// The commit and its day, in a firmware.
  static let build = Syscall.buildName
}
